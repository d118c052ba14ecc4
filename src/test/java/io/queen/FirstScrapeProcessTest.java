package io.queen;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.embedded.TestPostgres;
import io.queen.testing.ServerProcess;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A server that nobody has scraped yet, and that looks at its queues once an hour by itself. */
class FirstScrapeProcessTest {
    @Test
    void scrape_first_hasDepthAndLag() throws Exception {
        Map<String, String> environment = new HashMap<>(
                TestPostgres.shared().createDatabase("first_scrape").environment());
        environment.put("STATS_INTERVAL_MS", "3600000");
        try (ServerProcess server = ServerProcess.start(environment).awaitReady()) {
            JsonObject item = new JsonObject().put("queue", "q").put("payload", 1);
            assertThat(server.post(
                                    "/api/v1/push",
                                    new JsonObject()
                                            .put(
                                                    "items",
                                                    new JsonArray().add(item).add(item)))
                            .statusCode())
                    .isEqualTo(201);
            assertThat(server.get("/api/v1/pop/queue/q?consumerGroup=g&autoAck=true")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(server.get("/metrics/prometheus").body().replace("\",}", "\"}"))
                    .contains("queen_queue_depth{queue=\"q\"} 1.0")
                    .contains("queen_group_lag_messages{group=\"g\",queue=\"q\"} 1.0");
        }
    }
}
