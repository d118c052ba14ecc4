package io.queen.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.embedded.TestPostgres;
import io.queen.testing.Sql;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseFiguresStoreTest {
    @ParameterizedTest
    @CsvSource({
        "postgres://me:p%40ss@db:5433/queen?sslmode=require, 5433, me, p@ss, REQUIRE, true",
        "postgresql://me:p@db/queen?sslmode=verify-full, 5432, me, p, VERIFY_FULL, false",
        "jdbc:postgresql://db/queen?user=me&password=p, 5432, me, p, DISABLE, true",
        "jdbc:postgresql://me:x+y@db/queen, 5432, me, x+y, DISABLE, true",
    })
    void url_ofEitherKind_isUnderstood(
            String url, int port, String user, String password, SslMode ssl, boolean trustAll) {
        PgConnectOptions options = DatabaseFiguresStore.options(url);
        assertThat(options.getHost()).isEqualTo("db");
        assertThat(options.getPort()).isEqualTo(port);
        assertThat(options.getDatabase()).isEqualTo("queen");
        assertThat(options.getUser()).isEqualTo(user);
        assertThat(options.getPassword()).isEqualTo(password);
        assertThat(options.getSslMode()).isEqualTo(ssl);
        assertThat(options.isTrustAll()).isEqualTo(trustAll);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mysql://db/queen", "nonsense", "postgres://nobody:x@127.0.0.1:1/queen", "postgres://a b"})
    void open_wrongAddress_isRefusedWithAReason(String url) {
        assertThatThrownBy(() -> new DatabaseFiguresStore(url))
                .isInstanceOf(BenchException.class)
                .hasMessageStartingWith("Cannot use the database of --pg: ");
    }

    @Test
    void read_afterWork_hasGrown() {
        TestPostgres postgres = TestPostgres.shared();
        String url = "postgres://%s:%s@%s:%d/%s"
                .formatted(postgres.user(), postgres.password(), postgres.host(), postgres.port(), postgres.database());
        try (Sql sql = Sql.openMigrated();
                DatabaseFiguresStore figures = new DatabaseFiguresStore(url)) {
            sql.run("create extension if not exists pg_stat_statements");
            Map<String, Long> before = figures.read();
            sql.run("select queen.push_messages_v2('[{\"queue\":\"figures\",\"payload\":1}]')");
            Map<String, Long> after = figures.read();
            assertThat(after.get(ResourceUsage.WAL)).isGreaterThan(before.get(ResourceUsage.WAL));
            assertThat(after.get(ResourceUsage.STATEMENTS)).isGreaterThan(before.get(ResourceUsage.STATEMENTS));
            assertThat(after.get(ResourceUsage.POSTGRES_CPU)).isPositive();
            assertThat(after.get(ResourceUsage.TRANSACTIONS))
                    .isGreaterThanOrEqualTo(before.get(ResourceUsage.TRANSACTIONS));
        }
    }
}
