package io.queen.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.embedded.TestPostgres;
import io.queen.testing.ServerProcess;
import io.queen.testing.Sql;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A server of 256 MB under {@link MixedLoad}. */
class SoakProcessTest {
    private static final int SECONDS = Integer.getInteger("soak.seconds", 15);
    /** A shorter run has not had its first vacuum of every table. */
    private static final int SECONDS_TO_JUDGE_GROWTH = 600;

    @Test
    void everything_atOnce_worksAndLevelsOff() throws Exception {
        TestPostgres postgres = TestPostgres.shared().createDatabase("soak");
        Tally tally = new Tally();
        long seed = Long.getLong("soak.seed", new Random().nextInt(1_000_000));
        System.out.println("soak: seed " + seed + ", " + SECONDS + " s");
        try (ServerProcess server = ServerProcess.start(environment(postgres)).awaitReady();
                Sql sql = Sql.open(postgres)) {
            MixedLoad load = new MixedLoad(server.uri("/"), tally, seed);
            load.start();
            Growth growth = new Growth(samples(server, sql));
            load.end();
            System.out.print(growth.table() + tally);
            assertThat(tally.unwelcome()).as(server::log).isEmpty();
            assertThat(tally.withoutSuccess()).isEmpty();
            assertThat(server.log()).doesNotContain("ERROR [", "OutOfMemory");
            if (SECONDS >= SECONDS_TO_JUDGE_GROWTH) {
                assertThat(growth.unending()).isEmpty();
            }
        }
    }

    private static Map<String, String> environment(TestPostgres postgres) {
        Map<String, String> environment = new HashMap<>(postgres.environment());
        environment.putAll(Map.of(
                "JAVA_TOOL_OPTIONS", "-Xmx256m",
                "RETENTION_INTERVAL", "1000",
                "EVICTION_INTERVAL", "1000",
                "PARTITION_CLEANUP_DAYS", "1"));
        return environment;
    }

    private static List<Map<String, Long>> samples(ServerProcess server, Sql sql) throws Exception {
        List<Map<String, Long>> samples = new ArrayList<>();
        int interval = Math.max(1, SECONDS / 90);
        for (int second = 0; second < SECONDS; second += interval) {
            TimeUnit.SECONDS.sleep(interval);
            samples.add(Sample.of(server.pid(), sql));
        }
        return samples;
    }
}
