package io.queen.security;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every route of the OpenAPI document, asked for a queue by a token that is for others: refused, or nothing of it shown. */
@QuarkusTest
@TestProfile(WithQueueRights.class)
class ForeignQueueTest {
    private static final String NO_LEASE = "01234567-89ab-7def-8123-456789abcdef";
    /** Routes with a body, where {@code $queue}, {@code $partition} and {@code $transaction} are foreign. */
    private static final Map<String, String> BODIES = Map.of(
            "POST /api/v1/configure", "{\"queue\":\"$queue\",\"options\":{\"leaseTime\":1}}",
            "POST /api/v1/push", "{\"items\":[{\"queue\":\"$queue\",\"payload\":1}]}",
            "POST /api/v1/ack",
                    "{\"partitionId\":\"$partition\",\"transactionId\":\"$transaction\",\"status\":\"completed\"}",
            "POST /api/v1/ack/batch",
                    "{\"acknowledgments\":[{\"partitionId\":\"$partition\",\"transactionId\":\"$transaction\","
                            + "\"status\":\"completed\"}]}",
            "POST /api/v1/transaction",
                    "{\"operations\":[{\"type\":\"push\",\"queue\":\"$queue\",\"payload\":1},{\"type\":\"ack\","
                            + "\"partitionId\":\"$partition\",\"transactionId\":\"$transaction\"}]}",
            "POST /api/v1/traces", "{\"partitionId\":\"$partition\",\"transactionId\":\"$transaction\",\"data\":1}",
            "POST /api/v1/consumer-groups/{group}/subscription", "{\"subscriptionTimestamp\":\"2020-01-01T00:00:00Z\"}",
            "POST /api/v1/consumer-groups/{group}/queues/{queue}/seek", "{\"toEnd\":true}",
            "POST /api/v1/dlq/redrive", "{\"queue\":\"$queue\"}",
            "POST /internal/api/notify", "{\"type\":\"message_available\",\"queue\":\"$queue\"}");

    /** A schedule of the queue. */
    private static final String SCHEDULE = "{\"queue\":\"$queue\",\"cron\":\"@yearly\",\"payload\":\"payload-$queue\"}";

    private static final Map<String, String> MORE_BODIES = Map.of(
            "PUT /api/v1/schedules/{name}",
            SCHEDULE,
            "POST /streams/v1/queries",
            "{\"name\":\"other-$queue\",\"source_queue\":\"$queue\",\"config_hash\":\"h\"}",
            "POST /streams/v1/cycle",
            "{\"query_id\":\"" + NO_LEASE + "\",\"partition_id\":\"$partition\"}",
            "POST /streams/v1/state/get",
            "{\"query_id\":\"" + NO_LEASE + "\",\"partition_id\":\"$partition\"}",
            "PATCH /api/v1/streams/{name}",
            "{\"stateRetentionSeconds\":1}");

    /** Show numbers of the server to anyone. */
    private static final Set<String> PUBLIC =
            Set.of("GET /", "GET /api/v1", "GET /health", "GET /metrics", "GET /metrics/prometheus");

    private final String queue = Partitions.name("foreign");
    private final String transaction = "transaction-" + queue;
    private final TokenClient admin = TokenClient.admin();
    private final AccessTable table = new AccessTable();
    private String partition;

    /** A method of a path, with the names of its query. */
    private record Operation(String method, String path, List<String> query) {
        String name() {
            return method + " " + path;
        }
    }

