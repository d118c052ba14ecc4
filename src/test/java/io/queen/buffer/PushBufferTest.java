package io.queen.buffer;

import static io.queen.testing.Client.item;
import static io.queen.testing.Client.post;
import static io.queen.testing.Client.push;
import static io.restassured.RestAssured.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Maintenance;
import io.queen.testing.Parallel;
import io.queen.testing.Partitions;
import io.queen.testing.Pops;
import io.queen.testing.Sql;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Push maintenance, and what it leaves to be drained. Without a twin: it looks at the files of the buffer. */
@QuarkusTest
class PushBufferTest {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    @ConfigProperty(name = "queen.buffer.dir")
    Path directory;

    private final Sql sql = Sql.open();
    private final Partitions partitions = new Partitions(sql);
    private final String queue = Partitions.name("buffer");

    @BeforeEach
    void on() {
        Maintenance.push(true);
    }

    @AfterEach
    void close() {
        drain();
        sql.close();
    }

    @Test
    void push_maintenance_isBufferedWithEveryField() {
        push(item(queue, "p", "t", "1"), "{\"queue\":\"" + queue + "\"}")
                .statusCode(201)
                .body("status", contains("buffered", "buffered"))
                .body("index", contains(0, 1))
                .body("queue", everyItem(equalTo(queue)))
                .body("queueName", everyItem(equalTo(queue)))
                .body("partition", contains("p", "Default"))
                .body("[0].transactionId", equalTo("t"))
                .body("[0].transaction_id", equalTo("t"))
                .body("[1].transactionId", matchesPattern("[0-9a-f-]{36}"))
                .body("[0].message_id", nullValue());
        get("/api/v1/status/buffers")
                .then()
                .statusCode(200)
                .body("pending", equalTo(2))
                .body("failed", equalTo(0))
                .body("dbHealthy", equalTo(true))
                .body("worker", equalTo(0));
        get("/metrics").then().body("buffer.pending", equalTo(2)).body("buffer.healthy", equalTo(true));
        assertThat(get("/metrics/prometheus").asString())
                .contains("queen_file_buffer_pending 2.0", "queen_file_buffer_failed 0.0")
                .contains("queen_file_buffer_db_healthy 1.0");
        assertThat(sql.number("select count(*) from queen.queues where name = ?", queue))
                .isZero();
    }

    @Test
    void drain_afterMaintenance_storesInOrderWithTheAnsweredIds() {
        String made = push("{\"queue\":\"" + queue + "\",\"partition\":\"p\"}")
                .extract()
                .path("[0].transactionId");
        push(item(queue, "p", "t1", "1"), item(queue, "other", "t2", "2"));
        push(item(queue, "p", "t3", "3"));
        drain();
        assertThat(stored("p")).containsExactly(made, "t1", "t3");
        assertThat(stored("other")).containsExactly("t2");
    }

    @Test
    void drain_idPushedTwice_storesItOnce() {
        push(item(queue, "p", "t", "1")).body("[0].status", equalTo("buffered"));
        push(item(queue, "p", "t", "2")).body("[0].status", equalTo("buffered"));
        drain();
        assertThat(stored("p")).containsExactly("t");
        push(item(queue, "p", "t", "3")).body("[0].status", equalTo("duplicate"));
    }

    @Test
    void drain_idStoredBefore_storesNothing() {
        Maintenance.push(false);
        push(item(queue, "p", "t", "1")).body("[0].status", equalTo("queued"));
        Maintenance.push(true);
        push(item(queue, "p", "t", "2")).body("[0].status", equalTo("buffered"));
        drain();
        assertThat(stored("p")).containsExactly("t");
    }

    @Test
    void push_afterMaintenance_comesAfterWhatWasBuffered() {
        for (int i = 0; i < 200; i++) {
            push(item(queue, "p", "a" + i, "1")).body("[0].status", equalTo("buffered"));
        }
        Maintenance.push(false);
        push(item(queue, "p", "last", "1")).statusCode(201).body("[0].status", not(equalTo("failed")));
        drain();
        List<String> stored = stored("p");
        assertThat(stored).hasSize(201).last().isEqualTo("last");
    }

    @Test
    void pop_waitingWhileItIsDrained_isWoken() throws Exception {
        push(item(queue, "p", "t", "\"x\""));
        var waiting = Pops.waiting(queue, "timeout", 60_000);
        Maintenance.push(false);
        assertThat(waiting.get(60, java.util.concurrent.TimeUnit.SECONDS)
                        .jsonPath()
                        .getList("messages.data"))
                .isEqualTo(List.of("x"));
    }

    @Test
    void transaction_maintenance_isNotBuffered() {
        post(
                        "/api/v1/transaction",
                        "{\"operations\":[{\"type\":\"push\",\"items\":[" + item(queue, "p", "t", "1") + "]}]}")
                .statusCode(200)
                .body("success", equalTo(true));
        assertThat(stored("p")).containsExactly("t");
    }

    @Test
    void push_bad_isRefusedAndNotBuffered() {
        push("{\"queue\":7}").statusCode(400);
        assertThat(Maintenance.pending()).isZero();
    }

    @Test
    void push_manyAtOnce_areAllBufferedAndStored() throws Exception {
        List<Callable<Integer>> pushes = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String partition = "p" + i % 4;
            String id = "t" + i;
            pushes.add(() -> push(item(queue, partition, id, "1"))
                    .body("[0].status", equalTo("buffered"))
                    .extract()
                    .statusCode());
        }
        assertThat(Parallel.run(pushes)).containsOnly(201);
        assertThat(Maintenance.pending()).isEqualTo(40);
        drain();
        assertThat(sql.number(
                        "select count(*) from queen.messages m join queen.partitions p on p.id = m.partition_id"
                                + " join queen.queues q on q.id = p.queue_id where q.name = ?",
                        queue))
                .isEqualTo(40);
    }

    @Test
    void drain_refusedByPostgres_isSetAsideAndTheOthersAreStored() {
        sql.run("create function public.buffer_poison() returns trigger language plpgsql as"
                + " $$ begin raise exception 'poison' using errcode = '22023'; end $$");
        sql.run("create trigger buffer_poison before insert on queen.messages for each row"
                + " when (new.transaction_id like 'buffer-poison%') execute function public.buffer_poison()");
        try {
            push(item(queue, "p", "t1", "1"));
            push(item(queue, "p", "buffer-poison", "1"));
            push(item(queue, "p", "t2", "1"));
            drain();
        } finally {
            sql.run("drop trigger buffer_poison on queen.messages");
            sql.run("drop function public.buffer_poison()");
        }
        assertThat(stored("p")).containsExactly("t1", "t2");
        assertThat(directory.resolve("failed").toFile().list()).hasSize(1);
        get("/api/v1/status/buffers").then().body("failed", equalTo(1));
        assertThat(directory.resolve("failed").toFile().listFiles()[0].delete()).isTrue();
        await().atMost(LIMIT)
                .until(() -> get("/api/v1/status/buffers").jsonPath().getInt("failed") == 0);
    }

    private void drain() {
        Maintenance.push(false);
        await().atMost(LIMIT).until(() -> Maintenance.pending() == 0);
    }

    private List<String> stored(String partition) {
        return sql
                .rows(
                        "select transaction_id from queen.messages where partition_id = ? order by seq",
                        partitions.id(queue, partition))
                .stream()
                .map(row -> (String) row.get("transaction_id"))
                .toList();
    }
}
