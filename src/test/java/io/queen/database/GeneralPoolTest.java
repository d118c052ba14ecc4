package io.queen.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.config.QueenConfig;
import io.queen.embedded.TestPostgres;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.metrics.Complaints;
import io.queen.testing.Sql;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GeneralPoolTest {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String OWN_PROCESS = "select pg_backend_pid()";

    private final TestPostgres postgres = TestPostgres.shared();

    @Test
    void query_otherEndGoneWithoutAWord_failsAndTheNextIsAnswered() throws Exception {
        Vertx vertx = Vertx.vertx();
        try (MuteProxy proxy = new MuteProxy(postgres.port());
                Sql sql = Sql.open()) {
            Database database = database(vertx, proxy.port());
            int first = process(database);
            sql.run("select pg_terminate_backend(?)", first);
            assertThatThrownBy(() -> process(database))
                    .isInstanceOfSatisfying(
                            QueenException.class,
                            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.DATABASE_UNAVAILABLE));
            assertThat(process(database)).isNotEqualTo(first);
            database.close();
        } finally {
            vertx.close();
        }
    }

    private static int process(Database database) {
        return database.one(OWN_PROCESS, row -> row.getInteger(0)).await().atMost(LIMIT);
    }

    private Database database(Vertx vertx, int port) {
        QueenConfig config = TestConfig.with(
                Map.of("queen.database.statement-timeout", "500", "queen.database.connection-timeout", "500"));
        String url = "jdbc:postgresql://127.0.0.1:" + port + "/" + postgres.database();
        Database database = new Database(
                config, new Login(config, url, postgres.user(), postgres.password()), vertx, new Complaints());
        database.admit();
        return database;
    }
}
