package io.queen.buffer;

import static io.queen.testing.Client.item;
import static io.queen.testing.Client.push;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Maintenance;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Producers that never stop while maintenance comes and goes. */
@QuarkusTest
class PushBufferHistoryTest {
    private static final int PRODUCERS = 4;
    private static final int ROUNDS = 4;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @Test
    void order_maintenanceOnAndOff_isThatOfEachProducerAndEachMessageIsThereOnce() throws Exception {
        String queue = Partitions.name("buffer-history");
        AtomicBoolean enough = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS);
        try {
            List<Future<Integer>> producers = IntStream.range(0, PRODUCERS)
                    .mapToObj(i -> threads.submit(producer(queue, "p" + i, enough)))
                    .toList();
            for (int round = 0; round < ROUNDS; round++) {
                Maintenance.push(true);
                await().atMost(LIMIT).until(() -> Maintenance.pending() >= 2 * PRODUCERS);
                Maintenance.push(false);
                await().atMost(LIMIT).until(() -> Maintenance.pending() == 0);
            }
            enough.set(true);
            for (int i = 0; i < PRODUCERS; i++) {
                int pushed = producers.get(i).get(60, TimeUnit.SECONDS);
                await().atMost(LIMIT).until(() -> Maintenance.pending() == 0);
                assertThat(stored(queue, "p" + i))
                        .isEqualTo(IntStream.range(0, pushed)
                                .mapToObj(Integer::toString)
                                .toList());
            }
        } finally {
            enough.set(true);
            Maintenance.push(false);
            threads.shutdownNow();
        }
    }

    private static Callable<Integer> producer(String queue, String partition, AtomicBoolean enough) {
        return () -> {
            int next = 0;
            while (!enough.get()) {
                push(item(queue, partition, Integer.toString(next), "1")).statusCode(201);
                next++;
            }
            return next;
        };
    }

    private static List<String> stored(String queue, String partition) {
        try (Sql sql = Sql.open()) {
            return sql
                    .rows(
                            "select transaction_id from queen.messages where partition_id = ? order by seq",
                            new Partitions(sql).id(queue, partition))
                    .stream()
                    .map(row -> (String) row.get("transaction_id"))
                    .toList();
        }
    }
}
