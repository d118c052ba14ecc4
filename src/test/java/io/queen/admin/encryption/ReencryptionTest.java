package io.queen.admin.encryption;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.queen.admin.encryption.ReencryptResource.Reencrypted;
import io.queen.encryption.OtherKeys;
import io.queen.encryption.PayloadCipher;
import io.queen.testing.Parallel;
import io.queen.testing.Partitions;
import io.queen.testing.Pops;
import io.queen.testing.Sql;
import io.queen.testing.UnusualSettings;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A walk of several portions, broken off and begun anew. Without a twin: it takes one portion at a time. */
@QuarkusTest
@TestProfile(UnusualSettings.class)
class ReencryptionTest {
    private static final int MESSAGES = 2500;
    private static final String[] PARTITIONS = {"a", "b"};

    @Inject
    ReencryptionStore store;

    @Inject
    PayloadCipher cipher;

    @AutoClose
    private final Sql sql = Sql.open();

    private final String queue = Partitions.name("rotated");

    /** Half of them in each partition, all as the old key had encrypted them. */
    @BeforeEach
    void encryptedWithTheOldKey() {
        Pops.configure(queue, Map.of("encryptionEnabled", true));
        JsonArray items = new JsonArray();
        for (int i = 0; i < MESSAGES; i++) {
            items.add(new JsonObject()
                    .put("queue", queue)
                    .put("partition", PARTITIONS[i % 2])
                    .put("transactionId", "t" + i)
                    .put("payload", i));
        }
        Pops.push(items);
        String[] ids = IntStream.range(0, MESSAGES).mapToObj(i -> "t" + i).toArray(String[]::new);
        String[] payloads = IntStream.range(0, MESSAGES)
                .mapToObj(i -> OtherKeys.old("" + i, queue, PARTITIONS[i % 2], "t" + i))
                .toArray(String[]::new);
        sql.run(
                "update queen.messages m set payload = f.payload from unnest(?::text[], ?::text[]) f (id, payload)"
                        + " where m.transaction_id = f.id and m.partition_id in (select p.id from queen.partitions p"
                        + " join queen.queues q on q.id = p.queue_id where q.name = ?)",
                ids,
                payloads,
                queue);
    }

    @Test
    void run_brokenOffAndBegunAnew_doesTheRest() {
        Reencrypted first = portion(null);
        assertThat(first.reencrypted()).isEqualTo(1000);
        assertThat(first.next()).isEqualTo("1000:a");
        Reencrypted second = portion(first.next());
        assertThat(second.reencrypted()).isEqualTo(1000);
        assertThat(second.next()).isEqualTo("750:b");
        List<Reencrypted> anew = all();
        assertThat(anew.stream().mapToLong(Reencrypted::reencrypted).sum()).isEqualTo(500);
        assertThat(anew).hasSize(3).allMatch(done -> done.unreadable() + done.skipped() == 0);
        assertThat(stale()).isZero();
    }

    @Test
    void run_whileConsumersPop_eachGetsEveryMessageOnceAndInOrder() {
        CompletableFuture<List<Integer>> popped =
                CompletableFuture.supplyAsync(() -> consume("group"), Parallel.THREADS);
        long changed = all().stream().mapToLong(Reencrypted::reencrypted).sum();
        assertThat(changed).isEqualTo(MESSAGES);
        assertThat(popped.join()).hasSize(MESSAGES).doesNotHaveDuplicates();
        assertThat(popped.join().stream().filter(number -> number % 2 == 0)).isSorted();
        assertThat(consume("later")).hasSize(MESSAGES);
    }

    @Test
    void run_twoAtOnce_changeEachMessageOnceAtLeastAndNoneIsLost() {
        CompletableFuture<List<Reencrypted>> other = CompletableFuture.supplyAsync(this::all, Parallel.THREADS);
        all();
        assertThat(other.join()).allMatch(done -> done.unreadable() == 0);
        all();
        assertThat(stale()).isZero();
        assertThat(consume("group")).hasSize(MESSAGES);
    }

    private List<Integer> consume(String group) {
        List<Integer> all = new ArrayList<>();
        for (int tries = 0; all.size() < MESSAGES && tries < 1000; tries++) {
            all.addAll(Pops.data(Pops.pop(queue, "batch", 100, "consumerGroup", group, "autoAck", true)));
        }
        return all;
    }

    private List<Reencrypted> all() {
        List<Reencrypted> parts = new ArrayList<>();
        String next = null;
        do {
            parts.add(portion(next));
            next = parts.get(parts.size() - 1).next();
        } while (next != null);
        return parts;
    }

    /** Without patience it ends after one portion. */
    private Reencrypted portion(String after) {
        return new Reencryption(store, cipher, queue, Duration.ZERO)
                .run(Position.read(after))
                .await()
                .atMost(Duration.ofSeconds(30));
    }

    private long stale() {
        return sql.number(
                "select count(*) from queen.messages m join queen.partitions p on p.id = m.partition_id"
                        + " join queen.queues q on q.id = p.queue_id"
                        + " where q.name = ? and m.payload not like '{\"v\":2,\"key\":\"new\",%'",
                queue);
    }
}
