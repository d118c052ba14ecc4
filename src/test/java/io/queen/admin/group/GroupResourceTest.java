package io.queen.admin.group;

import static io.queen.testing.Groups.delete;
import static io.queen.testing.Groups.drain;
import static io.queen.testing.Pops.data;
import static io.queen.testing.Pops.pop;
import static io.queen.testing.Pops.push;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Client;
import io.queen.testing.Pops;
import io.queen.testing.Sql;
import io.restassured.path.json.JsonPath;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

@QuarkusTest
class GroupResourceTest {
    private final String queue = Pops.queue();
    private final String group = "g-" + UUID.randomUUID();

    private Map<String, Object> listed() {
        List<Map<String, Object>> mine = given().get("/api/v1/consumer-groups")
                .then()
                .statusCode(200)
                .extract()
                .jsonPath()
                .getList("findAll { it.name == '" + group + "' }");
        assertThat(mine).hasSize(1);
        return mine.get(0);
    }

    private JsonPath described() {
        return given().get("/api/v1/consumer-groups/" + group)
                .then()
                .statusCode(200)
                .extract()
                .jsonPath();
    }

    @Test
    void list_groupBehind_tellsItsLag() {
        push(queue, "a", 1, 2, 3);
        push(queue, "b", 4);
        assertThat(data(Pops.popPartition(queue, "a", "consumerGroup", group, "autoAck", true)))
                .containsExactly(1);
        assertThat(listed())
                .containsEntry("topics", List.of(queue))
                .containsEntry("queueName", queue)
                .containsEntry("queue", queue)
                .containsEntry("members", 1)
                .containsEntry("partitions", 2)
                .containsEntry("partitionsWithLag", 2)
                .containsEntry("totalLag", null)
                .containsEntry("lagMessages", 3)
                .containsEntry("state", "Stable")
                .containsEntry("subscriptionMode", null)
                .containsKeys("maxTimeLag", "lagSeconds", "subscriptionTimestamp", "subscriptionCreatedAt");
    }

    @Test
    void list_groupUpToDate_hasNoLag() {
        push(queue, "a", 1, 2);
        drain(queue, group);
        assertThat(listed())
                .containsEntry("partitionsWithLag", 0)
                .containsEntry("lagMessages", 0)
                .containsEntry("maxTimeLag", 0);
    }

    @Test
    void list_newGroup_countsNothingOfBeforeItsSubscription() {
        push(queue, "a", 1, 2);
        assertThat(pop(queue, "consumerGroup", group, "subscriptionMode", "new").statusCode())
                .isEqualTo(204);
        assertThat(listed())
                .containsEntry("lagMessages", 0)
                .containsEntry("state", "Dead")
                .containsEntry("subscriptionMode", "new");
        push(queue, "b", 3);
        assertThat(listed()).containsEntry("lagMessages", 1).containsEntry("partitionsWithLag", 1);
    }

    @Test
    void list_oldUnreadMessage_isLagging() {
        push(queue, "a", 1, 2);
        assertThat(data(pop(queue, "consumerGroup", group, "autoAck", true))).containsExactly(1);
        age();
        Map<String, Object> listed = listed();
        assertThat(listed).containsEntry("state", "Lagging");
        assertThat((Integer) listed.get("maxTimeLag")).isBetween(7200, 7200 + 600);
        assertThat(listed.get("lagSeconds")).isEqualTo(listed.get("maxTimeLag"));
    }

    @Test
    void list_paged_isStableAndWhole() {
        push(queue, "p", 1);
        drain(queue, group + "-1");
        drain(queue, group + "-2");
        List<String> all = names(10_000, 0);
        int first = all.indexOf(group + "-1 " + queue);
        assertThat(all).isSorted();
        assertThat(names(1, first)).containsExactly(group + "-1 " + queue);
        assertThat(names(1, first + 1)).containsExactly(group + "-2 " + queue);
    }

    private static List<String> names(int limit, int offset) {
        return given().queryParam("limit", limit)
                .queryParam("offset", offset)
                .get("/api/v1/consumer-groups")
                .jsonPath()
                .getList("collect { it.name + ' ' + it.queueName }");
    }

