package io.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.queen.embedded.TestPostgres;
import io.queen.testing.Parallel;
import io.queen.testing.ServerProcess;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A server under load is told to stop. */
class ShutdownProcessTest {
    private static final int PRODUCERS = 6;
    private static final int POLLS = 5;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final String queue = "shutdown-" + UUID.randomUUID();
    private final Set<String> stored = ConcurrentHashMap.newKeySet();
    private final Set<String> unanswered = ConcurrentHashMap.newKeySet();

    @Test
    void terminate_underLoad_answersWhatItTookAndLosesNothing() throws Exception {
        TestPostgres postgres = TestPostgres.shared().createDatabase("shutdown");
        Map<String, String> environment = postgres.environment();
        ServerProcess server = ServerProcess.start(environment).awaitReady();
        List<CompletableFuture<Integer>> polls =
                IntStream.range(0, POLLS).mapToObj(i -> poll(server)).toList();
        await().atMost(LIMIT).until(() -> server.parked() == POLLS);
        List<CompletableFuture<Void>> producers = IntStream.range(0, PRODUCERS)
                .mapToObj(i -> CompletableFuture.runAsync(() -> produce(server, "p" + i), Parallel.THREADS))
                .toList();
        await().atMost(LIMIT).until(() -> stored.size() > 20 * PRODUCERS);

        server.terminate();

        for (CompletableFuture<Integer> poll : polls) {
            assertThat(poll.get(60, TimeUnit.SECONDS)).isEqualTo(204);
        }
        for (CompletableFuture<Void> producer : producers) {
            producer.get(60, TimeUnit.SECONDS);
        }
        assertThat(server.awaitExit()).as(server.log()).isIn(0, 143);
        assertThat(server.log()).doesNotContain("Timed out waiting").doesNotContain("\tat ");
        assertThat(rows(postgres)).containsAll(stored).doesNotHaveDuplicates();
        try (ServerProcess next = ServerProcess.start(environment).awaitReady()) {
            for (String id : unanswered) {
                assertThat(push(next, id)).isEqualTo(201);
            }
        }
        assertThat(rows(postgres)).containsAll(stored).containsAll(unanswered).doesNotHaveDuplicates();
    }

    private CompletableFuture<Integer> poll(ServerProcess server) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return server.get("/api/v1/pop/queue/none-" + queue + "?wait=true&timeout=25000")
                                .statusCode();
                    } catch (IOException | InterruptedException e) {
                        throw new IllegalStateException(e);
                    }
                },
                Parallel.THREADS);
    }

    /** Pushes until one is not taken. The partition is part of the id. */
    private void produce(ServerProcess server, String partition) {
        for (int i = 0; ; i++) {
            String id = partition + "/" + i;
            try {
                int status = push(server, id);
                if (status != 201) {
                    assertThat(status).isEqualTo(503);
                    unanswered.add(id);
                    return;
                }
                stored.add(id);
            } catch (IOException | InterruptedException e) {
                unanswered.add(id);
                return;
            }
        }
    }

    private int push(ServerProcess server, String id) throws IOException, InterruptedException {
        JsonObject item = new JsonObject()
                .put("queue", queue)
                .put("partition", id.substring(0, id.indexOf('/')))
                .put("transactionId", id)
                .put("payload", 1);
        HttpResponse<String> answer = server.push(item);
        return answer.statusCode();
    }

    private List<String> rows(TestPostgres postgres) throws SQLException {
        List<String> ids = new java.util.ArrayList<>();
        try (Connection connection = postgres.connect();
                PreparedStatement statement = connection.prepareStatement(
                        "select m.transaction_id from queen.messages m join queen.partitions p on p.id = m.partition_id"
                                + " join queen.queues q on q.id = p.queue_id where q.name = ?")) {
            statement.setString(1, queue);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    ids.add(rows.getString(1));
                }
            }
        }
        return ids;
    }
}
