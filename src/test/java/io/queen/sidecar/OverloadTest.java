package io.queen.sidecar;

import static io.queen.testing.Client.item;
import static io.queen.testing.Client.push;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.queen.testing.NoRoom;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** More requests than may wait. */
@QuarkusTest
@TestProfile(NoRoom.class)
class OverloadTest {
    private static final int PUSHERS = 80;

    @Test
    void push_beyondTheBound_is503AtOnceAndTheOthersAreStored() throws Exception {
        String queue = Partitions.name("overload");
        push(item(queue, "p", "first", "1")).statusCode(201);
        ExecutorService threads = Executors.newFixedThreadPool(PUSHERS);
        try (Sql sql = Sql.open();
                Sql holder = Sql.open()) {
            holder.begin()
                    .run("select from queen.partitions where id = ? for update", new Partitions(sql).id(queue, "p"));
            List<CompletableFuture<Response>> answers = new ArrayList<>();
            for (int i = 0; i < PUSHERS; i++) {
                String id = "t" + i;
                answers.add(CompletableFuture.supplyAsync(
                        () -> push(item(queue, "p", id, "1")).extract().response(), threads));
            }
            await().until(() ->
                    answers.stream().filter(CompletableFuture::isDone).count() > PUSHERS / 2);
            holder.commit();
            int stored = 0;
            for (CompletableFuture<Response> answer : answers) {
                stored += check(answer.get(30, TimeUnit.SECONDS));
            }
            assertThat(stored).isPositive();
            assertThat(sql.number("select head from queen.partitions where id = ?", new Partitions(sql).id(queue, "p")))
                    .isEqualTo(1 + stored);
        } finally {
            threads.shutdownNow();
        }
    }

    private static int check(Response answer) {
        if (answer.statusCode() == 201) {
            return 1;
        }
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.header("Retry-After")).isEqualTo("1");
        assertThat(answer.jsonPath().getString("code")).isEqualTo("OVERLOADED");
        return 0;
    }
}
