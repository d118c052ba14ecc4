package io.queen.admin.queue;

import static io.queen.testing.Pops.pop;
import static io.queen.testing.Pops.push;
import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.lessThan;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.Pops;
import io.queen.testing.Sql;
import io.restassured.response.ValidatableResponse;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@QuarkusTest
class ScalingTest {
    private final String queue = Pops.queue();

    @AutoClose
    private final Sql sql = Sql.open();

    private ValidatableResponse lag(String group) {
        return given().queryParam("consumerGroup", group)
                .get("/api/v1/scaling/queues/" + queue)
                .then()
                .statusCode(200)
                .contentType("application/json")
                .body("queue", equalTo(queue));
    }

    private void expect(String group, int messages, int partitions) {
        lag(group)
                .body("consumerGroup", equalTo(group))
                .body("lagMessages", equalTo(messages))
                .body("lagPartitions", equalTo(partitions));
    }

    @Test
    void lag_unknownQueue_isNone() {
        expect("g", 0, 0);
        lag("g").body("lagSeconds", equalTo(0));
    }

    @Test
    void lag_unseenGroup_isTheWholeQueue() {
        push(queue, "a", 1, 2, 3);
        push(queue, "b", 4);
        expect("g", 4, 2);
    }

    @Test
    void lag_leased_staysUntilAcknowledged() {
        push(queue, "a", 1, 2, 3);
        pop(queue, "consumerGroup", "g", "batch", 2);
        expect("g", 3, 1);
        pop(queue, "consumerGroup", "h", "batch", 2, "autoAck", true);
        expect("h", 1, 1);
        pop(queue, "consumerGroup", "h", "batch", 2, "autoAck", true);
        expect("h", 0, 0);
    }

    @Test
    void lag_groupThatStartsNew_leavesOutWhatWasThere() {
        push(queue, "a", 1);
        push(queue, "b", 2);
        pop(queue, "consumerGroup", "n", "subscriptionMode", "new");
        expect("n", 0, 0);
        push(queue, "b", 3);
        push(queue, "later", 4);
        expect("n", 2, 2);
    }

    @Test
    void lag_noGroup_isQueueMode() {
        push(queue, "a", 1);
        given().get("/api/v1/scaling/queues/" + queue)
                .then()
                .body("consumerGroup", equalTo("__QUEUE_MODE__"))
                .body("lagMessages", equalTo(1));
    }

    @Test
    void lag_oldMessage_tellsItsAge() {
        push(queue, "a", 1);
        sql.run(
                "update queen.messages set created_at = now() - interval '1 hour' where partition_id = ?",
                new Partitions(sql).id(queue, "a"));
        push(queue, "a", 2);
        lag("g").body("lagSeconds", allOf(greaterThanOrEqualTo(3600), lessThan(7200)));
    }

    @Test
    void lag_removedMessages_doNotCount() {
        push(queue, "a", 1, 2, 3);
        sql.run("update queen.partitions set tail = 2 where id = ?", new Partitions(sql).id(queue, "a"));
        expect("g", 1, 1);
    }

    @Test
    void lag_nameTooLong_is400WithTheField() {
        given().get("/api/v1/scaling/queues/" + "n".repeat(256))
                .then()
                .statusCode(400)
                .body("field", equalTo("queue"));
        given().queryParam("consumerGroup", "g".repeat(256))
                .get("/api/v1/scaling/queues/" + queue)
                .then()
                .statusCode(400)
                .body("field", equalTo("consumerGroup"));
    }

    @Test
    void openApi_always_describesIt() {
        given().queryParam("format", "JSON")
                .get("/q/openapi")
                .then()
                .body("paths", hasKey("/api/v1/scaling/queues/{queue}"))
                .body("components.schemas.QueueLag.properties", hasKey("lagMessages"));
    }
}
