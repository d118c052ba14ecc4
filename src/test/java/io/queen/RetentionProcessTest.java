package io.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.queen.embedded.TestPostgres;
import io.queen.testing.ServerProcess;
import io.queen.testing.Sql;
import io.vertx.core.json.JsonObject;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Two servers that remove what is old, several times a second. */
class RetentionProcessTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static TestPostgres postgres;
    private static ServerProcess a;
    private static ServerProcess b;

    private final String queue = "aging-" + UUID.randomUUID();

    @BeforeAll
    static void start() throws Exception {
        postgres = TestPostgres.shared().createDatabase("aging");
        Map<String, String> environment = new HashMap<>(postgres.environment());
        environment.putAll(Map.of(
                "RETENTION_INTERVAL", "200",
                "RETENTION_BATCH_SIZE", "7",
                "EVICTION_INTERVAL", "200",
                "EVICTION_BATCH_SIZE", "7"));
        a = ServerProcess.start(environment).awaitReady();
        b = ServerProcess.start(environment).awaitReady();
    }

    @AfterAll
    static void stop() {
        a.close();
        b.close();
    }

    private void configure(String option, int value) throws Exception {
        JsonObject options = new JsonObject().put(option, value);
        JsonObject body = new JsonObject().put("queue", queue).put("options", options);
        assertThat(a.post("/api/v1/configure", body).statusCode()).isEqualTo(200);
    }

    private List<Integer> pop(ServerProcess server, String query) throws Exception {
        HttpResponse<String> response = server.get("/api/v1/pop/queue/" + queue + "?autoAck=true&" + query);
        List<Integer> data = new ArrayList<>();
        if (response.statusCode() != 204) {
            new JsonObject(response.body())
                    .getJsonArray("messages")
                    .forEach(message -> data.add(((JsonObject) message).getInteger("data")));
        }
        return data;
    }

    private long stored() {
        try (Sql sql = Sql.open(postgres)) {
            return sql.number(
                    "select count(*) from queen.messages m join queen.partitions p on p.id = m.partition_id"
                            + " join queen.queues q on q.id = p.queue_id where q.name = ?",
                    queue);
        }
    }

    private long removed(String kind) {
        try (Sql sql = Sql.open(postgres)) {
            return sql.number(
                    "select coalesce(sum(deleted_count), 0) from queen.retention_history where queue_name = ? and kind = ?",
                    queue,
                    kind);
        }
    }

    private static int[] numbers(int from, int count) {
        return IntStream.range(from, from + count).toArray();
    }

    @Test
    void retentionSeconds_alone_removesAll() throws Exception {
        configure("retentionSeconds", 1);
        a.push(queue, "p", numbers(0, 100));
        await().atMost(LIMIT).untilAsserted(() -> assertThat(stored()).isZero());
        assertThat(removed("retention")).isEqualTo(100);
        assertThat(pop(b, "batch=10")).isEmpty();
        b.push(queue, "p", 1);
        assertThat(pop(a, "batch=10")).containsExactly(1);
    }

    @Test
    void audit_olderThanItsDays_isRemoved() throws Exception {
        configure("retentionSeconds", 0);
        try (Sql sql = Sql.open(postgres)) {
            String count = "select count(*) from queen.audit where queue_name = ?";
            await().atMost(LIMIT).until(() -> sql.number(count, queue) == 1);
            sql.run("update queen.audit set at = now() - interval '91 days' where queue_name = ?", queue);
            await().atMost(LIMIT).until(() -> sql.number(count, queue) == 0);
        }
    }

    @Test
    void maxWaitTimeSeconds_waitingMessages_areRemoved() throws Exception {
        configure("maxWaitTimeSeconds", 3600);
        a.push(queue, "p", numbers(0, 30));
        assertThat(pop(a, "batch=10")).hasSize(10);
        configure("maxWaitTimeSeconds", 1);
        await().atMost(LIMIT).untilAsserted(() -> assertThat(stored()).isEqualTo(10));
        assertThat(removed("eviction")).isEqualTo(20);
        assertThat(pop(b, "batch=100")).isEmpty();
    }

    @Test
    void idlePartition_removed_isMadeAnewForBothServers() throws Exception {
        for (ServerProcess server : List.of(a, b)) {
            server.push(queue, "p", 1);
            assertThat(pop(server, "consumerGroup=g&subscriptionMode=all")).containsExactly(1);
        }
        UUID before = partition();
        try (Sql sql = Sql.open(postgres)) {
            sql.run("delete from queen.messages where partition_id = ?", before);
            sql.run(
                    "update queen.partitions set removed = head, tail = head, last_push_at = now() - interval '40 days' where id = ?",
                    before);
        }
        await().atMost(LIMIT).untilAsserted(() -> assertThat(partition()).isNull());
        a.push(queue, "p", 2);
        b.push(queue, "p", 3);
        assertThat(partition()).isNotNull().isNotEqualTo(before);
        assertThat(pop(b, "consumerGroup=g")).containsExactly(2);
        assertThat(pop(a, "consumerGroup=g")).containsExactly(3);
    }

    private UUID partition() {
        try (Sql sql = Sql.open(postgres)) {
            return (UUID) sql.value(
                    "select max(p.id::text)::uuid from queen.partitions p join queen.queues q on q.id = p.queue_id where q.name = ? and p.name = 'p'",
                    queue);
        }
    }

    @Test
    void completedRetention_duringTraffic_losesNothingThatIsNotDue() throws Exception {
        configure("completedRetentionSeconds", 1);
        Map<Integer, Integer> seen = new HashMap<>();
        int pushed = 0;
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while ((removed("completed") < 50 || pushed < 300) && System.nanoTime() < deadline) {
            ServerProcess server = pushed % 20 == 0 ? a : b;
            server.push(queue, "p" + pushed / 10 % 3, numbers(pushed, 10));
            pushed += 10;
            count(pop(server == a ? b : a, "batch=8"), seen);
        }
        int rest = pushed;
        await().atMost(LIMIT).untilAsserted(() -> {
            count(pop(a, "batch=100"), seen);
            assertThat(seen).hasSize(rest);
        });
        assertThat(seen.values()).containsOnly(1);
        assertThat(removed("completed")).isGreaterThanOrEqualTo(50);
    }

    private static void count(Collection<Integer> popped, Map<Integer, Integer> seen) {
        popped.forEach(number -> seen.merge(number, 1, Integer::sum));
    }

    @Test
    void shutdown_always_writesTheLastFigures() throws Exception {
        Map<String, String> environment = postgres.environment();
        try (ServerProcess server = ServerProcess.start(environment).awaitReady()) {
            server.push(queue, "p", 1, 2, 3);
        }
        try (Sql sql = Sql.open(postgres)) {
            assertThat(sql.number(
                            "select coalesce(sum((metrics ->> 'pushMessages')::numeric), 0) from queen.metric_buckets where queue_name = ?",
                            queue))
                    .isEqualTo(3);
        }
    }
}
