package io.queen.benchmark;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What the first pop of a group costs on queues of 1,000 and of 100,000 partitions with history, in turn: {@code mvn test
 * -Dtest=FirstGroupPopBenchmark}.
 */
@QuarkusTest
class FirstGroupPopBenchmark {
    private static final int ROUNDS = 30;
    private static final int SEEKS = 4;
    private static final String FILL = "with q as (insert into queen.queues (name) values (?) returning id),"
            + " p as (insert into queen.partitions (queue_id, name, head, last_push_at)"
            + " select q.id, 'part-' || g, 2, now() - interval '1 h' from q, generate_series(1, ?) g returning id)"
            + " insert into queen.messages (partition_id, seq, id, created_at, transaction_id, payload)"
            + " select p.id, s, gen_random_uuid(), now() - interval '1 h', 't' || s, '1' from p, generate_series(1, 2) s";
    private static final String CONSUMED =
            "insert into queen.partition_consumers (partition_id, consumer_group, cursor)"
                    + " select p.id, ?, p.head from queen.partitions p join queen.queues q on q.id = p.queue_id where q.name = ?";
    private static final String STATEMENTS =
            "select sum(calls) from public.pg_stat_statements" + " where toplevel and query like '%queen.pop\\_sm%'";

    @TestHTTPResource
    URI server;

    private final Map<String, List<Double>> millis = new LinkedHashMap<>();
    private final Map<String, Long> statements = new LinkedHashMap<>();

    private record Queue(String size, String name) {}

    @Test
    void firstPop_1000And100000PartitionsWithHistory() {
        try (Sql sql = Sql.open()) {
            HttpLoad load = new HttpLoad(server);
            sql.run("create extension if not exists pg_stat_statements schema public");
            List<Queue> queues = List.of(fill(sql, "  1,000", 1000), fill(sql, "100,000", 100_000));
            sql.run("vacuum analyze");
            for (int round = 0; round < ROUNDS; round++) {
                for (Queue queue : queues) {
                    measure(sql, load, queue, "new", "&subscriptionMode=new", Partitions.name("g"));
                    measure(
                            sql,
                            load,
                            queue,
                            "new, waits 50 ms",
                            "&subscriptionMode=new&wait=true&timeout=50",
                            Partitions.name("g"));
                }
            }
            for (int round = 0; round < SEEKS; round++) {
                for (Queue queue : queues) {
                    afterSeek(sql, load, queue);
                    measure(
                            sql,
                            load,
                            queue,
                            "from a time, nothing newer",
                            "&subscriptionFrom=5m",
                            Partitions.name("g"));
                    String known = Partitions.name("known");
                    sql.run(CONSUMED, known, queue.name());
                    measure(sql, load, queue, "all consumed, another server", "", known);
                }
            }
            print();
        }
    }

    private void afterSeek(Sql sql, HttpLoad load, Queue queue) {
        String group = Partitions.name("g");
        load.inTurn(1, path(queue, group) + "&subscriptionMode=new", () -> {});
        load.post("/api/v1/consumer-groups/" + group + "/queues/" + queue.name() + "/seek", "{\"toEnd\":true}");
        measure(sql, load, queue, "after a seek to the end", "", group);
    }

    private void measure(Sql sql, HttpLoad load, Queue queue, String what, String query, String group) {
        long before = sql.number(STATEMENTS);
        HttpLoad.Times times = load.inTurn(1, path(queue, group) + query, () -> {});
        String key = what + ", " + queue.size() + " partitions";
        millis.computeIfAbsent(key, ignored -> new ArrayList<>()).add(times.at(0.5));
        statements.put(key, sql.number(STATEMENTS) - before);
        if (times.filled() > 0) {
            throw new IllegalStateException("a message came: " + key);
        }
    }

    private static String path(Queue queue, String group) {
        return "/api/v1/pop/queue/" + queue.name() + "?consumerGroup=" + group;
    }

    private void print() {
        millis.forEach((what, all) -> System.out.printf(
                "first pop, %-55s p50 %8.2f ms, least %8.2f ms, %d statements%n",
                what,
                all.stream().sorted().toList().get(all.size() / 2),
                all.stream().sorted().toList().get(0),
                statements.get(what)));
    }

    private static Queue fill(Sql sql, String size, int partitions) {
        String name = Partitions.name("history");
        sql.run(FILL, name, partitions);
        return new Queue(size, name);
    }
}
