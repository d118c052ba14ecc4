package io.queen.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import io.queen.testing.TestTokens;
import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@TestProfile(WithQueueRights.class)
class QueueRightsTest {
    private final String area = Partitions.name("area");
    private final String own = area + ".own";
    private final String second = area + ".second";
    private final String foreign = Partitions.name("foreign");
    private final TokenClient admin = TokenClient.admin();
    private final TokenClient restricted = TokenClient.restricted(area + ".*");

    private static void assertForbidden(Response answer, String... words) {
        assertThat(answer.statusCode()).as(answer.asString()).isEqualTo(403);
        assertThat(answer.<String>path("code")).isEqualTo("QUEUE_FORBIDDEN");
        assertThat(answer.<String>path("error")).contains(words);
    }

    private static void assertGood(Response answer) {
        assertThat(answer.statusCode()).as(answer.asString()).isBetween(200, 299);
    }

    private static long stored(String queue) {
        try (Sql sql = Sql.open()) {
            return sql.number(
                    "select count(*) from queen.messages m join queen.partitions p on p.id = m.partition_id"
                            + " join queen.queues q on q.id = p.queue_id where q.name = ?",
                    queue);
        }
    }

    @Test
    void push_needsProduceOnEachQueue_andStoresAllOrNothing() {
        TokenClient producer = TokenClient.of("read-write", Map.of("produce", List.of(own, area + ".s*")));
        assertGood(producer.push(own, second, own));
        assertForbidden(producer.push(own, foreign, own), "produce to", foreign);
        assertThat(stored(own)).isEqualTo(2);
        assertThat(stored(foreign)).isZero();
        try (Sql sql = Sql.open()) {
            assertThat(sql.number("select count(*) from queen.queues where name = ?", foreign))
                    .isZero();
        }
    }

    @Test
    void pop_needsConsume() {
        assertGood(admin.push(own, foreign));
        TokenClient consumer = TokenClient.of("read-write", Map.of("consume", own));
        assertThat(consumer.get("/api/v1/pop/queue/" + own + "?autoAck=true").statusCode())
                .isEqualTo(200);
        assertForbidden(consumer.get("/api/v1/pop/queue/" + foreign), "consume from", foreign);
        assertForbidden(consumer.get("/api/v1/pop/queue/" + foreign + "/partition/Default"), foreign);
        assertForbidden(consumer.get("/api/v1/pop?queue=" + foreign), foreign);
        assertThat(consumer.get("/api/v1/pop?queue=" + own).statusCode()).isEqualTo(204);
        assertForbidden(TokenClient.with(Right.PRODUCE, own).get("/api/v1/pop/queue/" + own), "no queue");
    }

    @Test
    void pop_ofANamespace_needsConsumeOnAllQueues() {
        admin.post("/api/v1/configure", "{\"queue\":\"" + own + "\",\"namespace\":\"" + area + "\"}");
        assertGood(admin.push(own));
        assertForbidden(restricted.get("/api/v1/pop?namespace=" + area), "name one in a pop");
        assertForbidden(restricted.get("/api/v1/pop?task=" + area), "name one in a pop");
        assertThat(restricted.get("/api/v1/pop").statusCode()).isEqualTo(400);
        Map<String, Object> all = Map.of("consume", "*", "produce", own);
        assertThat(TokenClient.of("read-write", all)
                        .get("/api/v1/pop?namespace=" + area)
                        .statusCode())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/ack", "/api/v1/ack/batch", "/api/v1/transaction"})
    void ack_ofAForeignPartition_isRefusedAsAWhole(String path) {
        assertGood(admin.push(own, foreign));
        String mine = ack(admin.get("/api/v1/pop/queue/" + own), false);
        String others = ack(admin.get("/api/v1/pop/queue/" + foreign), false);
        for (int attempt = 0; attempt < 2; attempt++) { // the second time the queue of the partition is known
            assertForbidden(restricted.post(path, body(path, others)), "consume from", foreign);
            if (!path.endsWith("ack")) {
                assertForbidden(restricted.post(path, body(path, mine + "," + others)), foreign);
            }
        }
        Response done = restricted.post(path, body(path, mine));
        assertThat(done.asString()).contains("\"success\":true").doesNotContain("\"success\":false");
        done = admin.post(path, body(path, others));
        assertThat(done.asString()).contains("\"success\":true").doesNotContain("\"success\":false");
    }

    private static String ack(Response popped, boolean withLease) {
        assertThat(popped.statusCode()).isEqualTo(200);
        return "{\"type\":\"ack\",\"transactionId\":\"%s\",\"partitionId\":\"%s\",\"status\":\"completed\"%s}"
                .formatted(
                        popped.<String>path("messages[0].transactionId"),
                        popped.<String>path("messages[0].partitionId"),
                        withLease ? ",\"leaseId\":\"" + popped.path("messages[0].leaseId") + "\"" : "");
    }

    private static String body(String path, String acks) {
        String plain = path.endsWith("transaction") ? acks : acks.replace("\"type\":\"ack\",", "");
        return switch (path) {
            case "/api/v1/ack" -> plain;
            case "/api/v1/ack/batch" -> "{\"acknowledgments\":[" + plain + "]}";
            default -> "{\"operations\":[" + plain + "]}";
        };
    }

    @Test
    void ack_ofAPartitionThatIsNot_isAnsweredAsEver() {
        String body = "{\"transactionId\":\"t\",\"partitionId\":\"01234567-89ab-7def-8123-456789abcdef\","
                + "\"status\":\"completed\"}";
        Response answer = restricted.post("/api/v1/ack", body);
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.<Boolean>path("[0].success")).isFalse();
    }

