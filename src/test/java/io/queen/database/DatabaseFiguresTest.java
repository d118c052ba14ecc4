package io.queen.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.Sql;
import io.queen.embedded.TestPostgres;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseFiguresTest {
    @ParameterizedTest
    @CsvSource({
        "postgres://me:p%40ss@db:5433/queen?sslmode=require, jdbc:postgresql://db:5433/queen?sslmode=require, me, p@ss",
        "postgresql://me@db/queen, jdbc:postgresql://db/queen, me,",
        "jdbc:postgresql://db/queen?user=me, jdbc:postgresql://db/queen?user=me,,",
        "jdbc:postgresql://me:x+y@db/queen, jdbc:postgresql://db/queen, me, x+y",
    })
    void url_ofEitherKind_becomesJdbc(String url, String jdbc, String user, String password) {
        Properties properties = new Properties();
        assertThat(DatabaseFigures.jdbcUrl(url, properties)).isEqualTo(jdbc);
        assertThat(properties.getProperty("user")).isEqualTo(user);
        assertThat(properties.getProperty("password")).isEqualTo(password);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mysql://db/queen", "nonsense", "postgres://nobody:x@127.0.0.1:1/queen", "postgres://a b"})
    void open_wrongAddress_isRefusedWithAReason(String url) {
        assertThatThrownBy(() -> DatabaseFigures.open(url)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void read_afterWork_hasGrown() {
        TestPostgres postgres = TestPostgres.shared();
        String url = "postgres://%s:%s@%s:%d/%s"
                .formatted(postgres.user(), postgres.password(), postgres.host(), postgres.port(), postgres.database());
        try (Sql sql = Sql.openMigrated();
                DatabaseFigures figures = DatabaseFigures.open(url)) {
            sql.run("create extension if not exists pg_stat_statements");
            DatabaseFigures.Reading before = figures.read();
            sql.run("select queen.push_messages_v2('[{\"queue\":\"figures\",\"payload\":1}]')");
            DatabaseFigures.Reading after = figures.read();
            assertThat(after.walBytes()).isGreaterThan(before.walBytes());
            assertThat(after.statements()).isGreaterThan(before.statements());
            assertThat(after.cpuMicros()).isPositive();
            assertThat(after.transactions()).isGreaterThanOrEqualTo(before.transactions());
        }
    }
}
