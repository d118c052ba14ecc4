package io.queen.push;

import static io.queen.testing.Client.item;
import static io.queen.testing.Client.post;
import static io.queen.testing.Client.push;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.RawBodies;
import io.queen.testing.Sql;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class PushResourceTest {
    private static final String UUID_V7 = "[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";

    @AutoClose
    private final Sql sql = Sql.open();

    private final Partitions partitions = new Partitions(sql);
    private final String queue = Partitions.name("push");

    @Test
    void push_stored_is201WithEveryField() {
        String trace = UUID.randomUUID().toString();
        push("{\"queue\":\"%s\",\"partition\":\"p\",\"transactionId\":\"t\",\"traceId\":\"%s\",\"payload\":1}"
                        .formatted(queue, trace))
                .statusCode(201)
                .contentType("application/json")
                .body("$", hasSize(1))
                .body("[0].index", equalTo(0))
                .body("[0].status", equalTo("queued"))
                .body("[0].transaction_id", equalTo("t"))
                .body("[0].transactionId", equalTo("t"))
                .body("[0].message_id", matchesPattern(UUID_V7))
                .body("[0].partition_id", equalTo(partitions.id(queue, "p").toString()))
                .body("[0].trace_id", equalTo(trace))
                .body("[0].queueName", equalTo(queue));
        assertThat(sql.text("select trace_id from queen.messages where partition_id = ?", partitions.id(queue, "p")))
                .isEqualTo(trace);
    }

    @Test
    void push_queueAlone_getsDefaults() {
        push("{\"queue\":\"" + queue + "\",\"producerSub\":\"evil\"}")
                .statusCode(201)
                .body("[0].transactionId", matchesPattern("[0-9a-f-]{36}"))
                .body("[0].trace_id", nullValue());
        assertThat(sql.row(
                        "select payload, producer_sub from queen.messages where partition_id = ?",
                        partitions.id(queue, "Default")))
                .containsEntry("payload", "null")
                .containsEntry("producer_sub", null);
    }

    @Test
    void push_severalItems_answersInRequestOrder() {
        push(item(queue, "b", "1", "1"), item(queue, "a", "2", "2"), item(queue, "b", "3", "3"))
                .statusCode(201)
                .body("transactionId", contains("1", "2", "3"))
                .body("index", contains(0, 1, 2));
        assertThat(sql.text(
                        "select string_agg(seq || payload, ' ' order by seq) from queen.messages where partition_id = ?",
                        partitions.id(queue, "b")))
                .isEqualTo("11 23");
    }

    @Test
    void push_noItems_isTwoBytes() {
        assertThat(push().statusCode(201).extract().asString()).isEqualTo("[]");
    }

    @Test
    void push_duplicates_haveTheIdOfTheFirst() {
        String first = push(item(queue, "p", "t", "1"), item(queue, "p", "t", "2"))
                .statusCode(201)
                .body("status", contains("queued", "duplicate"))
                .extract()
                .path("[0].message_id");
        push(item(queue, "p", "new", "1"), item(queue, "p", "t", "3"), item(queue, "other", "t", "4"))
                .statusCode(201)
                .body("status", contains("queued", "duplicate", "queued"))
                .body("[1].message_id", equalTo(first))
                .body("[2].message_id", not(equalTo(first)));
        assertThat(sql.text(
                        "select payload from queen.messages where partition_id = ? and transaction_id = 't'",
                        partitions.id(queue, "p")))
                .isEqualTo("1");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "{}",
                "{ \"b\" : 1 , \"a\" : [1.50, 1e400, 123456789012345678901234567890] , \"b\" : 2 }",
                "\"\\u0000 \\ud800 é 😀 \\/\""
            })
    void payload_anyJson_isStoredByteForByte(String payload) {
        push(item(queue, "p", "t", payload)).statusCode(201);
        assertThat(stored()).isEqualTo(payload);
    }

    @Test
    void payload_threeMegabytes_isStoredByteForByte() {
        String payload = "{\"text\":\"" + "é😀x".repeat(500_000) + "\"}";
        push(item(queue, "p", "t", payload)).statusCode(201).body("[0].status", equalTo("queued"));
        assertThat(stored().equals(payload)).isTrue();
    }

    @Test
    void push_fiveThousandItems_isStoredWhole() {
        push(IntStream.range(0, 5000)
                        .mapToObj(i -> item(queue, "p" + i % 7, "t" + i, "1"))
                        .toArray(String[]::new))
                .statusCode(201)
                .body("$", hasSize(5000))
                .body("[4999].index", equalTo(4999));
    }

    @Test
    void push_namesOfAllKinds_areTakenAsTheyAre() {
        String name = queue + " /?%.é😀'\\\"\\\\";
        push(item(name, "%", "'; drop table", "1"), item(name, "_", "", "1")).statusCode(201);
        assertThat(sql.number("select count(*) from queen.queues where starts_with(name, ?)", queue))
                .isEqualTo(1);
    }

    @Test
    void push_otherContentType_isTaken() {
        io.restassured.RestAssured.given()
                .config(RawBodies.CONFIG)
                .contentType("text/plain")
                .body(("{\"items\":[" + item(queue, "p", "t", "1") + "]}").getBytes(StandardCharsets.UTF_8))
                .post("/api/v1/push")
                .then()
                .statusCode(201);
    }

    @Test
    void push_queueDeletedMeanwhile_isCreatedAnew() {
        String first = push(item(queue, "p", "t", "1")).extract().path("[0].partition_id");
        sql.run("select queen.delete_queue_v1(?)", queue);
        push(item(queue, "p", "t", "1"))
                .statusCode(201)
                .body("[0].status", equalTo("queued"))
                .body("[0].partition_id", not(equalTo(first)));
    }

    @Test
    void push_newPartitionOfAQueueBeingDeleted_isStored() throws Exception {
        push(item(queue, "p", "t", "1"));
        Sql deleting = Sql.open().begin();
        deleting.run("select queen.delete_queue_v1(?)", queue);
        var answer = java.util.concurrent.CompletableFuture.supplyAsync(() -> push(item(queue, "new", "t", "1")));
        sql.awaitSessionThatWaitsForALock();
        deleting.commit();
        deleting.close();
        answer.get().statusCode(201).body("[0].status", equalTo("queued"));
        assertThat(sql.number(
                        "select count(*) from queen.messages where partition_id = ?", partitions.id(queue, "new")))
                .isEqualTo(1);
    }

    @Test
    void metrics_afterAPush_countIt() {
        push(item(queue, "p", "t", "1"), item(queue, "p", "t2", "1"));
        io.restassured.RestAssured.get("/metrics")
                .then()
                .body("sidecar.operations.push.items", org.hamcrest.Matchers.greaterThanOrEqualTo(2))
                .body("sidecar.operations.push.in_flight", equalTo(0));
    }

    private String stored() {
        return sql.text("select payload from queen.messages where partition_id = ?", partitions.id(queue, "p"));
    }

    @Test
    void push_emptyQueueName_isTaken() {
        post("/api/v1/push", "{\"items\":[{\"queue\":\"\",\"partition\":\"" + queue + "\"}]}")
                .statusCode(201);
    }
}
