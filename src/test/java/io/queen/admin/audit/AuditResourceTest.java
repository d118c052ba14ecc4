package io.queen.admin.audit;

import static io.queen.testing.Client.post;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.Pops;
import io.queen.testing.Sql;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
class AuditResourceTest {
    private final String queue = Partitions.name("audited");
    private final String group = Partitions.name("group");

    @Test
    void acts_ofAQueue_leaveOneEntryEach() {
        Pops.configure(queue, Map.of("leaseTime", 60));
        Pops.push(queue, "p", 1, 2);
        Pops.pop(queue, "consumerGroup", group);
        UUID partition = partition();
        String ofGroup = "/api/v1/consumer-groups/" + group + "/queues/" + queue;
        String message = "/api/v1/messages/" + partition + "/t1";
        String dead = "/dlq?consumerGroup=" + group;
        ok(given().post(ofGroup + "/partitions/p/release"));
        ok(given().post("/api/v1/queues/" + queue + "/pause"));
        ok(given().delete("/api/v1/queues/" + queue + "/pause"));
        ok(given().post(ofGroup + "/pause"));
        ok(given().delete(ofGroup + "/pause"));
        ok(given().contentType("application/json").body("{\"toEnd\":true}").post(ofGroup + "/seek"));
        ok(given().contentType("application/json").body("{}").post(ofGroup + "/partitions/p/seek"));
        ok(given().post(message + dead));
        ok(given().post(message + "/retry"));
        ok(given().post(message + dead));
        ok(given().contentType("application/json")
                .body("{\"queue\":\"" + queue + "\"}")
                .post("/api/v1/dlq/redrive"));
        ok(given().delete("/api/v1/dlq?queue=" + queue));
        ok(given().delete(message));
        ok(given().delete(ofGroup));
        ok(given().delete("/api/v1/queues/" + queue + "/clear"));
        given().post("/api/v1/queues/" + queue + "/reencrypt").then().statusCode(409);
        ok(given().delete("/api/v1/resources/queues/" + queue));
        List<Map<String, Object>> acts = acts("queue=" + queue, 18);
        assertThat(acts)
                .extracting(act -> act.get("act") + " " + act.get("status"))
                .containsExactly(
                        "deleteQueue 200",
                        "reencryptQueue 409",
                        "clearQueue 200",
                        "deleteGroupOfQueue 200",
                        "deleteMessage 200",
                        "deleteDeadLetters 200",
                        "redriveDeadLetters 200",
                        "buryMessage 200",
                        "redriveMessage 200",
                        "buryMessage 200",
                        "seekPartition 200",
                        "seekGroup 200",
                        "resumeGroup 200",
                        "pauseGroup 200",
                        "resumeQueue 200",
                        "pauseQueue 200",
                        "releaseLease 200",
                        "configureQueue 200");
        assertThat(acts.get(1)).containsEntry("code", "CONFLICT");
        assertThat(acts.get(4))
                .as("a message by the names of its partition")
                .containsEntry("partition", "p")
                .containsEntry("transactionId", "t1");
        assertThat(acts.get(9)).containsEntry("consumerGroup", group);
        assertThat(acts.get(10)).containsEntry("partition", "p").containsEntry("consumerGroup", group);
        assertThat(acts.get(11)).containsEntry("details", "{\"toEnd\":true}");
        assertThat((String) acts.get(17).get("details")).contains("\"leaseTime\":60");
        assertThat(acts)
                .allSatisfy(act -> assertThat(act)
                        .containsEntry("address", "127.0.0.1")
                        .containsEntry("subject", null)
                        .containsKeys("id", "at", "server", "requestId"));
    }

    @Test
    void acts_ofAGroup_leaveOneEntryEach() {
        post(
                        "/api/v1/consumer-groups/" + group + "/subscription",
                        "{\"subscriptionTimestamp\":\"2026-01-01T00:00:00Z\"}")
                .statusCode(200);
        ok(given().delete("/api/v1/consumer-groups/" + group));
        await().untilAsserted(() -> assertThat(list("limit=1000").stream()
                        .filter(act -> group.equals(act.get("consumerGroup")))
                        .map(act -> act.get("act")))
                .containsExactly("deleteGroup", "changeSubscription"));
    }

    @Test
    void acts_ofMaintenance_tellWhat() {
        String id = UUID.randomUUID().toString();
        for (String path : List.of("/api/v1/system/maintenance", "/api/v1/system/maintenance/pop")) {
            ok(given().header("X-Request-Id", id)
                    .contentType("application/json")
                    .body("{\"enabled\":false}")
                    .post(path));
        }
        assertThat(byRequest(id, 2))
                .extracting(act -> act.get("act") + " " + act.get("details"))
                .containsExactly("setPopMaintenance {\"enabled\":false}", "setPushMaintenance {\"enabled\":false}");
    }

