package io.queen.sidecar;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.queen.testing.Client;
import io.queen.testing.Parallel;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import io.restassured.response.Response;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A transaction of another session, and requests that wait for what it holds. */
public final class HeldOutside implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Sql session = Sql.open().begin();

    /** Pushes {@code outside} there, as an application does inside its own transaction. */
    public void push(String queue, String partition) {
        session.run(
                "select queen.push_messages_v2(?::jsonb)", "[" + Client.item(queue, partition, "outside", "0") + "]");
    }

    public void run(String sql, Object... arguments) {
        session.run(sql, arguments);
    }

    public void lockConsumer(UUID partition) {
        run("select from queen.partition_consumers where partition_id = ? for update", partition);
    }

    public void commit() {
        session.commit();
    }

    /** Sends the request, and comes back when so many of its operation wait for the lock. */
    public static CompletableFuture<Response> waiting(String operation, int count, Supplier<Response> request) {
        CompletableFuture<Response> answer = CompletableFuture.supplyAsync(request, Parallel.THREADS);
        await().atMost(LIMIT).until(() -> held(operation) == count);
        return answer;
    }

    public static int held(String operation) {
        return given().get("/metrics").jsonPath().getInt("sidecar.operations." + operation + ".held");
    }

    /** None of them has an answer, and none has a connection that waits in PostgreSQL; this waits for a moment to see it. */
    public static void assertStillWaiting(List<CompletableFuture<Response>> answers) {
        assertThat(answers).noneMatch(CompletableFuture::isDone);
        try (Sql sql = Sql.open()) {
            await().until(() -> sql.number("select count(*) from pg_stat_activity"
                            + " where application_name = 'queen-sidecar' and wait_event_type = 'Lock'")
                    == 0);
        }
    }

    public static Response get(CompletableFuture<Response> answer) throws Exception {
        return answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    /** The transaction ids of a partition, in order. */
    public static List<String> stored(Sql sql, String queue, String partition) {
        return sql
                .rows(
                        "select transaction_id from queen.messages where partition_id = ? order by seq",
                        new Partitions(sql).id(queue, partition))
                .stream()
                .map(row -> (String) row.get("transaction_id"))
                .toList();
    }

    @Override
    public void close() {
        session.close();
    }
}
