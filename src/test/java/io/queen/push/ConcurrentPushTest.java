package io.queen.push;

import static io.queen.testing.Client.item;
import static io.queen.testing.Client.push;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Parallel;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import io.restassured.response.ValidatableResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** Pushers that meet in one partition. */
@QuarkusTest
class ConcurrentPushTest {
    @AutoClose
    private final Sql sql = Sql.open();

    private final Partitions partitions = new Partitions(sql);
    private final String queue = Partitions.name("concurrent");

    @RepeatedTest(5)
    void push_eightOfOneTransactionId_oneIsQueuedAndAllGetItsId() throws Exception {
        List<Callable<Map<String, String>>> pushers = Collections.nCopies(
                8,
                () -> push(item(queue, "p", "same", "1"))
                        .statusCode(201)
                        .extract()
                        .path("[0]"));
        List<Map<String, String>> results = Parallel.run(pushers);
        assertThat(results).extracting(result -> result.get("message_id")).containsOnly(storedId());
        assertThat(results)
                .filteredOn(result -> result.get("status").equals("queued"))
                .hasSize(1);
        assertThat(results)
                .filteredOn(result -> result.get("status").equals("duplicate"))
                .hasSize(7);
    }

    /**
     * A push that takes its place first and commits last: ordered by time it would appear behind a cursor that has gone
     * past it. Here the second push waits, and nobody sees the one without the other.
     */
    @Test
    void push_whileAnotherIsUncommitted_comesAfterItInSequenceAndInVisibility() throws Exception {
        push(item(queue, "p", "first", "1")).statusCode(201);
        Sql slow = Sql.open().begin();
        slow.run("select queen.push_messages_v2(?::jsonb)", "[" + item(queue, "p", "slow", "2") + "]");
        CompletableFuture<ValidatableResponse> later =
                CompletableFuture.supplyAsync(() -> push(item(queue, "p", "later", "3")));
        sql.awaitSessionThatWaitsForALock();
        assertThat(visible()).isEqualTo("1first");
        assertThat(later).isNotDone();
        slow.commit();
        slow.close();
        later.get(10, TimeUnit.SECONDS).statusCode(201);
        assertThat(visible()).isEqualTo("1first 2slow 3later");
    }

    /** A consumer that always goes on after the last sequence number it saw misses nothing. */
    @Test
    void push_manyAndTransactionsHeldOpen_readerByCursorMissesNothing() throws Exception {
        push(item(queue, "p", "start", "0"));
        List<Callable<Integer>> tasks = new ArrayList<>();
        for (int pusher = 0; pusher < 4; pusher++) {
            int number = pusher;
            tasks.add(() -> pushOverHttp(number));
            tasks.add(() -> pushInTransactions(number));
        }
        List<String> seen = new ArrayList<>();
        tasks.add(() -> readByCursor(seen, 1 + 8 * 25));
        Parallel.run(tasks);
        assertThat(seen).hasSize(1 + 8 * 25).doesNotHaveDuplicates();
        assertThat(sql.number("select head from queen.partitions where id = ?", partitions.id(queue, "p")))
                .isEqualTo(seen.size());
    }

    private int pushOverHttp(int pusher) {
        for (int i = 0; i < 25; i++) {
            push(item(queue, "p", "http-" + pusher + "-" + i, "1")).statusCode(201);
        }
        return 0;
    }

    private int pushInTransactions(int pusher) {
        try (Sql own = Sql.open()) {
            for (int i = 0; i < 25; i++) {
                own.begin();
                String items = "[" + item(queue, "p", "sql-" + pusher + "-" + i, "1") + "]";
                own.run("select queen.push_messages_v2(?::jsonb), pg_sleep(0.002)", items);
                own.commit();
            }
        }
        return 0;
    }

    private int readByCursor(List<String> seen, int expected) {
        try (Sql own = Sql.open()) {
            long[] cursor = {0};
            await().atMost(50, TimeUnit.SECONDS)
                    .pollDelay(0, TimeUnit.MILLISECONDS)
                    .until(() -> {
                        for (Map<String, Object> row : own.rows(
                                "select seq, transaction_id from queen.messages where partition_id = ? and seq > ? order by seq",
                                partitions.id(queue, "p"),
                                cursor[0])) {
                            cursor[0] = (long) row.get("seq");
                            seen.add((String) row.get("transaction_id"));
                        }
                        return seen.size() >= expected;
                    });
        }
        return 0;
    }

    private String storedId() {
        return sql.text("select id from queen.messages where partition_id = ?", partitions.id(queue, "p"));
    }

    private String visible() {
        return sql.text(
                "select string_agg(seq || transaction_id, ' ' order by seq) from queen.messages where partition_id = ?",
                partitions.id(queue, "p"));
    }
}
