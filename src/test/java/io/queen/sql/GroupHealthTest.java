package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.Sql;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GroupHealthTest {
    @AutoClose
    private final Sql sql = Sql.openMigrated();

    @ParameterizedTest
    @CsvSource(textBlock = """
            # paused, leases, waiting, consumers, lag, lag seconds, still seconds, health
            false,    0,      0,       0,         0,   0,           0,             idle
            false,    0,      0,       0,         0,   0,           86400,         idle
            false,    0,      0,       0,         0,   0,                        , idle
            false,    0,      0,       0,         9,   300,         86400,         idle
            false,    1,      0,       0,         9,   10,          10,            active
            false,    0,      1,       0,         0,   0,           86400,         active
            false,    0,      0,       1,         0,   0,                        , active
            false,    1,      0,       0,         9,   300,         86400,         active
            false,    1,      5,       5,         9,   301,         300,           lagging
            false,    0,      0,       0,         1,   301,         0,             lagging
            false,    1,      5,       5,         9,   301,         301,           stuck
            false,    0,      0,       0,         9,   301,         301,           stuck
            false,    0,      0,       0,         9,   301,                      , stuck
            false,    0,      3,       3,         0,   301,         301,           active
            true,     1,      1,       1,         9,   301,         301,           paused
            true,     0,      0,       0,         0,   0,                        , paused
            """)
    void health_ofWhatIsKnown_isOneWord(
            boolean paused,
            long leases,
            long waiting,
            long consumers,
            long lag,
            long lagSeconds,
            Long stillSeconds,
            String health) {
        assertThat(sql.row(
                        "select queen.group_health_v1(?, ?, ?, ?, ?, ?, ?::bigint) as health",
                        paused,
                        leases,
                        waiting,
                        consumers,
                        lag,
                        lagSeconds,
                        stillSeconds))
                .containsEntry("health", health);
    }
}
