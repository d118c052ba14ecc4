package io.queen.pop;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Pops;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Ten consumers of one group, while producers push: some acks fail, some never come and the lease runs out. What was
 * delivered is written down, and the promises are checked on that.
 */
@QuarkusTest
class PopHistoryTest {
    private static final int CONSUMERS = 10;
    private static final int PARTITIONS = 4;
    private static final int MESSAGES = 60;

    private final String queue = Pops.queue();

    /** What a pop brought, and when. */
    private record Delivery(String partition, List<Integer> numbers, long start) {}

    private final List<Delivery> deliveries = new CopyOnWriteArrayList<>();
    private final Map<String, Integer> holders = new ConcurrentHashMap<>();
    private final Set<String> completed = ConcurrentHashMap.newKeySet();

    @Test
    void consumers_compete_everyPartitionIsDeliveredInOrderAndComplete() throws Exception {
        Pops.configure(queue, Map.of("leaseTime", 2, "retryLimit", 1_000_000));
        ExecutorService threads = Executors.newFixedThreadPool(CONSUMERS + PARTITIONS);
        List<Future<?>> all = new ArrayList<>();
        for (int p = 0; p < PARTITIONS; p++) {
            String partition = "p" + p;
            all.add(threads.submit(() -> IntStream.range(0, MESSAGES).forEach(n -> Pops.push(queue, partition, n))));
        }
        for (int c = 0; c < CONSUMERS; c++) {
            Random random = new Random(c);
            all.add(threads.submit(() -> consume(random)));
        }
        for (Future<?> each : all) {
            each.get(5, TimeUnit.MINUTES);
        }
        threads.shutdown();
        assertThat(completed).hasSize(PARTITIONS * MESSAGES);
        for (int p = 0; p < PARTITIONS; p++) {
            check("p" + p);
        }
    }

    private void consume(Random random) {
        while (completed.size() < PARTITIONS * MESSAGES) {
            Response response =
                    Pops.pop(queue, "consumerGroup", "g", "batch", 1 + random.nextInt(5), "wait", true, "timeout", 500);
            if (response.statusCode() == 200) {
                handle(response, random);
            }
        }
    }

    private void handle(Response response, Random random) {
        long start = System.nanoTime();
        String partition = response.jsonPath().getString("partition");
        List<Integer> numbers = Pops.data(response);
        int fate = random.nextInt(20);
        deliveries.add(new Delivery(partition, numbers, start));
        assertThat(holders.merge(partition, 1, Integer::sum))
                .as("live leases of " + partition)
                .isEqualTo(1);
        holders.merge(partition, -1, Integer::sum);
        if (fate > 0) {
            ack(response, numbers, fate < 5 ? random.nextInt(numbers.size()) : numbers.size());
        }
    }

    /** Completes the messages before {@code good} and fails the next one. */
    private void ack(Response response, List<Integer> numbers, int good) {
        JsonArray acks = new JsonArray();
        for (int i = 0; i < Math.min(numbers.size(), good + 1); i++) {
            JsonObject message = Pops.message(response, i);
            acks.add(new JsonObject()
                    .put("transactionId", message.getString("transactionId"))
                    .put("partitionId", message.getString("partitionId"))
                    .put("leaseId", message.getString("leaseId"))
                    .put("status", i < good ? "completed" : "failed"));
        }
        JsonArray results = new JsonArray(RestAssured.given()
                .contentType("application/json")
                .body(new JsonObject()
                        .put("acknowledgments", acks)
                        .put("consumerGroup", "g")
                        .encode())
                .post("/api/v1/ack/batch")
                .asString());
        for (int i = 0; i < good; i++) {
            if (results.getJsonObject(i).getBoolean("success")) {
                completed.add(response.jsonPath().getString("partition") + ":" + numbers.get(i));
            }
        }
    }

    private void check(String partition) {
        int next = 0;
        Map<Integer, Integer> times = new HashMap<>();
        List<Delivery> ordered = deliveries.stream()
                .filter(delivery -> delivery.partition().equals(partition))
                .sorted(Comparator.comparingLong(Delivery::start))
                .toList();
        for (Delivery delivery : ordered) {
            List<Integer> numbers = delivery.numbers();
            // A batch is a run without gaps, and begins at the latest where the next new message is.
            assertThat(numbers)
                    .isEqualTo(IntStream.range(numbers.get(0), numbers.get(0) + numbers.size())
                            .boxed()
                            .toList());
            assertThat(numbers.get(0)).isLessThanOrEqualTo(next);
            next = Math.max(next, numbers.get(numbers.size() - 1) + 1);
            numbers.forEach(number -> times.merge(number, 1, Integer::sum));
        }
        assertThat(next).isEqualTo(MESSAGES);
        assertThat(times).hasSize(MESSAGES);
    }
}
