package io.queen.stream;

import static io.queen.stream.Streams.GROUP;
import static io.queen.stream.Streams.ack;
import static io.queen.stream.Streams.cycle;
import static io.queen.stream.Streams.ops;
import static io.queen.stream.Streams.register;
import static io.queen.stream.Streams.state;
import static io.queen.stream.Streams.upsert;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.notNullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import io.restassured.response.ValidatableResponse;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class QueryResourceTest {
    @AutoClose
    private final Sql sql = Sql.open();

    private final Partitions partitions = new Partitions(sql);
    private final String name = Partitions.name("query");
    private final String source = Partitions.name("source");
    private UUID partition;
    private UUID query;

    @BeforeEach
    void worked() {
        partition = partitions.push(source, "p", 3);
        query = UUID.fromString(
                register(name, source, "h", ",\"sink_queue\":\"out\"").extract().path("query_id"));
        cycle(query, partition, ops(upsert("a", "1"), upsert("b", "22")), ack("m1", null, ""))
                .body("success", equalTo(true));
    }

    @Test
    void show_always_hasStateLagAndLastCycle() {
        get("/api/v1/streams/" + name)
                .statusCode(200)
                .body("queryId", equalTo(query.toString()))
                .body("sourceQueue", equalTo(source))
                .body("sinkQueue", equalTo("out"))
                .body("configHash", equalTo("h"))
                .body("consumerGroup", equalTo(GROUP))
                .body("stateKeys", equalTo(2))
                .body("stateBytes", equalTo(5))
                .body("cycles", equalTo(1))
                .body("lastCycleAt", notNullValue())
                .body("lagMessages", equalTo(2))
                .body("partitions", hasSize(1))
                .body("partitions[0].partition", equalTo("p"))
                .body("partitions[0].stateKeys", equalTo(2));
        get("/api/v1/streams/" + name + "?offset=1").body("partitions", hasSize(0));
    }

    @Test
    void list_always_hasTheQuery() {
        get("/api/v1/streams?limit=10000").statusCode(200).body("streams.name", hasItem(name));
    }

    @Test
    void delete_always_takesTheStateAlong() {
        given().delete("/api/v1/streams/" + name).then().statusCode(200).body("success", equalTo(true));
        get("/api/v1/streams/" + name).statusCode(404).body("code", equalTo("QUERY_NOT_FOUND"));
        state(query, partition, "").body("rows", hasSize(0));
        cycle(query, partition, ops(upsert("a", "1"))).body("error", equalTo("Query not found"));
        Awaitility.await()
                .until(() -> sql.number("select count(*) from queen.stream_state where partition_id = ?", partition)
                                == 0
                        && sql.number("select count(*) from queen.stream_partitions where query_id = ?", query) == 0);
        given().delete("/api/v1/streams/" + name).then().statusCode(404);
    }

    @Test
    void reset_always_removesTheStateBefore() {
        register(name, source, "h2", ",\"reset\":true").statusCode(200);
        Awaitility.await()
                .until(() ->
                        sql.number("select count(*) from queen.stream_state where partition_id = ?", partition) == 0);
    }

    @Test
    void retention_always_isChanged() {
        given().body("{\"stateRetentionSeconds\":60}")
                .patch("/api/v1/streams/" + name)
                .then()
                .statusCode(200)
                .body("stateRetentionSeconds", equalTo(60));
        get("/api/v1/streams/" + name).body("stateRetentionSeconds", equalTo(60));
        sql.rows(
                "update queen.stream_state set updated_at = now() - interval '1 hour' where partition_id = ? and key = 'a'",
                partition);
        sql.rows("select * from queen.sweep_stream_state_v1(null, null, null, 100000)");
        state(query, partition, "").body("rows.key", equalTo(java.util.List.of("b")));
        assertThat(sql.row("select keys, bytes from queen.stream_partitions where query_id = ?", query)
                        .values())
                .containsExactly(1L, 3L);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{\"stateRetentionSeconds\":-1}", "{\"stateRetentionSeconds\":\"long\"}", "[]"})
    void retention_bad_isRefused(String body) {
        given().body(body)
                .patch("/api/v1/streams/" + name)
                .then()
                .statusCode(400)
                .body("error", containsString("stateRetentionSeconds"));
    }

    private static ValidatableResponse get(String path) {
        return given().get(path).then();
    }
}
