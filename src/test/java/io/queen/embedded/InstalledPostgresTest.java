package io.queen.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.AlsoOnInstalledPostgres;
import io.queen.testing.Sql;
import org.junit.jupiter.api.Test;

/** Both runs of the tests: that each really is on the PostgreSQL that is meant. */
@AlsoOnInstalledPostgres
class InstalledPostgresTest {
    @Test
    void shared_installedOneAskedFor_isThatWithItsDefaults() {
        try (Sql sql = Sql.open()) {
            assertThat(sql.text("show config_file")).contains("test-postgres-");
            assertThat(sql.number(
                                    "select count(*) from pg_settings"
                                            + " where source = 'configuration file' and name ~ '^(jit|enable_|.*_page_cost|work_mem)'")
                            == 0)
                    .isEqualTo(TestPostgres.isInstalledOne());
        }
    }
}
