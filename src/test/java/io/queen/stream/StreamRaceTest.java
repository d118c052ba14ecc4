package io.queen.stream;

import static io.queen.stream.Streams.GROUP;
import static io.queen.stream.Streams.ack;
import static io.queen.stream.Streams.body;
import static io.queen.stream.Streams.ops;
import static io.queen.stream.Streams.push;
import static io.queen.stream.Streams.pushes;
import static io.queen.stream.Streams.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Http;
import io.queen.testing.Parallel;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Many at once: nothing is applied twice, nothing deadlocks, one that is refused takes no other along. */
@QuarkusTest
class StreamRaceTest {
    private static final int CROWD = 40;

    @TestHTTPResource("/")
    URI server;

    @AutoClose
    private final Sql sql = Sql.open();

    private final Http http = new Http(Duration.ofSeconds(60));
    private final Partitions partitions = new Partitions(sql);
    private final String source = Partitions.name("source");
    private UUID query;

    @BeforeEach
    void register() {
        query = Streams.query(source);
    }

    @Test
    void cycles_manyUnderOneLease_applyOnce() throws Exception {
        UUID partition = partitions.push(source, Partitions.name("p"), 3);
        UUID lease = partitions.lease(partition, GROUP, 3);
        String sink = Partitions.name("sink");
        List<Callable<HttpResponse<String>>> tasks = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            String cycle = body(
                    query, partition, ops(upsert("k" + i, "1")), pushes(push(sink, "1", "")), ack("m3", lease, ""));
            tasks.add(() -> http.post(server.resolve("/streams/v1/cycle"), cycle));
        }
        List<HttpResponse<String>> answers = Parallel.run(tasks);
        assertThat(answers)
                .filteredOn(answer -> answer.body().startsWith("{\"success\":true"))
                .hasSize(1);
        assertThat(answers)
                .allMatch(answer -> answer.statusCode() == 200)
                .filteredOn(answer -> answer.body().contains("Invalid or expired lease"))
                .hasSize(CROWD - 1);
        assertThat(sql.number("select count(*) from queen.stream_state where partition_id = ?", partition))
                .isEqualTo(1);
        assertThat(partitions.cursor(partition, GROUP)).isEqualTo(3);
    }

    @Test
    void cycles_ofManyPartitionsWithRefusedOnes_failAlone() throws Exception {
        String sink = Partitions.name("sink");
        List<Callable<HttpResponse<String>>> tasks = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            UUID partition = partitions.push(source, Partitions.name("p"), 3);
            UUID lease = partitions.lease(partition, GROUP, 3);
            String message = i % 4 == 0 ? "nope" : "m3";
            String cycle = body(
                    query,
                    partition,
                    ops(upsert("k", "1")),
                    pushes(push(sink, String.valueOf(i), "")),
                    ack(message, lease, ""));
            tasks.add(() -> http.post(server.resolve("/streams/v1/cycle"), cycle));
        }
        List<HttpResponse<String>> answers = Parallel.run(tasks);
        for (int i = 0; i < CROWD; i++) {
            assertThat(answers.get(i).body()).contains(i % 4 == 0 ? "Message not found" : "{\"success\":true");
        }
        assertThat(sql.number("select sum(cycles) from queen.stream_partitions where query_id = ?", query))
                .isEqualTo(CROWD - CROWD / 4);
        assertThat(sql.number("select sum(keys) from queen.stream_partitions where query_id = ?", query))
                .isEqualTo(CROWD - CROWD / 4);
    }

    /** Each cycle pushes into the source of the other, while pushes and acks go to both. */
    @Test
    void cyclesPushesAndAcks_crossingEachOther_neverDeadlock() throws Exception {
        UUID one = partitions.push(source, "one", 3);
        UUID two = partitions.push(source, "two", 3);
        long before = deadlocks();
        List<Callable<HttpResponse<String>>> tasks = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            UUID partition = i % 2 == 0 ? one : two;
            String item = push(source, "1", ",\"partition\":\"" + (i % 2 == 0 ? "two" : "one") + "\"");
            String cycle = body(
                    query,
                    partition,
                    ops(upsert("k", "1")),
                    pushes(item, push(source, "1", ",\"partition\":\"one\"")),
                    ack("m1", null, ""));
            tasks.add(() -> http.post(server.resolve("/streams/v1/cycle"), cycle));
            tasks.add(() -> http.post(server.resolve("/api/v1/push"), "{\"items\":[" + item + "]}"));
            tasks.add(() -> http.post(
                    server.resolve("/api/v1/transaction"),
                    "{\"operations\":[{\"type\":\"push\",\"items\":[" + item
                            + "]},{\"type\":\"ack\",\"transactionId\":\"m1\"," + "\"partitionId\":\"" + partition
                            + "\",\"consumerGroup\":\"" + GROUP + "\"}]}"));
        }
        assertThat(Parallel.run(tasks))
                .allMatch(answer -> answer.statusCode() < 300)
                .allMatch(answer -> !answer.body().contains("\"success\":false"));
        assertThat(deadlocks()).isEqualTo(before);
        assertThat(sql.number("select sum(cycles) from queen.stream_partitions where query_id = ?", query))
                .isEqualTo(CROWD);
        assertThat(sql.number("select sum(head) from queen.partitions where id in (?, ?)", one, two))
                .isEqualTo(6 + 4L * CROWD);
    }

    private long deadlocks() {
        return sql.number("select deadlocks from pg_stat_database where datname = current_database()");
    }

    /** The row of the query and partition is held outside: others go on, and it is done when that ends. */
    @Test
    void cycle_heldOutside_holdsUpNoOther() throws Exception {
        UUID held = partitions.push(source, Partitions.name("p"), 3);
        UUID free = partitions.push(source, Partitions.name("p"), 3);
        http.post(server.resolve("/streams/v1/cycle"), body(query, held));
        try (Sql other = Sql.open()) {
            other.rows("begin");
            other.rows("select 1 from queen.stream_partitions where query_id = ? for update", query);
            Callable<HttpResponse<String>> waits =
                    () -> http.post(server.resolve("/streams/v1/cycle"), body(query, held, ops(upsert("k", "1"))));
            Callable<HttpResponse<String>> goes = () -> {
                HttpResponse<String> answer = null;
                for (int i = 0; i < 5; i++) {
                    answer = http.post(server.resolve("/streams/v1/cycle"), body(query, free, ops(upsert("k", "1"))));
                }
                other.rows("rollback");
                return answer;
            };
            assertThat(Parallel.run(List.of(waits, goes)))
                    .allMatch(answer -> answer.body().startsWith("{\"success\":true"));
        }
    }

    /** A trigger ends its own session: the first two calls die with their pushes and acks done, and state half written. */
    @Test
    void cycles_connectionsKilledInTheMiddle_areAnsweredAndAppliedOnce() throws Exception {
        UUID sink = partitions.push(Partitions.name("sink"), "Default", 1);
        String item = push(partitions.queue(sink), "1", "");
        List<UUID> sources = new ArrayList<>();
        List<Callable<HttpResponse<String>>> tasks = new ArrayList<>();
        for (int i = 0; i < CROWD; i++) {
            UUID partition = partitions.push(source, "p" + i, 3);
            UUID lease = partitions.lease(partition, GROUP, 3);
            sources.add(partition);
            String work = ops(upsert("k", "1"), upsert("mortal", "1"));
            String cycle = body(query, partition, work, pushes(item), ack("m3", lease, ""));
            tasks.add(() -> http.post(server.resolve("/streams/v1/cycle"), cycle));
        }
        sql.run("create sequence public.cycle_deaths");
        sql.run("create function public.cycle_dies() returns trigger language plpgsql as"
                + " $$ begin if nextval('public.cycle_deaths') <= 2 then perform pg_terminate_backend(pg_backend_pid());"
                + " end if; return new; end $$");
        sql.run("create trigger cycle_dies before insert on queen.stream_state for each row"
                + " when (new.key = 'mortal') execute function public.cycle_dies()");
        try {
            assertThat(Parallel.run(tasks))
                    .allMatch(answer -> answer.statusCode() == 200)
                    .allMatch(answer -> answer.body().startsWith("{\"success\":true"))
                    .allMatch(answer -> answer.body().contains("\"status\":\"queued\""));
            assertThat(sql.number("select last_value from public.cycle_deaths")).isGreaterThan(CROWD);
        } finally {
            sql.run("drop trigger cycle_dies on queen.stream_state");
            sql.run("drop function public.cycle_dies()");
            sql.run("drop sequence public.cycle_deaths");
        }
        assertThat(sql.number("select head from queen.partitions where id = ?", sink))
                .isEqualTo(1 + CROWD);
        assertThat(sql.row(
                                "select min(cycles) as least, max(cycles) as most, sum(keys)::bigint as keys"
                                        + " from queen.stream_partitions where query_id = ?",
                                query)
                        .values())
                .containsExactly(1L, 1L, 2L * CROWD);
        assertThat(sources).allMatch(partition -> partitions.cursor(partition, GROUP) == 3);
    }

    /** Sent again because the connection died: the database knows the cycle and does nothing twice. */
    @Test
    void cycle_againWithTheSameId_isKnown() {
        UUID partition = partitions.push(source, Partitions.name("p"), 3);
        UUID id = UUID.randomUUID();
        String call =
                "select done[1] as done, errors[1] as error from queen.cycle_list_v1(null, null, null, null, null,"
                        + " null, null, null, null, null, null, null, false, array[?::uuid], array[?::uuid], array['g'],"
                        + " array[?::uuid], array['m1'], array[null::uuid], array[false], array[null::text], array[true],"
                        + " array[1], array['k'], array['1'], array[null::float8])";
        assertThat(sql.row(call, query, partition, id)).containsEntry("done", false);
        for (int i = 0; i < 7; i++) {
            assertThat(sql.row(call, query, partition, UUID.randomUUID())).containsEntry("done", false);
        }
        assertThat(sql.row(call, query, partition, id)).containsEntry("done", true);
        assertThat(sql.number("select cycles from queen.stream_partitions where query_id = ?", query))
                .isEqualTo(8);
    }
}