    @Test
    void acts_thatFail_leaveOneEntryWithTheReason() {
        String id = UUID.randomUUID().toString();
        String unknown = "/api/v1/queues/none-" + queue + "/clear";
        given().header("X-Request-Id", id).delete(unknown).then().statusCode(404);
        String broken = "{\"queue\":\"" + queue + "\",";
        for (String body : List.of("{}", broken, "{\"queue\":\"a\\u0000b\\ud800\"}")) {
            given().header("X-Request-Id", id)
                    .contentType("application/json")
                    .body(body)
                    .post("/api/v1/configure")
                    .then()
                    .statusCode(400);
        }
        given().header("X-Request-Id", id)
                .delete("/api/v1/messages/x/%00")
                .then()
                .statusCode(400);
        List<Map<String, Object>> acts = byRequest(id, 5);
        assertThat(acts)
                .extracting(act -> act.get("act") + " " + act.get("status") + " " + act.get("code"))
                .containsExactly(
                        "deleteMessage 400 INVALID_FIELD",
                        "configureQueue 400 INVALID_FIELD",
                        "configureQueue 400 INVALID_JSON",
                        "configureQueue 400 MISSING_FIELD",
                        "clearQueue 404 QUEUE_NOT_FOUND");
        assertThat(acts)
                .extracting(act -> act.get("queue"))
                .containsExactly(null, "a?b?", queue, null, "none-" + queue);
    }

    @Test
    void act_namesOfAnyKind_areKeptAsTheyAre() {
        String odd = queue + "\n12:00 INFO \u001b[31m\u2028\u202e\"\\ü😀";
        Pops.configure(odd, Map.of());
        ok(given().delete("/api/v1/queues/{q}/clear", odd));
        await().untilAsserted(() -> given().queryParam("queue", odd)
                .get("/api/v1/audit")
                .then()
                .statusCode(200)
                .body("acts.queue", contains(odd, odd)));
    }

    @Test
    void list_pages_areNotMovedByNewActs() {
        Pops.configure(queue, Map.of());
        for (int i = 0; i < 12; i++) {
            ok(given().post("/api/v1/queues/" + queue + "/pause"));
        }
        acts("queue=" + queue, 13);
        List<Object> ids = new ArrayList<>();
        String next = "";
        do {
            Response page = given().get("/api/v1/audit?limit=5&act=pauseQueue&queue=" + queue + "&after=" + next);
            ids.addAll(page.jsonPath().getList("acts.id"));
            next = page.jsonPath().getString("next");
            ok(given().post("/api/v1/queues/" + queue + "/pause"));
        } while (next != null);
        assertThat(ids).hasSize(12).doesNotHaveDuplicates();
        assertThat(acts("queue=" + queue, 16)).hasSize(16);
    }

    @Test
    void list_filters_areAppliedTogether() {
        Pops.configure(queue, Map.of());
        ok(given().delete("/api/v1/queues/" + queue + "/clear"));
        List<Map<String, Object>> acts = acts("queue=" + queue, 2);
        assertThat(acts("act=clearQueue&queue=" + queue, 1)).hasSize(1);
        assertThat(list("subject=alice&queue=" + queue)).isEmpty();
        Object last = acts.get(0).get("at");
        assertThat(list("from=" + last + "&queue=" + queue))
                .extracting(act -> act.get("act"))
                .contains("clearQueue");
        assertThat(list("to=" + acts.get(1).get("at") + "&queue=" + queue)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"after,x", "after,1:x", "limit,x", "from,x", "to,x"})
    void list_wrongParameter_is400(String name, String value) {
        given().queryParam(name, value)
                .get("/api/v1/audit")
                .then()
                .statusCode(400)
                .body("field", equalTo(name));
    }

    /** As many at once as do not fit into one batch. */
    @Test
    void acts_many_areAllWritten() {
        Pops.configure(queue, Map.of());
        Set<Integer> statuses = new HashSet<>();
        IntStream.range(0, 700)
                .parallel()
                .map(i -> given().post("/api/v1/queues/" + queue + "/pause").statusCode())
                .forEach(status -> {
                    synchronized (statuses) {
                        statuses.add(status);
                    }
                });
        assertThat(statuses).containsExactly(200);
        assertThat(acts("limit=1000&queue=" + queue, 701)).hasSize(701);
    }

    private static void ok(Response response) {
        response.then().statusCode(200);
    }

    /** Rows come a moment after the answers. */
    private static List<Map<String, Object>> acts(String query, int count) {
        await().until(() -> list(query).size() >= count);
        return list(query);
    }

    private static List<Map<String, Object>> byRequest(String id, int count) {
        List<Map<String, Object>> found = new ArrayList<>();
        await().until(() -> {
            found.clear();
            list("limit=1000").stream()
                    .filter(act -> id.equals(act.get("requestId")))
                    .forEach(found::add);
            return found.size() >= count;
        });
        return found;
    }

    private static List<Map<String, Object>> list(String query) {
        Response page = given().get("/api/v1/audit?" + query);
        ok(page);
        return page.jsonPath().getList("acts");
    }

    private UUID partition() {
        try (Sql sql = Sql.open()) {
            return new Partitions(sql).id(queue, "p");
        }
    }
}
