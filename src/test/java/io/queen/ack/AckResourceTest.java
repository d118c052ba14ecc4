package io.queen.ack;

import static io.queen.testing.Client.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class AckResourceTest {
    private static final String GROUP = "__QUEUE_MODE__";

    @AutoClose
    private final Sql sql = Sql.open();

    private final Partitions partitions = new Partitions(sql);
    private final String queue = Partitions.name("acked");

    @Test
    void ack_lastDelivered_answersEveryField() {
        UUID partition = partitions.push(queue, "p7", 1);
        UUID lease = partitions.lease(partition, GROUP, 1);
        post("/api/v1/ack", ack(partition, "m1", ",\"leaseId\":\"" + lease + "\""))
                .statusCode(200)
                .contentType("application/json")
                .body("$", hasSize(1))
                .body("[0].index", equalTo(0))
                .body("[0].transactionId", equalTo("m1"))
                .body("[0].success", equalTo(true))
                .body("[0].error", nullValue())
                .body("[0].queueName", equalTo(queue))
                .body("[0].partitionName", equalTo("p7"))
                .body("[0].leaseReleased", equalTo(true))
                .body("[0].dlq", equalTo(false));
    }

    @Test
    void ack_wrongLease_is200WithTheReason() {
        UUID partition = partitions.push(queue, "p", 1);
        UUID lease = partitions.lease(partition, GROUP, 1);
        for (String other : new String[] {UUID.randomUUID().toString(), "nonsense"}) {
            post("/api/v1/ack", ack(partition, "m1", ",\"leaseId\":\"" + other + "\""))
                    .statusCode(200)
                    .body("[0].success", equalTo(false))
                    .body("[0].error", equalTo("Invalid or expired lease"))
                    .body("[0].leaseReleased", equalTo(false));
        }
        assertThat(partitions.consumer(partition, GROUP).get("lease_id")).isEqualTo(lease);
    }

    @Test
    void ack_unknownMessage_is200WithTheReason() {
        post("/api/v1/ack", ack(UUID.randomUUID(), "m1", ""))
                .statusCode(200)
                .body("[0].success", equalTo(false))
                .body("[0].error", equalTo("Message not found"))
                .body("[0].queueName", nullValue());
    }

    @Test
    void ack_unknownStatus_isAnErrorTextAndNothingChanges() {
        UUID partition = partitions.push(queue, "p", 2);
        post("/api/v1/ack/batch", batch(ack(partition, "m1", ",\"status\":\"done\""), ack(partition, "m2", "")))
                .statusCode(200)
                .body("success", contains(false, true))
                .body("[0].error", containsString("Unknown status"))
                .body("index", contains(0, 1));
        post("/api/v1/ack", ack(partition, "m1", ",\"status\":\"\"")).body("[0].success", equalTo(false));
    }

    @Test
    void ack_dlq_isDeadWithItsErrorText() {
        UUID partition = partitions.push(queue, "p", 1);
        post("/api/v1/ack", ack(partition, "m1", ",\"status\":\"dlq\",\"error\":\"why\",\"consumerGroup\":\"g\""))
                .statusCode(200)
                .body("[0].dlq", equalTo(true));
        assertThat(sql.text("select error_message from queen.dead_letters where partition_id = ?", partition))
                .isEqualTo("why");
    }

    @Test
    void batch_failedInTheMiddle_endsThere() {
        UUID partition = partitions.push(queue, "p", 3);
        UUID lease = partitions.lease(partition, "g", 3);
        String held = ",\"leaseId\":\"" + lease + "\"";
        post(
                        "/api/v1/ack/batch",
                        "{\"consumerGroup\":\"g\",\"acknowledgments\":["
                                + ack(partition, "m3", held + ",\"consumerGroup\":\"overwritten\"") + ","
                                + ack(partition, "m2", held + ",\"status\":\"failed\"") + ","
                                + ack(partition, "m1", held) + "]}")
                .statusCode(200)
                .body("transactionId", contains("m3", "m2", "m1"))
                .body("success", contains(false, true, true))
                .body("leaseReleased", everyItem(equalTo(true)))
                .body("[0].error", equalTo("Invalid or expired lease"));
        assertThat(partitions.cursor(partition, "g")).isEqualTo(1);
    }

    @Test
    void batch_thousand_areAnsweredInOrder() {
        UUID partition = partitions.push(queue, "p", 1000);
        UUID lease = partitions.lease(partition, GROUP, 1000);
        String acks = IntStream.rangeClosed(1, 1000)
                .mapToObj(i -> ack(partition, "m" + (1001 - i), ",\"leaseId\":\"" + lease + "\""))
                .collect(Collectors.joining(","));
        post("/api/v1/ack/batch", "{\"acknowledgments\":[" + acks + "]}")
                .statusCode(200)
                .body("$", hasSize(1000))
                .body("success", everyItem(equalTo(true)))
                .body("[999].index", equalTo(999))
                .body("[999].transactionId", equalTo("m1"));
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(1000);
        assertThat(partitions.consumer(partition, GROUP).get("lease_id")).isNull();
    }

    @Test
    void batch_empty_isAnEmptyArray() {
        assertThat(post("/api/v1/ack/batch", "{\"acknowledgments\":[]}")
                        .statusCode(200)
                        .extract()
                        .asString())
                .isEqualTo("[]");
    }

    @Test
    void batch_oneElementBad_isToldByIndexAndNothingApplied() {
        UUID partition = partitions.push(queue, "p", 1);
        post("/api/v1/ack/batch", batch(ack(partition, "m1", ""), "{\"transactionId\":\"m1\"}"))
                .statusCode(400)
                .body("field", equalTo("acknowledgments[1].partitionId"));
        assertThat(sql.number("select count(*) from queen.partition_consumers where partition_id = ?", partition))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[]", "{\"acknowledgments\":{}}", "{\"acknowledgments\":[7]}", "{\"ack"})
    void batch_bad_is400(String body) {
        post("/api/v1/ack/batch", body).statusCode(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "[]",
                "{\"transactionId\":\"t\"}",
                "{\"transactionId\":\"t\",\"partitionId\":\"not-a-uuid\"}",
                "{\"transactionId\":7,\"partitionId\":\"x\"}",
                "{\"transactionId\":\"a\\u0000\"}"
            })
    void ack_bad_is400(String body) {
        post("/api/v1/ack", body).statusCode(400);
    }

    private static String batch(String... acks) {
        return "{\"acknowledgments\":[" + String.join(",", acks) + "]}";
    }

    private static String ack(UUID partition, String transactionId, String more) {
        return "{\"partitionId\":\"%s\",\"transactionId\":\"%s\"%s}".formatted(partition, transactionId, more);
    }
}
