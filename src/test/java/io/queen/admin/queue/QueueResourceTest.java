package io.queen.admin.queue;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Client;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

@QuarkusTest
class QueueResourceTest {
    @AutoClose
    private final Sql sql = Sql.open();

    private final Partitions partitions = new Partitions(sql);
    private final String queue = Partitions.name("deleted");

    @Test
    void delete_queue_removesAllOfIt() {
        UUID partition = partitions.push(queue, "p", 3);
        partitions.lease(partition, "g", 3);
        Client.post(
                        "/api/v1/ack",
                        "{\"transactionId\":\"m1\",\"status\":\"dlq\",\"partitionId\":\"" + partition + "\"}")
                .statusCode(200);
        given().delete("/api/v1/resources/queues/" + queue)
                .then()
                .statusCode(200)
                .body("deleted", equalTo(true))
                .body("queue", equalTo(queue))
                .body("existed", equalTo(true));
        for (String table : new String[] {"messages", "partition_consumers", "dead_letters", "purges"}) {
            await().until(() ->
                    sql.number("select count(*) from queen." + table + " where partition_id = ?", partition) == 0);
        }
        assertThat(sql.number("select count(*) from queen.queues where name = ?", queue))
                .isZero();
    }

    @Test
    void delete_unknown_isNoError() {
        given().delete("/api/v1/resources/queues/" + queue)
                .then()
                .statusCode(200)
                .body("existed", equalTo(false));
    }

    @Test
    void delete_nameWithSlashAndSpace_isDecodedOnce() {
        String name = queue + "/a b%2F+";
        partitions.push(name, "p", 1);
        given().urlEncodingEnabled(false)
                .delete("/api/v1/resources/queues/" + queue + "%2Fa%20b%252F+")
                .then()
                .statusCode(200)
                .body("queue", equalTo(name))
                .body("existed", equalTo(true));
    }

    @Test
    void delete_nameTooLong_is400() {
        given().delete("/api/v1/resources/queues/" + "n".repeat(256)).then().statusCode(400);
    }
}
