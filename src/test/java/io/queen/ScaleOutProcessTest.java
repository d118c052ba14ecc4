package io.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.queen.embedded.TestPostgres;
import io.queen.testing.ServerProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What lets servers come and go: little work at the start, no more connections than their part, no database by chance. */
class ScaleOutProcessTest {

    /** The role may not create anything, so whatever start writes to the schema would fail. */
    @Test
    void start_schemaInPlace_onlyLooksAtIt() throws Exception {
        TestPostgres postgres = TestPostgres.shared().createDatabase("in_place").migrate();
        run(
                postgres,
                "create role reader_of_schema login password 'reader'",
                "grant usage on schema queen to reader_of_schema",
                "grant select, insert, update, delete on all tables in schema queen to reader_of_schema",
                "revoke insert, update, delete on queen.flyway_schema_history from reader_of_schema",
                "grant execute on all functions in schema queen to reader_of_schema");
        Map<String, String> environment =
                environment(postgres, Map.of("PG_USER", "reader_of_schema", "PG_PASSWORD", "reader"));
        try (ServerProcess server = ServerProcess.start(environment).awaitReady()) {
            JsonObject item = new JsonObject().put("queue", "q").put("payload", 1);
            JsonObject push = new JsonObject().put("items", new JsonArray().add(item));
            assertThat(server.post("/api/v1/push", push).statusCode()).isEqualTo(201);
            assertThat(server.get("/api/v1/pop/queue/q?autoAck=true").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void start_partOfABudget_opensNoMoreThanThat() throws Exception {
        TestPostgres postgres = TestPostgres.shared().createDatabase("budget");
        Map<String, String> environment = environment(
                postgres,
                Map.of(
                        "QUEEN_INSTANCES", "100",
                        "QUEEN_DATABASE_MAX_CONNECTIONS", "600",
                        "NUM_WORKERS", "3"));
        try (Connection asking = postgres.connect();
                ServerProcess server = ServerProcess.start(environment).awaitReady()) {
            // One for each event loop; beside those one listens, one sees that PostgreSQL is alive, one is the general
            // pool's. Flyway's are gone.
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> server.isAlive() && connections(asking, "queen-sidecar") == 3);
            for (int i = 0; i < 50; i++) {
                assertThat(server.get("/api/v1/scaling/queues/q").statusCode()).isEqualTo(200);
                assertThat(connections(asking, "%")).isLessThanOrEqualTo(6);
            }
        }
    }

    @Test
    void start_partTooSmallForTheEventLoops_isRefusedInASentence() throws Exception {
        TestPostgres postgres = TestPostgres.shared().createDatabase("too_small");
        Map<String, String> environment = environment(
                postgres,
                Map.of("QUEEN_INSTANCES", "100", "QUEEN_DATABASE_MAX_CONNECTIONS", "400", "NUM_WORKERS", "3"));
        try (ServerProcess server = ServerProcess.start(environment)) {
            assertThat(server.awaitExit()).isNotZero();
            assertThat(server.log())
                    .contains("leaves this server 4 connections", "3 event loops", "NUM_WORKERS")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void start_noDatabaseAndNoneEmbedded_isRefusedInASentence() throws Exception {
        try (ServerProcess server = ServerProcess.start(Map.of("QUEEN_EMBEDDED", "false"))) {
            assertThat(server.awaitExit()).isNotZero();
            assertThat(server.log())
                    .contains("No PostgreSQL is named", "PG_HOST")
                    .doesNotContain("\tat ");
        }
    }

    private static Map<String, String> environment(TestPostgres postgres, Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(postgres.environment());
        environment.putAll(more);
        return environment;
    }

    private static void run(TestPostgres postgres, String... statements) throws Exception {
        try (Connection connection = postgres.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Those of the server by name: all to its database but the one that asks. */
    private static int connections(Connection connection, String name) throws Exception {
        try (PreparedStatement statement = connection.prepareStatement("select count(*) from pg_stat_activity"
                + " where datname = current_database() and backend_type = 'client backend'"
                + " and pid <> pg_backend_pid() and application_name like ?")) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            }
        }
    }
}