    @Test
    void describe_group_tellsEachPartition() {
        push(queue, "a", 1, 2, 3);
        push(queue, "b", 4);
        assertThat(data(Pops.popPartition(queue, "a", "consumerGroup", group, "batch", 2)))
                .containsExactly(1, 2);
        JsonPath answer = described().setRootPath("'" + queue + "'");
        assertThat(answer.getInt("total")).isEqualTo(2);
        assertThat(answer.getList("partitions.partition")).containsExactly("a", "b");
        assertThat(answer.getList("partitions.offsetLag")).containsExactly(3, 1);
        assertThat(answer.getList("partitions.leaseActive")).containsExactly(true, false);
        assertThat(answer.getList("partitions.totalConsumed")).containsExactly(0, 0);
        assertThat(answer.getMap("partitions[0]")).containsKeys("workerId", "lastConsumedAt", "timeLagSeconds");
    }

    @Test
    void describe_paged_countsPartitionsOverAllQueues() {
        push(queue, "a", 1);
        push(queue, "b", 2);
        push(queue + "z", "c", 3);
        drain(queue, group);
        drain(queue + "z", group);
        JsonPath page = given().queryParam("limit", 2)
                .queryParam("offset", 1)
                .get("/api/v1/consumer-groups/" + group)
                .jsonPath();
        assertThat(page.getList("'" + queue + "'.partitions.partition")).containsExactly("b");
        assertThat(page.getList("'" + queue + "z'.partitions.partition")).containsExactly("c");
        assertThat(page.getInt("'" + queue + "'.total")).isEqualTo(2);
    }

    @Test
    void describe_unknown_isEmpty() {
        given().get("/api/v1/consumer-groups/" + group).then().statusCode(200).body("size()", equalTo(0));
    }

    @Test
    void lagging_oldestUnread_isToldWorstFirst() {
        push(queue, "a", 1, 2);
        push(queue, "b", 3);
        assertThat(data(pop(queue, "consumerGroup", group, "autoAck", true))).hasSize(1);
        age();
        String mine = "findAll { it.consumer_group == '" + group + "' }";
        JsonPath lagging = given().queryParam("minLagSeconds", 3600)
                .get("/api/v1/consumer-groups/lagging")
                .then()
                .statusCode(200)
                .extract()
                .jsonPath();
        assertThat(lagging.getList(mine + ".queue_name")).containsOnly(queue).isNotEmpty();
        assertThat(lagging.getList(mine + ".time_lag_seconds", Integer.class))
                .allMatch(seconds -> seconds >= 7200 && seconds < 7800);
        assertThat(lagging.getList("time_lag_seconds", Integer.class)).isSortedAccordingTo((x, y) -> y - x);
        assertThat(given().queryParam("minLagSeconds", 72_000)
                        .get("/api/v1/consumer-groups/lagging")
                        .jsonPath()
                        .getList(mine))
                .isEmpty();
    }

    /** Makes the queue's messages two hours older. */
    private void age() {
        try (Sql sql = Sql.open()) {
            sql.run(
                    "update queen.messages m set created_at = m.created_at - interval '2 hours' from queen.partitions p"
                            + " join queen.queues q on q.id = p.queue_id where p.id = m.partition_id and q.name = ?",
                    queue);
            sql.run(
                    "update queen.partitions p set last_push_at = last_push_at - interval '2 hours' from queen.queues q"
                            + " where q.id = p.queue_id and q.name = ?",
                    queue);
        }
    }

    @Test
    void delete_inAllQueues_startsAnew() {
        push(queue, "a", 1);
        push(queue, "b", 2);
        assertThat(drain(queue, group)).hasSize(2);
        delete(group)
                .statusCode(200)
                .body("success", equalTo(true))
                .body("consumerGroup", equalTo(group))
                .body("deletedPartitions", equalTo(2))
                .body("metadataDeleted", equalTo(false));
        assertThat(drain(queue, group)).containsExactlyInAnyOrder(1, 2);
    }

    @Test
    void delete_withMetadata_forgetsTheSubscription() {
        push(queue, "p", 1);
        assertThat(pop(queue, "consumerGroup", group, "subscriptionMode", "new").statusCode())
                .isEqualTo(204);
        delete(group + "/queues/" + queue, "deleteMetadata", true)
                .statusCode(200)
                .body("queueName", equalTo(queue))
                .body("metadataDeleted", equalTo(true));
        push(queue, "p", 2);
        assertThat(drain(queue, group)).containsExactly(1, 2);
    }

