package io.queen.push;

import static io.queen.testing.Client.post;
import static io.queen.testing.Client.push;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Maintenance;
import io.queen.testing.Partitions;
import io.queen.testing.Pops;
import io.queen.testing.Sql;
import io.restassured.response.Response;
import io.vertx.core.json.JsonObject;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers of messages, on every way that a message takes. */
@QuarkusTest
class HeadersTest {
    private static final String HEADERS = "{\"trace\":\"a-1\",\"é\":\"\\\"😀\\n\"}";

    @AutoClose
    private final Sql sql = Sql.open();

    private final Partitions partitions = new Partitions(sql);
    private final String queue = Partitions.name("headers");

    @Test
    void pop_someItemsWithHeaders_givesThoseOfEach() {
        push(item("1", ""), item("2", ",\"headers\":" + HEADERS), item("3", ",\"headers\":{}"));
        Response popped = Pops.pop(queue, "batch", 10);
        assertThat(Pops.message(popped, 0).fieldNames()).doesNotContain("headers", "deliverAt");
        assertThat(Pops.message(popped, 1).getJsonObject("headers")).isEqualTo(new JsonObject(HEADERS));
        assertThat(Pops.message(popped, 2).fieldNames()).doesNotContain("headers");
    }

    @Test
    void pop_deliverAtHasPassed_givesIt() {
        push(item("1", ",\"deliverAt\":\"2024-02-03T04:05:06.789123Z\""));
        assertThat(Pops.message(Pops.pop(queue, "autoAck", true), 0).getString("deliverAt"))
                .isEqualTo("2024-02-03T04:05:06.789123Z");
    }

    @Test
    void push_withoutHeaders_storesNothing() {
        push(item("1", ""), item("2", ",\"headers\":{}")).statusCode(201);
        assertThat(sql.number(
                        "select count(*) from queen.messages where partition_id = ?"
                                + " and headers is null and deliver_at is null",
                        partitions.id(queue, "Default")))
                .isEqualTo(2);
        assertThat(sql.value(
                        "select delayed_until from queen.partitions where id = ?", partitions.id(queue, "Default")))
                .isNull();
    }

    @Test
    void push_wrongHeader_is400ThatNamesIt() {
        push(item("1", ""), item("2", ",\"headers\":{\"foo\":7}"))
                .statusCode(400)
                .body("field", equalTo("items[1].headers.foo"));
    }

    @Test
    void transaction_flatAndListed_keepThem() {
        String flat = "{\"type\":\"push\",\"queue\":\"%s\",\"data\":1,\"headers\":%s}".formatted(queue, HEADERS);
        String listed = "{\"type\":\"push\",\"items\":[" + item("2", ",\"headers\":{\"n\":\"2\"}") + "]}";
        post("/api/v1/transaction", "{\"operations\":[" + flat + "," + listed + "]}")
                .statusCode(200)
                .body("success", equalTo(true));
        Response popped = Pops.pop(queue, "batch", 10);
        assertThat(Pops.message(popped, 0).getJsonObject("headers")).isEqualTo(new JsonObject(HEADERS));
        assertThat(Pops.message(popped, 1).getJsonObject("headers")).isEqualTo(new JsonObject("{\"n\":\"2\"}"));
    }

    @Test
    void transaction_wrongHeader_is400ThatNamesIt() {
        String flat = "{\"type\":\"push\",\"queue\":\"%s\",\"headers\":{\"foo\":7}}".formatted(queue);
        post("/api/v1/transaction", "{\"operations\":[" + flat + "]}")
                .statusCode(400)
                .body("field", equalTo("operations[0].headers.foo"));
    }

    @Test
    void queue_encryptedOrLimited_keepsThem() {
        Pops.configure(queue, Map.of("encryptionEnabled", true, "maxSize", 2));
        push(item("1", ",\"headers\":{\"n\":\"1\"}"), item("2", ""), item("3", ",\"headers\":{\"n\":\"3\"}"));
        Response popped = Pops.pop(queue, "batch", 10);
        assertThat(Pops.message(popped, 0).getJsonObject("headers")).isEqualTo(new JsonObject("{\"n\":\"1\"}"));
        assertThat(Pops.message(popped, 1).fieldNames()).doesNotContain("headers");
        assertThat(popped.jsonPath().getList("messages")).hasSize(2);
    }

    @Test
    void buffer_drained_keepsThem() {
        Maintenance.push(true);
        push(item("1", ",\"headers\":" + HEADERS + ",\"deliverAt\":\"2024-02-03T04:05:06Z\""))
                .body("[0].status", equalTo("buffered"));
        Maintenance.push(false);
        JsonObject message = Pops.message(Pops.waiting(queue).join(), 0);
        assertThat(message.getJsonObject("headers")).isEqualTo(new JsonObject(HEADERS));
        assertThat(message.getString("deliverAt")).isEqualTo("2024-02-03T04:05:06.000000Z");
    }

    @Test
    void list_detailAndDeadLetters_showThem() {
        push(item("1", ",\"headers\":" + HEADERS + ",\"deliverAt\":\"2024-02-03T04:05:06Z\""), item("2", ""));
        Pops.ack(Pops.pop(queue, "batch", 1), "dlq");
        String partition = partitions.id(queue, "Default").toString();
        JsonObject listed = new JsonObject(given().queryParams("queue", queue)
                        .get("/api/v1/messages")
                        .asString())
                .getJsonArray("messages")
                .getJsonObject(1);
        JsonObject detail = new JsonObject(
                given().get("/api/v1/messages/" + partition + "/1").asString());
        JsonObject letter = new JsonObject(
                        given().queryParams("queue", queue).get("/api/v1/dlq").asString())
                .getJsonArray("messages")
                .getJsonObject(0);
        for (JsonObject shown : new JsonObject[] {listed, detail, letter}) {
            assertThat(shown.getJsonObject("headers")).isEqualTo(new JsonObject(HEADERS));
            assertThat(shown.getString("deliverAt")).isEqualTo("2024-02-03T04:05:06.000Z");
        }
        given().get("/api/v1/messages/" + partition + "/2").then().body("headers", equalTo(null));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void redriven_forItsGroupOrForAll_keepsThem(boolean allGroups) {
        push(item("1", ",\"headers\":" + HEADERS));
        Pops.ack(Pops.pop(queue), "dlq");
        post("/api/v1/dlq/redrive", "{\"queue\":\"%s\",\"allGroups\":%s}".formatted(queue, allGroups))
                .statusCode(200);
        JsonObject again = Pops.message(Pops.waiting(queue).join(), 0);
        assertThat(again.getJsonObject("headers")).isEqualTo(new JsonObject(HEADERS));
    }

    private String item(String id, String more) {
        return "{\"queue\":\"%s\",\"transactionId\":\"%s\",\"payload\":1%s}".formatted(queue, id, more);
    }
}