    /** Whatever can be known of a queue is there to be known. */
    @BeforeEach
    void fill() {
        String configured = "{\"queue\":\"$queue\",\"namespace\":\"ns-$queue\",\"task\":\"task-$queue\"}";
        assertThat(admin.post("/api/v1/configure", filled(configured)).statusCode())
                .isEqualTo(200);
        String query = "{\"name\":\"query-$queue\",\"source_queue\":\"$queue\",\"config_hash\":\"hash-$queue\"}";
        assertThat(admin.post("/streams/v1/queries", filled(query)).statusCode())
                .isEqualTo(200);
        String item = "{\"queue\":\"$queue\",\"transactionId\":\"%s\",\"payload\":\"payload-$queue\"}";
        partition = admin.post(
                        "/api/v1/push",
                        filled("{\"items\":[" + item.formatted("$transaction") + "," + item.formatted("second-$queue")
                                + "]}"))
                .path("[0].partition_id");
        assertThat(admin.send("PUT", schedule(), filled(SCHEDULE)).statusCode()).isEqualTo(201);
        String pop = "/api/v1/pop/queue/" + queue + "?subscriptionMode=new&consumerGroup=";
        assertThat(admin.get(pop + "late-" + queue).statusCode()).isEqualTo(204);
        assertThat(admin.get("/api/v1/pop/queue/" + queue + "?consumerGroup=group-" + queue)
                        .statusCode())
                .isEqualTo(200);
        String ack = "{\"partitionId\":\"$partition\",\"transactionId\":\"$transaction\",\"status\":\"dlq\","
                + "\"consumerGroup\":\"group-$queue\",\"error\":\"error-$queue\"}";
        assertThat(admin.post("/api/v1/ack", filled(ack)).<Boolean>path("[0].success"))
                .isTrue();
        String trace = "{\"partitionId\":\"$partition\",\"transactionId\":\"second-$queue\",\"data\":{\"a\":1},"
                + "\"traceNames\":[\"trace-$queue\"]}";
        assertThat(admin.post("/api/v1/traces", filled(trace)).statusCode()).isEqualTo(201);
        String group = "/api/v1/consumer-groups/group-" + queue + "/queues/" + queue + "/pause";
        assertThat(admin.post(group, "").statusCode()).isEqualTo(200);
        try (Sql sql = Sql.open()) {
            sql.run(
                    "insert into queen.metric_buckets (bucket, server_id, queue_name, metrics) values"
                            + " (date_trunc('minute', now()) - interval '1 minute', 'server-' || ?, ?, '{\"pushMessages\": 7,"
                            + " \"popMessages\": 7, \"lagSumMs\": 7, \"maxLagMs\": 7}')",
                    queue,
                    queue);
        }
    }

    private String schedule() {
        return "/api/v1/schedules/schedule-" + queue;
    }

    /** A name is taken by whoever was first. */
    @Test
    void schedule_ofAForeignQueue_isNotTakenOver() {
        TokenClient other = TokenClient.restricted("other-*");
        String own = SCHEDULE.replace("$queue", "other-" + queue);
        assertThat(other.send("PUT", schedule(), own).statusCode()).isEqualTo(403);
        assertThat(admin.get(schedule()).<String>path("queue")).isEqualTo(queue);
        assertThat(other.send("PUT", schedule() + "-own", own).statusCode()).isEqualTo(201);
        assertThat(other.send("DELETE", schedule() + "-own", null).statusCode()).isEqualTo(200);
    }

