package io.queen.sidecar;

import static io.queen.testing.Client.item;
import static io.queen.testing.Client.push;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Batches that fail as a whole: by one request that PostgreSQL refuses, by a connection that dies. A session holds the
 * partition's lock, so that pushes wait in batches and connections wait in PostgreSQL until the test lets them go.
 */
@QuarkusTest
class BrokenBatchTest {
    private static final int PUSHERS = 60;

    private final Sql sql = Sql.open();
    private final Sql holder = Sql.open();
    private final Partitions partitions = new Partitions(sql);
    private final String queue = Partitions.name("broken");
    private final ExecutorService threads = Executors.newFixedThreadPool(PUSHERS);

    @BeforeEach
    void fill() {
        push(item(queue, "p", "first", "1")).statusCode(201);
    }

    @AfterEach
    void close() {
        threads.shutdownNow();
        holder.close();
        sql.close();
    }

    @Test
    void push_oneOfAListRefusedByPostgres_failsAloneAndTheOthersAreStored() throws Exception {
        sql.run("create function public.poison() returns trigger language plpgsql as"
                + " $$ begin raise exception 'poison' using errcode = '22023'; end $$");
        sql.run("create trigger poison before insert on queen.messages for each row"
                + " when (new.transaction_id like 'poison%') execute function public.poison()");
        try {
            List<CompletableFuture<Integer>> answers =
                    pushWhileHeld(() -> assertThat(HeldOutside.held("push")).isEqualTo(PUSHERS));
            for (int i = 0; i < PUSHERS; i++) {
                int status = answers.get(i).get(30, TimeUnit.SECONDS);
                assertThat(status).as("push %d", i).isEqualTo(i == 30 ? 500 : 201);
            }
        } finally {
            sql.run("drop trigger poison on queen.messages");
            sql.run("drop function public.poison()");
        }
        assertThat(stored()).isEqualTo(PUSHERS - 1);
    }

    /** A trigger ends its own session: the first two calls that reach it die with part of their list inserted. */
    @Test
    void push_connectionsKilledInTheMiddle_allAreAnsweredAndStoredOnce() throws Exception {
        sql.run("create sequence public.deaths");
        sql.run("create function public.die() returns trigger language plpgsql as"
                + " $$ begin if nextval('public.deaths') <= 2 then perform pg_terminate_backend(pg_backend_pid());"
                + " end if; return new; end $$");
        sql.run("create trigger die before insert on queen.messages for each row"
                + " when (new.transaction_id like 't-%7') execute function public.die()");
        try {
            List<CompletableFuture<Integer>> answers =
                    pushWhileHeld(() -> assertThat(HeldOutside.held("push")).isEqualTo(PUSHERS));
            for (CompletableFuture<Integer> answer : answers) {
                assertThat(answer.get(30, TimeUnit.SECONDS)).isEqualTo(201);
            }
            assertThat(sql.number("select last_value from public.deaths")).isGreaterThan(2);
        } finally {
            sql.run("drop trigger die on queen.messages");
            sql.run("drop function public.die()");
            sql.run("drop sequence public.deaths");
        }
        assertThat(stored()).isEqualTo(PUSHERS);
    }

    @Test
    void push_everyConnectionKilled_comesBack() {
        sql.run("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'queen-sidecar'");
        await().atMost(20, TimeUnit.SECONDS)
                .until(() -> push(item(queue, "p", Partitions.name("after"), "1"))
                                .extract()
                                .statusCode()
                        == 201);
        push(item(queue, "p", "last", "1")).statusCode(201);
    }

    /** Pushes t0, t1 … (t30 is the poison) behind the held partition, does something once it can, lets go. */
    private List<CompletableFuture<Integer>> pushWhileHeld(Runnable meanwhile) {
        holder.begin();
        holder.run("select from queen.partitions where id = ? for update", partitions.id(queue, "p"));
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        for (int i = 0; i < PUSHERS; i++) {
            String id = (i == 30 ? "poison-" : "t-") + i;
            answers.add(CompletableFuture.supplyAsync(
                    () -> push(item(queue, "p", id, "1")).extract().statusCode(), threads));
        }
        await().untilAsserted(meanwhile::run);
        holder.commit();
        return answers;
    }

    private long stored() {
        return sql.number(
                "select count(*) from queen.messages where partition_id = ? and transaction_id ~ '^(t|poison)-'",
                partitions.id(queue, "p"));
    }
}