    @Test
    void transaction_needsProduceAndConsume_andAppliesAllOrNothing() {
        assertGood(admin.push(own));
        TokenClient both = TokenClient.of("read-write", Map.of("consume", own, "produce", second));
        String ack = ack(both.get("/api/v1/pop/queue/" + own), true);
        String push = "{\"type\":\"push\",\"queue\":\"%s\",\"payload\":1}";
        assertForbidden(
                both.post("/api/v1/transaction", "{\"operations\":[" + ack + "," + push.formatted(own) + "]}"),
                "produce to",
                own);
        assertThat(stored(own)).isOne();
        Response done =
                both.post("/api/v1/transaction", "{\"operations\":[" + ack + "," + push.formatted(second) + "]}");
        assertThat(done.<Boolean>path("success")).as(done.asString()).isTrue();
        assertThat(stored(second)).isOne();
    }

    @Test
    void lease_isRenewedByItsHolder() {
        assertGood(admin.push(own));
        String lease = restricted.get("/api/v1/pop/queue/" + own).path("messages[0].leaseId");
        assertGood(restricted.post("/api/v1/lease/" + lease + "/extend", "{}"));
        assertForbidden(
                TokenClient.with(Right.PRODUCE, "*").post("/api/v1/lease/" + lease + "/extend", "{}"), "no queue");
    }

    @Test
    void manage_isNeededToChangeAQueue() {
        assertGood(restricted.post("/api/v1/configure", "{\"queue\":\"" + own + "\"}"));
        assertForbidden(restricted.post("/api/v1/configure", "{\"queue\":\"" + foreign + "\"}"), "manage", foreign);
        TokenClient consumer = TokenClient.with(Right.CONSUME, own);
        assertForbidden(consumer.post("/api/v1/configure", "{\"queue\":\"" + own + "\"}"), "manage");
        assertForbidden(consumer.delete("/api/v1/resources/queues/" + own), "manage");
        assertGood(restricted.post("/api/v1/queues/" + own + "/pause", ""));
        assertGood(restricted.delete("/api/v1/queues/" + own + "/pause"));
        assertGood(restricted.delete("/api/v1/resources/queues/" + own));
    }

    /** A producer learns nothing of what others have pushed. */
    @Test
    void messages_areReadWithConsumeOrManage_notWithProduce() {
        String id = admin.push(own).path("[0].partition_id");
        String path = "/api/v1/messages/" + id + "/" + transaction(own);
        for (Right right : List.of(Right.CONSUME, Right.MANAGE)) {
            TokenClient reader = TokenClient.with(right, own);
            assertThat(reader.get(path).asString()).contains("\"of\"");
            assertThat(reader.get("/api/v1/messages?queue=" + own).<Integer>path("total"))
                    .isOne();
        }
        TokenClient producer = TokenClient.with(Right.PRODUCE, own);
        assertForbidden(producer.get(path), "read the messages of");
        assertForbidden(producer.get("/api/v1/messages?queue=" + own), "no queue");
        assertForbidden(producer.get("/api/v1/dlq"), "no queue");
        assertGood(producer.get("/api/v1/resources/queues/" + own));
    }

    private static String transaction(String queue) {
        try (Sql sql = Sql.open()) {
            return sql.text(
                    "select m.transaction_id from queen.messages m join queen.partitions p on p.id = m.partition_id"
                            + " join queen.queues q on q.id = p.queue_id where q.name = ?",
                    queue);
        }
    }

