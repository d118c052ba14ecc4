package io.queen.benchmark;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What pops cost: {@code mvn test -Dtest=PopBenchmark}. */
@QuarkusTest
class PopBenchmark {
    private static final int ROUNDS = 5;
    private static final String FILL = "with q as (insert into queen.queues (name) values (?) returning id),"
            + " p as (insert into queen.partitions (queue_id, name, head, last_push_at)"
            + " select q.id, 'part-' || g, ?, now() from q, generate_series(0, ? - 1) g returning id),"
            + " m as (insert into queen.messages (partition_id, seq, id, created_at, transaction_id, payload)"
            + " select p.id, s, gen_random_uuid(), now(), 't' || s, '{\"n\":' || s || '}'"
            + " from p, generate_series(1, ?) s)"
            + " insert into queen.partition_consumers (partition_id, consumer_group, cursor)"
            + " select p.id, 'done', ? from p";

    @TestHTTPResource
    URI server;

    /** Example 4 of the POP state machine: one pop for each partition, all sent together. */
    @Test
    void pop_500PartitionsOf100MessagesAtOnce() {
        try (Sql sql = Sql.open()) {
            HttpLoad load = new HttpLoad(server);
            for (int round = 1; round <= ROUNDS; round++) {
                String queue = fill(sql, 500, 100);
                List<String> paths = IntStream.range(0, 500)
                        .mapToObj(i -> "/api/v1/pop/queue/" + queue + "/partition/part-" + i + "?batch=100")
                        .toList();
                HttpLoad.Times times = load.together(paths);
                System.out.printf(
                        "500 pops at once, round %d: wall %.0f ms, p50 %.1f ms, p99 %.1f ms, %d filled, %s connections%n",
                        round, times.wallMillis(), times.at(0.5), times.at(0.99), times.filled(), connections(sql));
            }
        }
    }

    /** A pop of any partition, with 1,000 and with 100,000 of them, nearly all consumed. */
    @Test
    void pop_anyOf1000And100000Partitions() {
        try (Sql sql = Sql.open()) {
            HttpLoad load = new HttpLoad(server);
            Map<String, String> queues = Map.of("  1,000", fill(sql, 1000, 1), "100,000", fill(sql, 100_000, 1));
            sql.run("analyze");
            for (int round = 1; round <= ROUNDS; round++) {
                queues.forEach((size, queue) -> measure(load, size, queue));
            }
        }
    }

    private static void measure(HttpLoad load, String size, String queue) {
        String path = "/api/v1/pop/queue/" + queue + "?autoAck=true&consumerGroup=";
        print(size, "none", load.inTurn(300, path + "done", () -> {}));
        print(size, "one ", load.inTurn(100, path + "done", () -> push(load, queue)));
        print(size, "all ", load.inTurn(100, path + "fresh", () -> {}));
    }

    private static void push(HttpLoad load, String queue) {
        load.post("/api/v1/push", "{\"items\":[{\"queue\":\"" + queue + "\",\"partition\":\"part-7\",\"payload\":1}]}");
    }

    private static void print(String size, String news, HttpLoad.Times times) {
        System.out.printf(
                "any of %s partitions, news in %s: p50 %.2f ms, p99 %.2f ms, %d of %d filled%n",
                size,
                news,
                times.at(0.5),
                times.at(0.99),
                times.filled(),
                times.micros().size());
    }

    private static String fill(Sql sql, int partitions, int messages) {
        String queue = Partitions.name("pops");
        sql.run(FILL, queue, messages, partitions, messages, messages);
        return queue;
    }

    private static Object connections(Sql sql) {
        return sql.value("select count(*) from pg_stat_activity where application_name = 'queen-sidecar'");
    }
}
