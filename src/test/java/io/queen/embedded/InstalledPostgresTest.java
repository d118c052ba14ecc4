package io.queen.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.queen.Sql;
import org.junit.jupiter.api.Test;

/** In the run that is meant for it: that it really is on the installed one. */
class InstalledPostgresTest {
    @Test
    void shared_installedOneAskedFor_isThatWithItsDefaults() {
        assumeTrue(TestPostgres.isInstalledOne());
        try (Sql sql = Sql.open()) {
            assertThat(sql.text("show config_file")).contains("test-postgres-");
            assertThat(sql.number("select count(*) from pg_settings"
                            + " where source = 'configuration file' and name ~ '^(jit|enable_|.*_page_cost|work_mem)'"))
                    .isZero();
        }
    }
}