    @Test
    void lists_countAndPageWhatTheTokenMaySee() {
        for (String queue : List.of(own, foreign, second)) {
            String body =
                    "{\"queue\":\"%s\",\"namespace\":\"ns-%s\",\"task\":\"task-%s\"}".formatted(queue, queue, queue);
            assertGood(admin.post("/api/v1/configure", body));
            assertGood(admin.push(queue));
            assertGood(admin.get("/api/v1/pop/queue/" + queue + "?consumerGroup=group-" + queue));
        }
        Response first = restricted.get("/api/v1/resources/queues?limit=1");
        assertThat(first.<Integer>path("total")).isEqualTo(2);
        assertThat(first.<List<String>>path("queues.name")).containsExactly(second);
        assertThat(restricted.get("/api/v1/resources/queues?limit=1&offset=1").<List<String>>path("queues.name"))
                .containsExactly(own);
        assertThat(restricted.get("/api/v1/resources/namespaces").<Integer>path("total"))
                .isEqualTo(2);
        assertThat(restricted.get("/api/v1/resources/tasks").<List<String>>path("tasks.name"))
                .containsExactly("task-" + own, "task-" + second);
        assertThat(restricted.get("/api/v1/resources/partitions").<Integer>path("total"))
                .isEqualTo(2);
        assertThat(restricted
                        .get("/api/v1/resources/partitions?queue=" + foreign)
                        .statusCode())
                .isEqualTo(404);
        Response overview = restricted.get("/api/v1/resources/overview");
        assertThat(overview.<Integer>path("queues")).isEqualTo(2);
        assertThat(overview.<Integer>path("messages.total")).isEqualTo(2);
        assertThat(restricted.get("/api/v1/messages").<Integer>path("total")).isEqualTo(2);
        assertThat(restricted.get("/api/v1/consumer-groups").<List<String>>path("queue"))
                .containsExactly(own, second);
        assertThat(restricted.get("/api/v1/consumer-groups/group-" + foreign).asString())
                .isEqualTo("{}");
        assertThat(restricted.get("/api/v1/status").<List<String>>path("queues.name"))
                .containsExactly(own, second);
        assertThat(admin.get("/api/v1/resources/queues").<Integer>path("total")).isGreaterThan(2);
    }

    @Test
    void subscriptions_moveInTheQueuesThatTheTokenMayConsume() {
        for (String queue : List.of(own, foreign)) {
            assertGood(admin.push(queue));
            assertGood(admin.get("/api/v1/pop/queue/" + queue + "?subscriptionMode=new&consumerGroup=g-" + area));
        }
        Response moved = restricted.post(
                "/api/v1/consumer-groups/g-" + area + "/subscription",
                "{\"subscriptionTimestamp\":\"2020-01-01T00:00:00Z\"}");
        try (Sql sql = Sql.open()) {
            assertThat(sql.text(
                            "select string_agg(queue_name, ' ') from queen.subscriptions where consumer_group = ?"
                                    + " and subscription_timestamp = '2020-01-01'",
                            "g-" + area))
                    .as(moved.asString())
                    .isEqualTo(own);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/system/maintenance",
                "/api/v1/system/shared-state",
                "/internal/api/inter-instance/stats",
                "/api/v1/analytics/worker-metrics",
                "/api/v1/analytics/postgres-stats",
                "/api/v1/status/buffers",
            })
    void whatConcernsAllQueues_isForTokensOfAllQueues(String path) {
        assertForbidden(restricted.get(path), "some queues only");
        assertGood(admin.get(path));
        assertGood(TokenClient.restricted("*").get(path));
    }

    @Test
    void rights_addNothingToTheRole() {
        TokenClient reader = TokenClient.of("read-only", List.of("*"));
        Response answer = reader.push(own);
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.<String>path("code")).isEqualTo("FORBIDDEN");
        assertThat(stored(own)).isZero();
    }

    @ParameterizedTest
    @CsvSource({"'%'", "'_%'", "'.*'", "'*)', ", "'a*b'", "''' or true --'"})
    void patterns_areTextForTheDatabase(String pattern) {
        assertGood(admin.push(own));
        Response answer = TokenClient.restricted(pattern).get("/api/v1/resources/queues");
        if (answer.statusCode() == 200) {
            assertThat(answer.<Integer>path("total")).isZero();
        } else {
            assertThat(answer.statusCode()).isEqualTo(401);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HS256", "EdDSA"})
    void token_madeByTheCommand_isAcceptedWithItsRights(String algorithm) {
        Map<String, String> settings = Map.of(
                "algorithm",
                algorithm,
                "secret",
                TestTokens.SECRET,
                "private-key",
                TokenCommandTest.privatePem(TestTokens.ED25519));
        TokenClient made = new TokenClient(TokenCommandTest.made(
                settings, "--role", "read-write", "--subject", "shop", "--queues", "produce=" + area + ".*"));
        assertGood(made.push(own));
        assertForbidden(made.push(foreign), "produce to", foreign);
        assertThat(admin.get("/api/v1/pop/queue/" + own).<String>path("messages[0].producerSub"))
                .isEqualTo("shop");
    }

    @Test
    void claim_malformed_isNotATokenForAllQueues() {
        for (Object claim : new Object[] {7, "", List.of(1), Map.of("produces", "x"), Map.of("produce", 1)}) {
            Response answer = TokenClient.of("admin", claim).get("/api/v1/resources/queues");
            assertThat(answer.statusCode()).as(claim.toString()).isEqualTo(401);
            assertThat(answer.<String>path("error")).contains("The claim queen_queues");
            assertThat(answer.header("WWW-Authenticate")).contains("invalid_token");
        }
    }
}
