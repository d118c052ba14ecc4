package io.queen.admin.trace;

import static io.queen.testing.Client.post;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.notNullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Client;
import io.queen.testing.Partitions;
import io.restassured.path.json.JsonPath;
import io.restassured.response.ValidatableResponse;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class TraceResourceTest {
    private final String queue = Partitions.name("traced");
    private final String name = Partitions.name("name");
    private String partition;

    @BeforeEach
    void push() {
        partition = Client.push(Client.item(queue, "p", "m1", "{ \"n\":1.50 }"), Client.item(queue, "p", "m 2/%", "2"))
                .extract()
                .jsonPath()
                .getString("[0].partition_id");
    }

    private ValidatableResponse trace(String transactionId, String rest) {
        return post(
                "/api/v1/traces",
                "{\"transactionId\":\"%s\",\"partitionId\":\"%s\"%s}".formatted(transactionId, partition, rest));
    }

    private ValidatableResponse events(String transactionId) {
        return given().get("/api/v1/traces/{p}/{t}", partition, transactionId).then();
    }

    @Test
    void record_event_isFoundByItsMessage() {
        String id = trace("m1", ",\"data\":{\"text\":\"begun\"},\"eventType\":\"step\",\"consumerGroup\":\"g\"")
                .statusCode(201)
                .body("success", equalTo(true))
                .extract()
                .path("traceId");
        trace("m1", ",\"data\":[1],\"traceNames\":null").statusCode(201);
        events("m1")
                .statusCode(200)
                .body("traces", hasSize(2))
                .body("traces[0].id", equalTo(id))
                .body("traces[0].event_type", equalTo("step"))
                .body("traces[0].data.text", equalTo("begun"))
                .body("traces[0].consumer_group", equalTo("g"))
                .body("traces[0].worker_id", notNullValue())
                .body("traces[0].created_at", matchesPattern("\\d{4}-.*\\.\\d{3}Z"))
                .body("traces[0].trace_names", empty())
                .body("traces[1].event_type", equalTo("info"))
                .body("traces[1].consumer_group", equalTo("__QUEUE_MODE__"));
    }

    @Test
    void record_oddTransactionId_isFoundByIt() {
        trace("m 2/%", ",\"data\":1").statusCode(201);
        events("m 2/%").body("traces.data", contains(1));
        events("m1").body("traces", empty());
    }

    @Test
    void byName_events_comeOldestFirstWithPayloadAndTotal() {
        trace("m1", ",\"data\":1,\"traceNames\":\"" + name + "\"").statusCode(201);
        trace("m 2/%", ",\"data\":2,\"traceNames\":[\"" + name + "\",\"b-" + name + "\",\"" + name + "\"]")
                .statusCode(201);
        trace("m1", ",\"data\":3,\"traceNames\":[\"" + name + "\"]").statusCode(201);
        ValidatableResponse all = given().get("/api/v1/traces/by-name/" + name).then();
        all.statusCode(200)
                .body("traces.data", contains(1, 2, 3))
                .body("total", equalTo(3))
                .body("pagination.limit", equalTo(100))
                .body("pagination.offset", equalTo(0))
                .body("traces[0].transaction_id", equalTo("m1"))
                .body("traces[0].partition_id", equalTo(partition))
                .body("traces[0].queue_name", equalTo(queue))
                .body("traces[0].partition_name", equalTo("p"))
                .body("traces[1].trace_names", contains("b-" + name, name));
        assertThat(all.extract().asString()).contains("\"message_payload\": { \"n\":1.50 }");
        given().queryParam("limit", 1)
                .queryParam("offset", 1)
                .get("/api/v1/traces/by-name/" + name)
                .then()
                .body("traces.data", contains(2))
                .body("total", equalTo(3));
        given().queryParam("offset", 3)
                .get("/api/v1/traces/by-name/" + name)
                .then()
                .body("traces", empty())
                .body("total", equalTo(3));
    }

    @Test
    void byName_unknown_isEmpty() {
        given().get("/api/v1/traces/by-name/" + name)
                .then()
                .statusCode(200)
                .body("traces", empty())
                .body("total", equalTo(0));
    }

    @Test
    void names_inUse_areCounted() {
        trace("m1", ",\"data\":1,\"traceNames\":\"" + name + "\"").statusCode(201);
        trace("m1", ",\"data\":2,\"traceNames\":\"" + name + "\"").statusCode(201);
        JsonPath names = given().queryParam("limit", 10_000)
                .get("/api/v1/traces/names")
                .then()
                .statusCode(200)
                .body("pagination.limit", equalTo(10_000))
                .extract()
                .jsonPath();
        String mine = "trace_names.find { it.trace_name == '" + name + "' }";
        assertThat(names.getInt(mine + ".trace_count")).isEqualTo(2);
        assertThat(names.getInt(mine + ".message_count")).isEqualTo(1);
        assertThat(names.getString(mine + ".last_seen")).endsWith("Z");
        assertThat(names.getInt("names.find { it.name == '" + name + "' }.count"))
                .isEqualTo(2);
        assertThat(names.getInt("total")).isEqualTo(names.getList("names").size());
        assertThat(names.getString("trace_names[0].trace_name")).isEqualTo(name);
    }

    @Test
    void record_unknownMessage_is404() {
        trace("none", ",\"data\":1")
                .statusCode(404)
                .body("success", equalTo(false))
                .body("error", equalTo("Message not found"));
        post("/api/v1/traces", "{\"transactionId\":\"m1\",\"data\":1,\"partitionId\":\"" + UUID.randomUUID() + "\"}")
                .statusCode(404);
    }

    @ParameterizedTest
    @ValueSource(strings = {"transactionId", "partitionId", "data"})
    void record_fieldMissing_is400(String field) {
        String body = "{\"transactionId\":\"m1\",\"partitionId\":\"" + partition + "\",\"data\":1}";
        post("/api/v1/traces", body.replace("\"" + field + "\"", "\"x\""))
                .statusCode(400)
                .body("code", equalTo("MISSING_FIELD"))
                .body("field", equalTo(field));
    }

    @Test
    void record_badValues_are400() {
        trace("m1", ",\"data\":\"\\u0000\"").statusCode(400).body("field", equalTo("data"));
        trace("m1", ",\"data\":1,\"traceNames\":[1]").statusCode(400).body("field", equalTo("traceNames[0]"));
        trace("m1", ",\"data\":1,\"eventType\":{}").statusCode(400).body("field", equalTo("eventType"));
        post("/api/v1/traces", "{\"transactionId\":\"m1\",\"data\":1,\"partitionId\":\"p\"}")
                .statusCode(400)
                .body("field", equalTo("partitionId"));
        given().get("/api/v1/traces/p/m1").then().statusCode(400).body("field", equalTo("partitionId"));
    }

    @Test
    void queue_deleted_takesItsTracesAlong() {
        trace("m1", ",\"data\":1,\"traceNames\":\"" + name + "\"").statusCode(201);
        given().delete("/api/v1/resources/queues/" + queue).then().statusCode(200);
        events("m1").body("traces", empty());
        given().get("/api/v1/traces/by-name/" + name).then().body("total", equalTo(0));
    }
}
