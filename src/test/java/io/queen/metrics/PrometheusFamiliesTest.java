package io.queen.metrics;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@QuarkusTest
class PrometheusFamiliesTest {
    private final String queue = Partitions.name("families");

    /** The text, without the comma that the format allows after the last label. */
    private static String scrape() {
        return when().get("/metrics/prometheus")
                .then()
                .statusCode(200)
                .extract()
                .asString()
                .replace("\",} ", "\"} ");
    }

    private static void push(String queue, int messages) {
        StringBuilder items = new StringBuilder();
        for (int i = 0; i < messages; i++) {
            items.append(i == 0 ? "" : ",").append("{\"queue\":\"" + queue + "\",\"payload\":1}");
        }
        given().contentType("application/json")
                .body("{\"items\":[" + items + "]}")
                .post("/api/v1/push")
                .then()
                .statusCode(201);
    }

    @Test
    void text_always_hasEachFamilyOnceAndEachValueTyped() {
        Map<String, String> types = new HashMap<>();
        Set<String> samples = new HashSet<>();
        for (String line : scrape().lines().toList()) {
            if (line.startsWith("# TYPE ")) {
                String[] words = line.split(" ", -1);
                assertThat(types.put(words[2], words[3])).as(line).isNull();
            } else if (!line.startsWith("#")) {
                assertThat(line).matches("(?s)[a-zA-Z_:][a-zA-Z0-9_:]*(\\{.*})? [-+0-9.eE]+|.* (NaN|\\+Inf|-Inf)");
                assertThat(samples.add(line.substring(0, line.lastIndexOf(' '))))
                        .as(line)
                        .isTrue();
            }
        }
        assertThat(types).isNotEmpty();
        types.forEach((name, type) -> {
            if (name.startsWith("queen_") && name.endsWith("_total")) {
                assertThat(type).as(name).isEqualTo("counter");
            }
        });
    }

    /** A timer and a summary give their maximum as a family of its own. */
    @Test
    void page_always_namesEachFamily() throws IOException {
        String page = Files.readString(Path.of("docs/metrics.md"));
        assertThat(scrape().lines()
                        .filter(line -> line.startsWith("# TYPE queen_"))
                        .map(line -> line.split(" ", -1)[2].replaceFirst("_max$", "")))
                .isNotEmpty()
                .allSatisfy(family -> assertThat(page).contains("`" + family + "`"));
    }

    @ParameterizedTest
    @CsvSource({
        "queen_uptime_seconds, gauge",
        "queen_process_resident_memory_bytes, gauge",
        "queen_process_virtual_memory_bytes, gauge",
        "queen_cpu_user_microseconds_total, counter",
        "queen_cpu_system_microseconds_total, counter",
        "queen_db_pool_size, gauge",
        "queen_db_pool_idle, gauge",
        "queen_db_pool_active, gauge",
        "queen_sidecar_op_count, gauge",
        "queen_sidecar_op_latency_microseconds, gauge",
        "queen_sidecar_op_items, gauge",
        "queen_cluster_push_requests_total, counter",
        "queen_cluster_pop_requests_total, counter",
        "queen_cluster_ack_requests_total, counter",
        "queen_cluster_transactions_total, counter",
        "queen_cluster_push_messages_total, counter",
        "queen_cluster_pop_messages_total, counter",
        "queen_cluster_ack_messages_total, counter",
        "queen_cluster_ack_total, counter",
        "queen_cluster_dlq_total, counter",
        "queen_queue_metrics_age_seconds, gauge"
    })
    void family_always_hasItsType(String name, String type) {
        assertThat(scrape()).contains("# TYPE " + name + " " + type + "\n");
    }

    @Test
    void queue_withBacklog_showsDepthAndLagOfItsGroups() {
        push(queue, 300);
        given().get("/api/v1/pop/queue/" + queue + "?consumerGroup=g&autoAck=true&batch=1")
                .then()
                .statusCode(200);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(scrape())
                        .contains("queen_queue_depth{queue=\"" + queue + "\"} 299.0\n")
                        .contains("queen_group_lag_messages{group=\"g\",queue=\"" + queue + "\"} 299.0\n")
                        .containsPattern("queen_group_lag_seconds\\{group=\"g\",queue=\"" + queue + "\"} [0-9.]+\n")
                        .contains("queen_dlq_depth_by_queue{queue=\"" + queue + "\"} 0.0\n")
                        .contains("queen_dlq_depth{scope=\"cluster\"}"));
    }

    @Test
    void pop_waiting_isAParkedConsumerOfItsQueue() throws Exception {
        AtomicBoolean found = new AtomicBoolean();
        Thread consumer = new Thread(() -> {
            while (!found.get()) {
                found.set(given().get("/api/v1/pop/queue/" + queue + "?wait=true&timeout=10000")
                                .statusCode()
                        == 200);
            }
        });
        consumer.start();
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() ->
                        assertThat(scrape()).contains("queen_queue_parked_consumers{queue=\"" + queue + "\"} 1.0\n"));
        push(queue, 1);
        consumer.join(60_000);
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() ->
                        assertThat(scrape()).contains("queen_queue_parked_consumers{queue=\"" + queue + "\"} 0.0\n"));
    }

    @Test
    void push_oneMore_raisesTheCounter() {
        double before = counter("queen_cluster_push_messages_total");
        push(queue, 5);
        assertThat(counter("queen_cluster_push_messages_total")).isGreaterThanOrEqualTo(before + 5);
    }

    private static double counter(String name) {
        return scrape().lines()
                .filter(line -> line.startsWith(name + "{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }
}
