package io.queen.sidecar;

import static io.queen.testing.Client.item;
import static io.queen.testing.Client.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.embedded.TestPostgres;
import io.queen.testing.Client;
import io.queen.testing.Parallel;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;

/** Fifty clients that touch the same partitions in every order, by every operation. */
@QuarkusTest
class LockOrderTest {
    private static final int CLIENTS = 50;
    private static final int ROUNDS = 8;
    private static final int PARTITIONS = 12;
    private static final int MESSAGES = 60;

    private final String queue = Partitions.name("locks");
    private final List<UUID> ids = new ArrayList<>();

    @Test
    void operations_fiftyClientsInOppositeOrders_neverDeadlock() throws Exception {
        try (Sql sql = Sql.open()) {
            for (int i = 0; i < PARTITIONS; i++) {
                ids.add(new Partitions(sql).push(queue, "p" + i, MESSAGES));
            }
            List<Callable<Integer>> clients = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Random random = new Random(i);
                clients.add(() -> client(random));
            }
            Parallel.run(clients);
            assertThat(sql.number("select sum(deadlocks) from pg_stat_database"))
                    .isZero();
        }
        assertThat(TestPostgres.log()).doesNotContain("deadlock");
    }

    private int client(Random random) {
        for (int round = 0; round < ROUNDS; round++) {
            switch (random.nextInt(4)) {
                case 0 -> Client.push(pushes(random, "")).statusCode(201);
                case 1 -> acks(random);
                case 2 -> transaction(random);
                default -> sql(random);
            }
        }
        return 0;
    }

    private String[] pushes(Random random, String prefix) {
        return shuffled(random).stream()
                .map(i -> item(queue, "p" + i, prefix + UUID.randomUUID(), "1"))
                .toArray(String[]::new);
    }

    private void acks(Random random) {
        List<String> acks = shuffled(random).stream().map(i -> ack(i, random)).toList();
        post("/api/v1/ack/batch", "{\"acknowledgments\":[" + String.join(",", acks) + "]}")
                .statusCode(200);
    }

    private void transaction(Random random) {
        List<String> operations = new ArrayList<>();
        for (int i : shuffled(random)) {
            operations.add("{\"type\":\"ack\"," + ack(i, random).substring(1));
            operations.add("{\"type\":\"push\","
                    + item(queue, "p" + i, "x" + UUID.randomUUID(), "1").substring(1));
        }
        Collections.shuffle(operations, random);
        post("/api/v1/transaction", "{\"operations\":[" + String.join(",", operations) + "]}")
                .statusCode(200);
    }

    private void sql(Random random) {
        try (Sql own = Sql.open()) {
            own.run("select queen.push_messages_v2(?::jsonb)", "[" + String.join(",", pushes(random, "s")) + "]");
        }
    }

    private String ack(int partition, Random random) {
        return "{\"partitionId\":\"%s\",\"transactionId\":\"m%d\"}"
                .formatted(ids.get(partition), 1 + random.nextInt(MESSAGES));
    }

    private static List<Integer> shuffled(Random random) {
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < PARTITIONS; i++) {
            order.add(i);
        }
        Collections.shuffle(order, random);
        return order;
    }
}
