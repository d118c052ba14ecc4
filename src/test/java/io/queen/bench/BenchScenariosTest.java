package io.queen.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.queen.embedded.TestPostgres;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every scenario for half a second against a real server. Counts are checked, times are not. */
@QuarkusTest
class BenchScenariosTest {
    @TestHTTPResource
    URI server;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "push-1",
                "push-10",
                "push-100",
                "pop",
                "pop-ack",
                "auto-ack",
                "end-to-end",
                "transaction",
                "fan-out",
                "insert-1",
                "insert-100",
            })
    void run_scenario_countsMessagesWithoutErrors(String scenario) throws IOException {
        JsonNode result = run(scenario, "--partitions", "20", "--stock", "30").get(0);
        assertThat(result.path("scenario").asText()).isEqualTo(scenario);
        assertThat(result.path("errors").asLong()).isZero();
        assertThat(result.path("messages").asLong()).isPositive();
        assertThat(result.path("messagesPerSecond").asDouble()).isPositive();
        assertThat(result.at("/latencyMs/max").asDouble())
                .isGreaterThanOrEqualTo(result.at("/latencyMs/p50").asDouble());
        assertThat(result.at("/perMessage/walBytes").isNumber()).isTrue();
        assertThat(result.path("rounds")).hasSize(1);
    }

    @Test
    void run_push_countsEveryMessageOfARequest() throws IOException {
        JsonNode result = run("push-10", "--partitions", "5").get(0);
        assertThat(result.path("messages").asLong())
                .isEqualTo(10 * result.path("requests").asLong());
    }

    @ParameterizedTest
    @CsvSource({"pops-500, 50000", "pops-500-1, 500"})
    void run_pops500_countsWholeRounds(String scenario, long messages) throws IOException {
        JsonNode result = run(scenario).get(0);
        assertThat(result.path("errors").asLong()).isZero();
        assertThat(result.path("messages").asLong())
                .isEqualTo(messages * result.path("requests").asLong())
                .isPositive();
    }

    @Test
    void run_partitions_isOneResultPerSize() throws IOException {
        List<JsonNode> results = run("partitions", "--partitions", "10");
        assertThat(results)
                .extracting(result -> result.path("scenario").asText())
                .containsExactly("partitions-1", "partitions-10");
        assertThat(results)
                .allMatch(result -> result.path("errors").asLong() == 0
                        && result.path("messages").asLong() > 0);
    }

    @Test
    void run_withRate_sendsWhatIsDueAndTellsWhatItMissed() throws IOException {
        JsonNode result = run("push-1", "--partitions", "5", "--rate", "100").get(0);
        assertThat(result.path("errors").asLong()).isZero();
        assertThat(result.path("requests").asLong()).isBetween(1L, 60L);
        assertThat(result.path("missed").isNumber()).isTrue();
    }

    @Test
    void run_twoServers_alternateRoundByRound() throws IOException {
        List<JsonNode> results = run("push-1", "--partitions", "5", "--url", server.toString(), "--rounds", "2");
        assertThat(results).extracting(result -> result.path("server").asText()).containsExactly("A", "B");
        assertThat(results).allMatch(result -> result.path("rounds").size() == 2);
    }

    @Test
    void run_ended_leavesNoQueue() throws IOException {
        String prefix = Partitions.name("ended");
        run("push-1", "--partitions", "5", "--queue-prefix", prefix);
        try (Sql sql = Sql.open()) {
            assertThat(sql.number("select count(*) from queen.queues where name like ?", prefix + "%"))
                    .isZero();
        }
    }

    @Test
    void run_insert_leavesNoTable() throws IOException {
        run("insert-1");
        try (Sql sql = Sql.open()) {
            assertThat(sql.number("select count(*) from pg_class where relname like 'queen_bench_%'"))
                    .isZero();
        }
    }

    @Test
    void run_insertWithoutDatabase_isExitCode2() {
        assertThat(BenchTest.run("insert-1", "--url", server.toString())).isEqualTo(2);
    }

    @Test
    void run_requestsFail_isExitCode1() {
        assertThat(BenchTest.run(
                        "push-1",
                        "--url",
                        server + "nothing-here",
                        "--connections",
                        "1",
                        "--warmup",
                        "0",
                        "--duration",
                        "300ms"))
                .isEqualTo(1);
    }

    private List<JsonNode> run(String... arguments) throws IOException {
        Path file = directory.resolve("result.json");
        TestPostgres postgres = TestPostgres.shared();
        String database = "postgres://%s:%s@%s:%d/%s"
                .formatted(postgres.user(), postgres.password(), postgres.host(), postgres.port(), postgres.database());
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--url", server.toString(), "--connections", "4", "--warmup", "0"));
        all.addAll(List.of("--duration", "500ms", "--pg", database, "--json", file.toString()));
        assertThat(BenchTest.run(all.toArray(String[]::new))).isZero();
        List<JsonNode> results = new ArrayList<>();
        new ObjectMapper().readTree(file.toFile()).path("results").forEach(results::add);
        return results;
    }
}
