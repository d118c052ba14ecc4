package io.queen.benchmark;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What looking at a large queue costs: {@code mvn test -Dtest=InspectionBenchmark}. */
@QuarkusTest
class InspectionBenchmark {
    private static final int ROUNDS = 15;
    private static final int PARTITIONS = 100_000;
    private static final int MESSAGES = 10;
    private static final String FILL = "with q as (insert into queen.queues (name, namespace, task)"
            + " values (?, 'bench', 'big') returning id),"
            + " p as (insert into queen.partitions (queue_id, name, head, last_push_at, created_at)"
            + " select q.id, 'part-' || g, ?, now() - g * interval '1 ms', now() - interval '1 day'"
            + " from q, generate_series(1, ?) g returning id, last_push_at),"
            + " m as (insert into queen.messages (partition_id, seq, id, created_at, transaction_id, payload)"
            + " select p.id, s, gen_random_uuid(), p.last_push_at - (? - s) * interval '15 minutes', 't' || s,"
            + " '{\"n\":' || s || '}' from p, generate_series(1, ?) s),"
            + " c as (insert into queen.partition_consumers (partition_id, consumer_group, cursor)"
            + " select p.id, g.name, g.cursor from p, (values ('ledger', 4), ('mail', 8)) g (name, cursor))"
            + " insert into queen.dead_letters (partition_id, consumer_group, seq, message_id, transaction_id)"
            + " select p.id, 'mail', 3, gen_random_uuid(), 't3' from p limit 1000";

    @TestHTTPResource
    URI server;

    @Test
    void inspection_100000PartitionsOf10Messages() {
        try (Sql sql = Sql.open()) {
            HttpLoad load = new HttpLoad(server);
            String queue = Partitions.name("inspected");
            sql.run(FILL, queue, MESSAGES, PARTITIONS, MESSAGES, MESSAGES);
            sql.run("vacuum analyze");
            Object partition = sql.value(
                    "select p.id from queen.partitions p join queen.queues q on q.id = p.queue_id"
                            + " where q.name = ? and p.name = 'part-7'",
                    queue);
            for (String path : paths(queue, partition)) {
                HttpLoad.Times times = load.inTurn(ROUNDS, "/api/v1/" + path, () -> {});
                System.out.printf("p50 %7.1f ms  max %7.1f ms  GET %s%n", times.at(0.5), times.at(0.99), path);
            }
        }
    }

    private static List<String> paths(String queue, Object partition) {
        return List.of(
                "resources/queues",
                "resources/queues/" + queue + "?limit=100",
                "resources/queues/" + queue,
                "resources/partitions?queue=" + queue,
                "resources/namespaces",
                "resources/tasks",
                "resources/overview",
                "status/queues",
                "status/queues/" + queue,
                "status/queues/" + queue + "/messages",
                "messages?queue=" + queue,
                "messages?queue=" + queue + "&partition=part-7&from=2d",
                "messages?status=pending&queue=" + queue,
                "messages?status=dead_letter&from=2d&queue=" + queue,
                "messages/" + partition + "/t7",
                "dlq?queue=" + queue);
    }
}
