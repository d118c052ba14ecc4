package io.queen.admin.message;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.Pops;
import io.queen.testing.Sql;
import io.restassured.response.ValidatableResponse;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@QuarkusTest
class ClearResourceTest {
    @AutoClose
    private final Sql sql = Sql.open();

    private final Partitions partitions = new Partitions(sql);
    private final String queue = Partitions.name("cleared");

    @Test
    void clear_queue_leavesNothingPending() {
        partitions.push(queue, "p", 3);
        UUID partition = partitions.push(queue, "r", 2);
        Pops.ack(Pops.popPartition(queue, "r"), "dlq");
        assertThat(Pops.data(Pops.popPartition(queue, "p"))).containsExactly(1);
        clear("")
                .statusCode(200)
                .body("cleared", equalTo(true))
                .body("queue", equalTo(queue))
                .body("deleted", equalTo(5));
        given().get("/api/v1/resources/queues/" + queue)
                .then()
                .body("partitionCount", equalTo(2))
                .body("totals.total", equalTo(0))
                .body("totals.pending", equalTo(0))
                .body("totals.processing", equalTo(0))
                .body("totals.deadLetter", equalTo(0));
        assertThat(partitions.cursor(partition, "__QUEUE_MODE__")).isEqualTo(2);
        assertThat(Pops.pop(queue).statusCode()).isEqualTo(204);
    }

    @Test
    void clear_thenPush_isDeliveredAtOnce() {
        partitions.push(queue, "p", 3);
        assertThat(Pops.data(Pops.pop(queue))).containsExactly(1);
        clear("").body("deleted", equalTo(3));
        Pops.push(queue, "p", 9);
        assertThat(Pops.data(Pops.pop(queue))).containsExactly(9);
    }

    @Test
    void clear_onePartition_leavesTheOthers() {
        partitions.push(queue, "p", 3);
        partitions.push(queue, "r", 2);
        clear("?partition=p").body("deleted", equalTo(3));
        assertThat(Pops.data(Pops.pop(queue, "batch", 10))).containsExactly(1, 2);
    }

    @Test
    void clear_moreThanAPortion_removesAll() {
        for (String partition : new String[] {"p", "q", "r"}) {
            partitions.push(queue, partition, 2100);
        }
        clear("").body("deleted", equalTo(6300));
        assertThat(sql.number(
                        "select count(*) from queen.messages m join queen.partitions p on p.id = m.partition_id"
                                + " join queen.queues q on q.id = p.queue_id where q.name = ?",
                        queue))
                .isZero();
        clear("").body("deleted", equalTo(0));
    }

    @Test
    void clear_unknown_is404() {
        clear("").statusCode(404).body("code", equalTo("QUEUE_NOT_FOUND"));
        partitions.push(queue, "p", 1);
        clear("?partition=nope").statusCode(404).body("code", equalTo("PARTITION_NOT_FOUND"));
    }

    private ValidatableResponse clear(String query) {
        return given().delete("/api/v1/queues/" + queue + "/clear" + query).then();
    }
}