    /** An id is no right: a cycle in a partition of the caller's own writes nothing under the query of another queue. */
    @Test
    void query_ofAForeignQueue_takesNoCycleOfAnother() {
        TokenClient other = TokenClient.restricted("other-*");
        String own = other.push("other-" + queue).path("[0].partition_id");
        String query = admin.get("/api/v1/streams/query-" + queue).path("queryId");
        String ids = "{\"query_id\":\"" + query + "\",\"partition_id\":\"" + own + "\"";
        Response answer = other.post(
                "/streams/v1/cycle",
                ids
                        + ",\"state_ops\":[{\"type\":\"upsert\",\"key\":\"k\",\"value\":1}],\"push_items\":[{\"queue\":\"other-"
                        + queue + "\",\"payload\":1}]}");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.<Boolean>path("success")).isFalse();
        assertThat(answer.<String>path("error")).isEqualTo("Partition is not of the source queue of the query");
        assertThat(answer.asString()).doesNotContain("\"" + queue);
        assertThat(admin.post("/streams/v1/state/get", ids + "}").<List<?>>path("rows"))
                .isEmpty();
        assertThat(admin.get("/api/v1/streams/query-" + queue).<List<?>>path("partitions"))
                .isEmpty();
        String foreign = ids.replace(own, partition) + "}";
        assertThat(other.post("/streams/v1/cycle", foreign).statusCode()).isEqualTo(403);
        assertThat(other.post("/streams/v1/state/get", foreign).statusCode()).isEqualTo(403);
    }

    private String filled(String text) {
        return text.replace("$queue", queue)
                .replace("$partition", String.valueOf(partition))
                .replace("$transaction", transaction);
    }

    @Test
    void routes_ofTheDocument_haveTheirRightInTheTable() {
        assertThat(operations())
                .hasSizeGreaterThan(60)
                .allMatch(operation -> table.levels().containsKey(operation.name()));
        assertThat(operations().stream()
                        .filter(operation -> table.needOfRoute(operation.name()).right() == null)
                        .map(Operation::name))
                .containsExactlyInAnyOrderElementsOf(PUBLIC);
    }

    /** Otherwise the walks below prove nothing. */
    @Test
    void routes_askedByATokenOfAllQueues_showTheQueue() {
        List<String> shown = operations().stream()
                .filter(operation -> operation.method.equals("GET") && !PUBLIC.contains(operation.name()))
                .filter(operation -> ask(admin, operation, true).asString().contains(queue))
                .map(Operation::path)
                .toList();
        assertThat(shown)
                .contains("/api/v1/resources/queues", "/api/v1/resources/namespaces", "/api/v1/resources/tasks")
                .contains("/api/v1/resources/partitions", "/api/v1/messages", "/api/v1/dlq", "/api/v1/pauses")
                .contains("/api/v1/traces/names", "/api/v1/traces/by-name/{traceName}", "/api/v1/consumer-groups")
                .contains("/api/v1/consumer-groups/lagging", "/api/v1/consumer-groups/{group}")
                .contains("/api/v1/schedules", "/api/v1/schedules/{name}")
                .contains("/api/v1/status", "/api/v1/status/queues", "/api/v1/analytics/queue-lag")
                .contains("/api/v1/analytics/queue-ops", "/api/v1/analytics/queue-parked-replicas");
    }

    @Test
    void routes_askedByATokenOfOtherQueues_showAndChangeNothing() {
        walk(TokenClient.restricted("other-" + queue, "other-*"));
    }

    @Test
    void routes_askedByATokenOfNoQueue_areRefused() {
        TokenClient nothing = TokenClient.restricted();
        SoftAssertions softly = new SoftAssertions();
        for (Operation operation : operations()) {
            if (!PUBLIC.contains(operation.name())) {
                softly.assertThat(ask(nothing, operation, false).statusCode())
                        .as(operation.name())
                        .isEqualTo(403);
            }
        }
        softly.assertAll();
    }

    private void walk(TokenClient caller) {
        String before = state();
        SoftAssertions softly = new SoftAssertions();
        for (Operation operation : operations()) {
            if (!PUBLIC.contains(operation.name())) {
                judge(softly, operation, ask(caller, operation, false));
                judge(softly, operation, ask(caller, operation, true));
            }
        }
        softly.assertAll();
        assertThat(state()).isEqualTo(before);
    }

    private void judge(SoftAssertions softly, Operation operation, Response answer) {
        boolean named = operation.path.contains("{queue}") || operation.path.contains("{partitionId}");
        if (answer.statusCode() == 403) {
            softly.assertThat(answer.<String>path("code")).as(operation.name()).isEqualTo("QUEUE_FORBIDDEN");
        } else if (named) {
            softly.fail(operation.name() + " is " + answer.statusCode());
        } else if (answer.statusCode() < 400) {
            String text = answer.asString()
                    .replace("\"consumerGroup\":\"group-" + queue + "\"", "")
                    .replace("\"other-" + queue + "\"", ""); // of the caller's own token
            softly.assertThat(text).as(operation.name()).doesNotContain(queue, partition);
        } else {
            softly.assertThat(answer.statusCode())
                    .as(operation.name() + ": " + answer.asString())
                    .isEqualTo(404);
            softly.assertThat(answer.asString()).doesNotContain("payload-", partition);
        }
    }

    private Response ask(TokenClient caller, Operation operation, boolean withoutQuery) {
        String path = operation
                .path
                .replace("{queue}", queue)
                .replace("{partitionId}", partition)
                .replace("{transactionId}", transaction)
                .replace("{partition}", "Default")
                .replace("{group}", "group-" + queue)
                .replace("{traceName}", "trace-" + queue)
                .replace("schedules/{name}", "schedules/schedule-" + queue)
                .replace("streams/{name}", "streams/query-" + queue)
                .replace("{leaseId}", NO_LEASE);
        List<String> query = new ArrayList<>();
        if (operation.query.contains("queue") && !withoutQuery) {
            query.add("queue=" + queue);
        } else if (operation.query.contains("namespace") && !withoutQuery) {
            query.add("namespace=ns-" + queue);
        }
        if (operation.query.contains("minLagSeconds")) {
            query.add("minLagSeconds=0");
        }
        if (operation.path.equals("/api/v1/pop") && withoutQuery) {
            query.add("namespace=ns-" + queue);
        }
        if (Set.of("DELETE /api/v1/dlq", "POST /api/v1/dlq/redrive").contains(operation.name()) && query.isEmpty()) {
            query.add("queue=" + queue);
        }
        String body = BODIES.getOrDefault(operation.name(), MORE_BODIES.get(operation.name()));
        return caller.send(
                operation.method,
                path + (query.isEmpty() ? "" : "?" + String.join("&", query)),
                body == null ? null : filled(body));
    }

    /** All that there is of the queue. */
    private String state() {
        try (Sql sql = Sql.open()) {
            return sql.text(
                    """
                    select jsonb_build_object(
                        'queue', (select to_jsonb(q) from queen.queues q where q.name = ?),
                        'partitions', (select jsonb_agg(to_jsonb(p)) from queen.partitions p where p.id = ?::uuid),
                        'messages', (select jsonb_agg(to_jsonb(m) order by m.seq) from queen.messages m where m.partition_id = ?::uuid),
                        'cursors', (select jsonb_agg(to_jsonb(c) order by c.consumer_group)
                                    from queen.partition_consumers c where c.partition_id = ?::uuid),
                        'letters', (select jsonb_agg(to_jsonb(d)) from queen.dead_letters d where d.partition_id = ?::uuid),
                        'redriven', (select count(*) from queen.redriven r where r.partition_id = ?::uuid),
                        'traces', (select count(*) from queen.traces t where t.partition_id = ?::uuid),
                        'subscriptions', (select jsonb_agg(to_jsonb(s)) from queen.subscriptions s where s.queue_name = ?),
                        'schedules', (select jsonb_agg(to_jsonb(s)) from queen.schedules s where s.queue_name = ?),
                        'pauses', (select jsonb_agg(to_jsonb(z)) from queen.pauses z
                                   join queen.queues q on q.id = z.queue_id where q.name = ?))::text
                    """, queue, partition, partition, partition, partition, partition, partition, queue, queue, queue);
        }
    }

    private static List<Operation> operations() {
        JsonObject document = new JsonObject(
                given().queryParam("format", "JSON").get("/q/openapi").asString());
        JsonObject shared = document.getJsonObject("components").getJsonObject("parameters");
        List<Operation> found = new ArrayList<>();
        for (Map.Entry<String, Object> path : document.getJsonObject("paths")) {
            for (Map.Entry<String, Object> method : (JsonObject) path.getValue()) {
                JsonObject operation = (JsonObject) method.getValue();
                List<String> query = operation.getJsonArray("parameters", new io.vertx.core.json.JsonArray()).stream()
                        .map(JsonObject.class::cast)
                        .map(each -> each.containsKey("$ref")
                                ? shared.getJsonObject(each.getString("$ref").replaceAll(".*/", ""))
                                : each)
                        .filter(each -> each.getString("in").equals("query"))
                        .map(each -> each.getString("name"))
                        .toList();
                found.add(new Operation(method.getKey().toUpperCase(Locale.ROOT), path.getKey(), query));
            }
        }
        return found;
    }
}
