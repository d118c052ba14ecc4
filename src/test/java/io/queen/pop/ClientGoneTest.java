package io.queen.pop;

import static io.queen.testing.Pops.data;
import static io.queen.testing.Pops.pop;
import static io.queen.testing.Pops.push;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.Pops;
import io.queen.testing.RawHttp;
import io.queen.testing.Sql;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A client that leaves while PostgreSQL claims a partition for it. The claim is held up by a lock on the table. */
@QuarkusTest
class ClientGoneTest {
    private static final String HELD_UP = "select count(*) from pg_stat_activity"
            + " where wait_event_type = 'Lock' and query ~ 'pop_sm_|changes_since' and application_name = 'queen-sidecar'";

    private final String queue = Partitions.name("departure");

    @Test
    void client_leavesDuringTheClaim_leavesNoLeaseBehind() throws IOException {
        Pops.configure(queue, Map.of("leaseTime", 300));
        push(queue, "p", 1);
        try (Sql lock = Sql.open();
                Sql sql = Sql.open()) {
            lock.run("begin");
            lock.run("lock table queen.partition_consumers in access exclusive mode");
            try (RawHttp abandoned = Pops.abandoned(queue)) {
                await().until(() -> abandoned.isOpen() && (Long) sql.value(HELD_UP) > 0);
            }
            lock.run("commit");
            await().pollDelay(Duration.ofMillis(50))
                    .atMost(Duration.ofSeconds(10))
                    .untilAsserted(() -> assertThat(data(pop(queue))).containsExactly(1));
        }
    }
}
