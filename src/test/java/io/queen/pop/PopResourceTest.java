package io.queen.pop;

import static io.queen.testing.Pops.data;
import static io.queen.testing.Pops.pop;
import static io.queen.testing.Pops.popPartition;
import static io.queen.testing.Pops.push;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Pops;
import io.queen.testing.Sql;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class PopResourceTest {
    private final String queue = Pops.queue();

    @Test
    void pop_message_carriesAllFieldsOfTheContract() {
        String trace = UUID.randomUUID().toString();
        given().contentType("application/json")
                .body("""
                        {"items": [{"queue": "%s", "partition": "p7", "transactionId": "inv-17", "traceId": "%s",
                        "payload": {"b": 1.50, "a":  "\\u00e9"}}]}""".formatted(queue, trace))
                .post("/api/v1/push");
        Response response = popPartition(queue, "p7", "consumerGroup", "billing");
        JsonObject answer = new JsonObject(response.asString());
        JsonObject message = answer.getJsonArray("messages").getJsonObject(0);
        assertThat(response.contentType()).startsWith("application/json");
        assertThat(answer.getBoolean("success")).isTrue();
        assertThat(answer.getInteger("partitionsClaimed")).isEqualTo(1);
        for (JsonObject each : List.of(answer, message)) {
            assertThat(each.getString("queue")).isEqualTo(queue);
            assertThat(each.getString("partition")).isEqualTo("p7");
            assertThat(each.getString("consumerGroup")).isEqualTo("billing");
            assertThat(each.getString("leaseId")).hasSize(36).isEqualTo(answer.getString("leaseId"));
            assertThat(each.getString("partitionId")).hasSize(36).isEqualTo(answer.getString("partitionId"));
        }
        assertThat(message.getString("id").charAt(14)).isEqualTo('7');
        assertThat(message.getString("transactionId")).isEqualTo("inv-17");
        assertThat(message.getString("traceId")).isEqualTo(trace);
        assertThat(message.getInteger("retryCount")).isZero();
        assertThat(message.fieldNames()).contains("producerSub");
        assertThat(message.getValue("producerSub")).isNull();
        assertThat(message.getString("createdAt")).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
        assertThat(response.asString()).contains("\"data\":{\"b\": 1.50, \"a\":  \"\\u00e9\"}");
    }

    @Test
    void pop_nothingGiven_isOneMessageWithoutGroup() {
        push(queue, "p", 1, 2);
        Response response = pop(queue);
        assertThat(data(response)).containsExactly(1);
        response.then().body("consumerGroup", equalTo("__QUEUE_MODE__"));
    }

    @Test
    void pop_unknownQueue_isEmptyAndDoesNotCreateIt() {
        assertEmpty(pop(queue));
        assertEmpty(popPartition(queue, "p"));
        assertEmpty(pop(queue, "consumerGroup", "g", "subscriptionMode", "new"));
    }

    @Test
    void pop_everyEmptyOutcome_is204WithoutBody() {
        push(queue, "held", 1);
        pop(queue);
        assertEmpty(pop(queue));
        assertEmpty(popPartition(queue, "held"));
        assertEmpty(popPartition(queue, "unknown"));
        assertEmpty(pop(queue, "wait", true, "timeout", 50));
    }

    private static void assertEmpty(Response response) {
        response.then().statusCode(204);
        assertThat(response.asString()).isEmpty();
    }

    @Test
    void pop_partition_isFirstInFirstOut() {
        push(queue, "p", 1, 2, 3);
        push(queue, "p", 4);
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            Response response = popPartition(queue, "p", "batch", 2);
            all.addAll(data(response));
            Pops.ack(response, "completed");
        }
        assertThat(all).containsExactly(1, 2, 3, 4);
    }

    @Test
    void pop_queue_servesEveryPartitionBeforeOneTwice() {
        for (int p = 0; p < 5; p++) {
            push(queue, "p" + p, 1, 2);
        }
        for (int turn = 1; turn <= 2; turn++) {
            Set<String> served = new HashSet<>();
            for (int p = 0; p < 5; p++) {
                Response response = pop(queue, "autoAck", true);
                assertThat(data(response)).containsExactly(turn);
                served.add(response.jsonPath().getString("partition"));
            }
            assertThat(served).hasSize(5);
        }
        assertEmpty(pop(queue));
    }

    @Test
    void pop_threePartitions_areClaimedUnderOneLease() {
        for (int p = 0; p < 3; p++) {
            push(queue, "p" + p, 1, 2);
        }
        Response response = pop(queue, "partitions", 3, "batch", 100);
        assertThat(data(response)).containsExactly(1, 2, 1, 2, 1, 2);
        assertThat(new HashSet<>(response.jsonPath().getList("messages.partitionId")))
                .hasSize(3);
        assertThat(new HashSet<>(response.jsonPath().getList("messages.leaseId")))
                .hasSize(1);
        response.then().body("partitionsClaimed", equalTo(3));
        Pops.ack(response, "completed");
        assertEmpty(pop(queue, "partitions", 3, "batch", 100));
    }

    @Test
    void pop_fivePartitionsAndASmallBatch_areExactlyTheBatch() {
        for (int p = 0; p < 5; p++) {
            push(queue, "p" + p, java.util.stream.IntStream.range(0, 100).toArray());
        }
        assertThat(data(pop(queue, "partitions", 5, "batch", 10))).hasSize(10);
    }

    @Test
    void pop_partitionsAbsent_isOnePartition() {
        push(queue, "a", 1, 2);
        push(queue, "b", 1, 2);
        Response response = pop(queue, "batch", 100);
        assertThat(data(response)).containsExactly(1, 2);
        response.then().body("partitionsClaimed", equalTo(1));
    }

    @Test
    void pop_partitionsConsumedElsewhere_doNotUseUpTheBudget() {
        for (int p = 0; p < 6; p++) {
            push(queue, "p" + p, 1);
        }
        for (int p = 0; p < 3; p++) {
            assertThat(data(popPartition(queue, "p" + p, "autoAck", true))).containsExactly(1);
        }
        assertThat(data(pop(queue, "partitions", 3, "batch", 100))).hasSize(3);
    }

    @Test
    void autoAck_severalPartitions_hasNoLeaseAndIsConsumed() {
        push(queue, "a", 1, 2);
        push(queue, "b", 1, 2);
        Response response = pop(queue, "autoAck", true, "partitions", 2, "batch", 3, "consumerGroup", "g");
        assertThat(data(response)).containsExactly(1, 2, 1);
        assertThat(response.jsonPath().getString("leaseId")).isEmpty();
        assertThat(response.jsonPath().getList("messages.leaseId", String.class))
                .containsOnly("");
        assertThat(data(pop(queue, "autoAck", 1, "batch", 9, "consumerGroup", "g")))
                .containsExactly(2);
        assertEmpty(pop(queue, "batch", 9, "consumerGroup", "g"));
        assertThat(data(popPartition(queue, "a", "batch", 9))).containsExactly(1, 2);
    }

    @Test
    void groups_severalOnOneQueue_areIndependent() {
        push(queue, "p", 1, 2);
        assertThat(data(pop(queue, "consumerGroup", "a"))).containsExactly(1);
        Response b = pop(queue, "consumerGroup", "b", "batch", 2);
        assertThat(data(b)).containsExactly(1, 2);
        assertThat(data(pop(queue))).containsExactly(1);
        assertEmpty(pop(queue, "consumerGroup", "a"));
        Pops.ack(b, "completed");
        assertEmpty(pop(queue, "consumerGroup", "b"));
    }

    @Test
    void partition_queueDeletedAndCreatedAgain_isFoundAtOnce() {
        push(queue, "p", 1);
        assertThat(data(popPartition(queue, "p"))).containsExactly(1);
        given().pathParam("q", queue)
                .delete("/api/v1/resources/queues/{q}")
                .then()
                .statusCode(200);
        push(queue, "p", 2);
        assertThat(data(popPartition(queue, "p"))).containsExactly(2);
        push(queue, "other", 3);
        assertThat(data(pop(queue))).containsExactly(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a/b", "ä€😀", "a+b", "50%", "a?b&c=d", "..", "*", "'; drop"})
    void names_specialCharacters_areNames(String name) {
        String special = name + queue;
        push(special, name, 1, 2);
        assertThat(data(popPartition(special, name, "consumerGroup", name))).containsExactly(1);
        assertThat(data(pop(special, "consumerGroup", "other" + name))).containsExactly(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"subscriptionFrom=yesterday", "subscriptionFrom=5w", "consumerGroup=%00"})
    void query_badValue_is400(String query) {
        given().urlEncodingEnabled(false)
                .get("/api/v1/pop/queue/" + queue + "?" + query)
                .then()
                .statusCode(400)
                .contentType("application/json")
                .body("code", equalTo("INVALID_FIELD"))
                .body("error", containsString(query.substring(0, query.indexOf('='))));
    }

    @Test
    void names_tooLong_are400() {
        pop("q".repeat(256)).then().statusCode(400);
        popPartition(queue, "p".repeat(256)).then().statusCode(400);
        pop(queue, "consumerGroup", "g".repeat(256)).then().statusCode(400);
    }

    @Test
    void query_numberBelowItsRangeAndUnknownName_popsOne() {
        push(queue, "p", 1, 2, 3);
        assertThat(data(pop(queue, "batch", -4, "autoAck", true, "unknown", "1")))
                .containsExactly(1);
    }

    @Test
    void namespace_queuesMatch_higherPriorityComesFirst() {
        String namespace = "ns-" + UUID.randomUUID();
        Pops.configure(queue + "low", namespace, "mail", Map.of("priority", 1));
        Pops.configure(queue + "high", namespace, "print", Map.of("priority", 9));
        push(queue + "low", "p", 1);
        push(queue + "high", "p", 2);
        push(queue + "high", "r", 2);
        assertThat(data(matching("namespace", namespace))).containsExactly(2);
        assertThat(data(matching("namespace", namespace))).containsExactly(2);
        Response last = matching("namespace", namespace);
        assertThat(data(last)).containsExactly(1);
        last.then().body("queue", equalTo(queue + "low")).body("messages[0].queue", equalTo(queue + "low"));
        assertThat(matching("namespace", namespace).statusCode()).isEqualTo(204);
    }

    @Test
    void namespace_andTask_bothMustMatch() {
        String namespace = "ns-" + UUID.randomUUID();
        Pops.configure(queue, namespace, "mail", Map.of());
        push(queue, "p", 1);
        assertThat(matching("namespace", namespace, "task", "print").statusCode())
                .isEqualTo(204);
        assertThat(matching("namespace", namespace.substring(1)).statusCode()).isEqualTo(204);
        assertThat(data(matching("namespace", namespace, "task", "mail"))).containsExactly(1);
    }

    @Test
    void namespace_modeNew_skipsHistory() {
        String namespace = "ns-" + UUID.randomUUID();
        Pops.configure(queue, namespace, "", Map.of());
        push(queue, "p", 1);
        assertThat(matching("namespace", namespace, "consumerGroup", "g", "subscriptionMode", "new")
                        .statusCode())
                .isEqualTo(204);
        push(queue, "p", 2);
        assertThat(data(matching("namespace", namespace, "consumerGroup", "g"))).containsExactly(2);
    }

    @Test
    void parameters_queueAndPartition_nameThem() {
        push(queue, "p", 1);
        push(queue, "r", 2);
        assertThat(data(matching("queue", queue, "partition", "r"))).containsExactly(2);
        assertThat(data(matching("queue", queue))).containsExactly(1);
    }

    @Test
    void parameters_none_is400() {
        matching().then().statusCode(400).body("code", equalTo("MISSING_FIELD"));
    }

    private static Response matching(Object... query) {
        return given().queryParams(Pops.query(query)).get("/api/v1/pop");
    }

    /** What a server remembers of partitions that others emptied must not hide the one that has something. */
    @Test
    void pop_manyPartitionsEmptiedElsewhere_findsTheOneWithAMessage() {
        push(queue, "first", 0);
        assertThat(data(pop(queue, "autoAck", true))).containsExactly(0);
        for (int i = 1; i <= 40; i++) {
            push(queue, "p" + i, i);
        }
        try (Sql sql = Sql.open()) {
            sql.run(
                    "insert into queen.partition_consumers (partition_id, consumer_group, cursor)"
                            + " select p.id, '__QUEUE_MODE__', p.head from queen.partitions p"
                            + " join queen.queues q on q.id = p.queue_id where q.name = ? and p.name like 'p%'",
                    queue);
        }
        push(queue, "last", 41);
        assertThat(data(pop(queue, "autoAck", true))).containsExactly(41);
        assertThat(pop(queue, "autoAck", true).statusCode()).isEqualTo(204);
    }
}
