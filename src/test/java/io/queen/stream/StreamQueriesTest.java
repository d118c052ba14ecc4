package io.queen.stream;

import static io.queen.stream.Streams.cycle;
import static io.queen.stream.Streams.ops;
import static io.queen.stream.Streams.register;
import static io.queen.stream.Streams.state;
import static io.queen.stream.Streams.upsert;
import static io.queen.testing.Client.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.matchesPattern;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class StreamQueriesTest {
    @AutoClose
    private final Sql sql = Sql.open();

    private final String source = Partitions.name("in");
    private final UUID partition = new Partitions(sql).push(source, "p", 3);
    private final String name = Partitions.name("query");

    @Test
    void register_firstTime_isFresh() {
        register(name, source, "h1", ",\"sink_queue\":\"out\"")
                .statusCode(200)
                .body("success", equalTo(true))
                .body("query_id", matchesPattern("[0-9a-f-]{36}"))
                .body("name", equalTo(name))
                .body("config_hash", equalTo("h1"))
                .body("fresh", equalTo(true))
                .body("reset", equalTo(false));
        assertThat(sql.row("select source_queue, sink_queue from queen.stream_queries where name = ?", name)
                        .values())
                .containsExactly(source, "out");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",\"reset\":true", ",\"reset\":null"})
    void register_sameHash_keepsTheState(String reset) {
        UUID id = withState("h1");
        register(name, "other", "h1", reset)
                .statusCode(200)
                .body("query_id", equalTo(id.toString()))
                .body("fresh", equalTo(false))
                .body("reset", equalTo(false));
        state(id, partition, "").body("rows", hasSize(1));
        assertThat(sql.value("select source_queue from queen.stream_queries where name = ?", name))
                .isEqualTo("other");
    }

    @Test
    void register_otherHash_isAConflictAndChangesNothing() {
        UUID id = withState("h1");
        register(name, "other", "h2", "")
                .statusCode(409)
                .body("success", equalTo(false))
                .body("query_id", equalTo(id.toString()))
                .body("name", equalTo(name))
                .body("error", containsString("config_hash mismatch"));
        state(id, partition, "").body("rows", hasSize(1));
        assertThat(sql.row("select source_queue, config_hash from queen.stream_queries where name = ?", name)
                        .values())
                .containsExactly(source, "h1");
    }

    @Test
    void register_otherHashWithReset_dropsTheState() {
        UUID id = withState("h1");
        register(name, source, "h2", ",\"reset\":true")
                .statusCode(200)
                .body("query_id", equalTo(id.toString()))
                .body("config_hash", equalTo("h2"))
                .body("fresh", equalTo(false))
                .body("reset", equalTo(true));
        state(id, partition, "").body("rows", empty());
        cycle(id, partition, ops(upsert("b", "2"))).body("success", equalTo(true));
        state(id, partition, "").body("rows.key", equalTo(java.util.List.of("b")));
        assertThat(sql.row("select keys, bytes from queen.stream_partitions where query_id = ?", id)
                        .values())
                .containsExactly(1L, 2L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"source_queue\":\"a\",\"config_hash\":\"h\"} | name",
                "{\"name\":\"\",\"source_queue\":\"a\",\"config_hash\":\"h\"} | name",
                "{\"name\":7,\"source_queue\":\"a\",\"config_hash\":\"h\"} | name",
                "{\"name\":\"n\",\"config_hash\":\"h\"} | source_queue",
                "{\"name\":\"n\",\"source_queue\":\"a\"} | config_hash",
                "{\"name\":\"n\",\"source_queue\":\"a\",\"config_hash\":\"\"} | config_hash",
                "{\"name\":\"n\",\"source_queue\":\"a\",\"config_hash\":\"h\",\"reset\":1} | reset",
                "{\"name\":\"n\",\"source_queue\":\"a\",\"config_hash\":\"h\",\"sink_queue\":[]} | sink_queue",
                "{\"name\":\"n\",\"source_queue\":\"a\",\"config_hash\":\"h\",\"state_retention_seconds\":-1}"
                        + " | state_retention_seconds",
                "[] | name"
            })
    void register_badBody_isRefusedWithTheField(String body, String field) {
        post("/streams/v1/queries", body).statusCode(400).body("error", containsString(field));
    }

    private UUID withState(String hash) {
        UUID id = UUID.fromString(register(name, source, hash, "").extract().path("query_id"));
        cycle(id, partition, ops(upsert("a", "1"))).body("success", equalTo(true));
        return id;
    }
}