    @Test
    void delete_withoutMetadata_keepsTheSubscription() {
        push(queue, "p", 1);
        assertThat(pop(queue, "consumerGroup", group, "subscriptionMode", "new").statusCode())
                .isEqualTo(204);
        push(queue, "p", 2);
        assertThat(drain(queue, group)).containsExactly(2);
        delete(group + "/queues/" + queue, "deleteMetadata", false)
                .statusCode(200)
                .body("deletedPartitions", equalTo(1))
                .body("metadataDeleted", equalTo(false));
        assertThat(drain(queue, group)).containsExactly(2);
    }

    @Test
    void delete_inOneQueue_leavesTheOthers() {
        push(queue, "p", 1);
        push(queue + "-other", "p", 2);
        drain(queue, group);
        drain(queue + "-other", group);
        delete(group + "/queues/" + queue).statusCode(200).body("deletedPartitions", equalTo(1));
        assertThat(drain(queue, group)).containsExactly(1);
        assertThat(drain(queue + "-other", group)).isEmpty();
    }

    @Test
    void delete_leased_refusesTheAcksOfItsLease() {
        push(queue, "p", 1);
        var held = pop(queue, "consumerGroup", group);
        delete(group).statusCode(200).body("deletedPartitions", equalTo(1));
        assertThat(data(pop(queue, "consumerGroup", group))).containsExactly(1);
        String ack = "{\"transactionId\":\"t1\",\"consumerGroup\":\"%s\",\"partitionId\":\"%s\",\"leaseId\":\"%s\"}"
                .formatted(
                        group,
                        held.jsonPath().getString("partitionId"),
                        held.jsonPath().getString("leaseId"));
        Client.post("/api/v1/ack", ack).statusCode(200).body("[0].success", equalTo(false));
    }

    @Test
    void delete_unknown_isNoError() {
        delete(group).statusCode(200).body("deletedPartitions", equalTo(0)).body("metadataDeleted", equalTo(false));
        delete(group + "/queues/" + queue).statusCode(200).body("deletedPartitions", equalTo(0));
    }

    @Test
    void subscription_changed_countsInPartitionsWithoutACursor() {
        assertThat(pop(queue, "consumerGroup", group, "subscriptionMode", "new").statusCode())
                .isEqualTo(204);
        push(queue, "p", 1);
        changeSubscription("2100-01-01T00:00:00Z");
        assertThat(drain(queue, group)).isEmpty();
        changeSubscription("2020-01-01T00:00:00Z");
        assertThat(drain(queue, group)).isEmpty();
        push(queue, "other", 2);
        assertThat(drain(queue, group)).containsExactly(2);
    }

    private void changeSubscription(String time) {
        String body = "{\"subscriptionTimestamp\":\"" + time + "\"}";
        Client.post("/api/v1/consumer-groups/" + group + "/subscription", body)
                .statusCode(200)
                .body("success", equalTo(true))
                .body("newTimestamp", equalTo(time))
                .body("rowsUpdated", equalTo(1));
    }

    @Test
    void subscription_badBody_is400() {
        String path = "/api/v1/consumer-groups/" + group + "/subscription";
        Client.post(path, "{}").statusCode(400).body("field", equalTo("subscriptionTimestamp"));
        Client.post(path, "{\"subscriptionTimestamp\":\"x\"}").statusCode(400).body("code", equalTo("INVALID_FIELD"));
        Client.post(path, "{\"subscriptionTimestamp\":\"2020-01-01\"}").body("rowsUpdated", equalTo(0));
    }

    @Test
    void names_tooLong_are400() {
        given().get("/api/v1/consumer-groups/" + "n".repeat(256))
                .then()
                .statusCode(400)
                .body("field", equalTo("group"));
        delete(group + "/queues/" + "n".repeat(256)).statusCode(400).body("field", equalTo("queue"));
    }

    @Test
    void statsRefresh_always_hasNothingToDo() {
        given().post("/api/v1/stats/refresh")
                .then()
                .statusCode(200)
                .body("queue.queuesUpdated", equalTo(0))
                .body("cleanup.orphanedDeleted", equalTo(0))
                .body("error", nullValue());
    }
}
