package io.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.queen.embedded.TestPostgres;
import io.queen.testing.Http;
import io.queen.testing.ServerProcess;
import io.queen.testing.Sql;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two servers on one database fire each due time once, and so does the one that is left. */
class ScheduleProcessTest {
    private static final Duration EVENTUALLY = Duration.ofMinutes(2);
    private static final int SCHEDULES = 20;

    private final Http http = new Http(Duration.ofSeconds(30));
    private TestPostgres postgres;
    private ServerProcess a;
    private ServerProcess b;

    @BeforeEach
    void start() throws Exception {
        postgres = TestPostgres.shared().createDatabase("schedules");
        Map<String, String> environment = postgres.environment();
        a = ServerProcess.start(environment).awaitReady();
        b = ServerProcess.start(environment).awaitReady();
    }

    @AfterEach
    void stop() {
        a.close();
        b.close();
    }

    /** Many schedules each second over both servers, one of which dies in the middle, and comes back. */
    @Test
    void schedules_eachSecond_fireOncePerDueTimeOverADeath() throws Exception {
        for (int i = 0; i < SCHEDULES; i++) {
            JsonObject body = new JsonObject()
                    .put("queue", "ticks")
                    .put("partition", "p" + i)
                    .put("intervalSeconds", 1)
                    .put("missed", "all")
                    .put("payload", i);
            String path = "/api/v1/schedules/tick-" + i;
            assertThat(http.send("PUT", (i % 2 == 0 ? a : b).uri(path), null, body.encode())
                            .statusCode())
                    .isEqualTo(201);
        }
        awaitMessages(5 * SCHEDULES);
        a.kill();
        awaitMessages(10 * SCHEDULES);
        a = ServerProcess.start(postgres.environment()).awaitReady();
        awaitMessages(15 * SCHEDULES);
        b.kill();
        awaitMessages(20 * SCHEDULES);
        for (int i = 0; i < SCHEDULES; i++) {
            http.send("POST", a.uri("/api/v1/schedules/tick-" + i + "/pause"), null, "");
        }
        assertEachSecondOnce();
    }

    private void awaitMessages(int count) {
        try (Sql sql = Sql.open(postgres)) {
            long before = sql.number("select count(*) from queen.messages");
            await().atMost(EVENTUALLY)
                    .until(() ->
                            sql.number("select count(*) from queen.messages") >= Math.max(count, before + SCHEDULES));
        }
    }

    /** From the first due time of each schedule to its last, in the order of the partition. */
    private void assertEachSecondOnce() {
        try (Sql sql = Sql.open(postgres)) {
            for (int i = 0; i < SCHEDULES; i++) {
                List<Instant> times = sql
                        .rows(
                                "select m.transaction_id from queen.messages m join queen.partitions p on p.id = m.partition_id"
                                        + " where p.name = ? order by m.seq",
                                "p" + i)
                        .stream()
                        .map(row -> row.get("transaction_id").toString())
                        .map(id -> Instant.parse(id.substring(id.indexOf(':', "schedule:".length()) + 1)))
                        .toList();
                assertThat(times).hasSizeGreaterThan(5);
                for (int k = 1; k < times.size(); k++) {
                    assertThat(times.get(k)).isEqualTo(times.get(k - 1).plusSeconds(1));
                }
            }
        }
    }
}
