package io.queen.web;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every route of the contract is served, and described in the OpenAPI document. */
@QuarkusTest
class RouteIndexTest {
    private static final String SAMPLE_ID = "01234567-89ab-7def-8123-456789abcdef";
    private static final String BODY = "{}";

    private static final String ROUTES = """
            GET    /health 200
            GET    /metrics 200
            GET    /metrics/prometheus 200
            POST   /api/v1/configure 400
            POST   /api/v1/push 400
            GET    /api/v1/pop/queue/{queue} 204
            GET    /api/v1/pop/queue/{queue}/partition/{partition} 204
            GET    /api/v1/pop 400
            POST   /api/v1/ack 400
            POST   /api/v1/ack/batch 400
            POST   /api/v1/transaction 400
            POST   /api/v1/lease/{leaseId}/extend 404
            GET    /api/v1/resources/queues 200
            GET    /api/v1/resources/queues/{queue} 404
            DELETE /api/v1/resources/queues/{queue} 200
            GET    /api/v1/resources/namespaces 200
            GET    /api/v1/resources/tasks 200
            GET    /api/v1/resources/overview 200
            GET    /api/v1/resources/partitions 200 400 404
            GET    /api/v1/messages 200
            GET    /api/v1/messages/{partitionId}/{transactionId} 404
            DELETE /api/v1/messages/{partitionId}/{transactionId} 200
            POST   /api/v1/messages/{partitionId}/{transactionId}/retry 404
            POST   /api/v1/messages/{partitionId}/{transactionId}/dlq 404
            DELETE /api/v1/queues/{queue}/clear 200 404
            GET    /api/v1/dlq 200
            POST   /api/v1/traces 400
            GET    /api/v1/traces/{partitionId}/{transactionId} 200
            GET    /api/v1/traces/by-name/{traceName} 200
            GET    /api/v1/traces/names 200
            GET    /api/v1/consumer-groups 200
            GET    /api/v1/consumer-groups/lagging 200
            GET    /api/v1/consumer-groups/{group} 200
            DELETE /api/v1/consumer-groups/{group} 200
            POST   /api/v1/consumer-groups/{group}/subscription 400
            DELETE /api/v1/consumer-groups/{group}/queues/{queue} 200
            POST   /api/v1/consumer-groups/{group}/queues/{queue}/seek 400
            POST   /api/v1/consumer-groups/{group}/queues/{queue}/partitions/{partition}/seek 404
            POST   /api/v1/consumer-groups/{group}/queues/{queue}/partitions/{partition}/release 404
            POST   /api/v1/consumer-groups/{group}/queues/{queue}/pause 200 404
            DELETE /api/v1/consumer-groups/{group}/queues/{queue}/pause 200 404
            POST   /api/v1/queues/{queue}/pause 200 404
            DELETE /api/v1/queues/{queue}/pause 200 404
            GET    /api/v1/pauses 200
            GET    /api/v1/schedules 200
            GET    /api/v1/schedules/{name} 404
            PUT    /api/v1/schedules/{name} 400
            DELETE /api/v1/schedules/{name} 404
            POST   /api/v1/schedules/{name}/pause 404
            POST   /api/v1/schedules/{name}/resume 404
            POST   /api/v1/schedules/{name}/run 404
            POST   /api/v1/stats/refresh 200
            GET    /api/v1/status 200
            GET    /api/v1/status/queues 200
            GET    /api/v1/status/queues/{queue} 404
            GET    /api/v1/status/queues/{queue}/messages 200 404
            GET    /api/v1/status/analytics 200
            GET    /api/v1/status/buffers 200
            GET    /api/v1/analytics/system-metrics 200
            GET    /api/v1/analytics/worker-metrics 200
            GET    /api/v1/analytics/queue-lag 200
            GET    /api/v1/analytics/queue-ops 200
            GET    /api/v1/analytics/queue-parked-replicas 200
            GET    /api/v1/analytics/retention 200
            GET    /api/v1/analytics/postgres-stats 200
            GET    /api/v1/system/maintenance 200
            POST   /api/v1/system/maintenance 400
            GET    /api/v1/system/maintenance/pop 200
            POST   /api/v1/system/maintenance/pop 400
            GET    /api/v1/system/shared-state 200
            POST   /internal/api/notify 400
            GET    /internal/api/shared-state/stats 200
            GET    /internal/api/inter-instance/stats 200
            POST   /api/v1/migration/test-connection 501
            POST   /api/v1/migration/start 501
            GET    /api/v1/migration/status 501
            POST   /api/v1/migration/validate 501
            POST   /api/v1/migration/reset 501
            """;

    /** A line of the index: the answer to a request with sample names and an empty object has one of the statuses. */
    record Route(String method, String path, int[] statuses) {
        static Route parse(String line) {
            String[] words = line.strip().split("\\s+");
            int[] statuses =
                    Arrays.stream(words).skip(2).mapToInt(Integer::parseInt).toArray();
            return new Route(words[0], words[1], statuses);
        }

        @Override
        public String toString() {
            return method + " " + path;
        }
    }

    static Stream<Route> routes() {
        return ROUTES.lines().map(Route::parse);
    }

    @ParameterizedTest
    @MethodSource("routes")
    void route_ofTheContract_isServed(Route route) {
        Response response = ask(route);
        assertThat(response.statusCode())
                .as(response.asString())
                .isIn(Arrays.stream(route.statuses).boxed().toArray());
        if (response.statusCode() == 404) {
            assertThat(response.jsonPath().getString("code")).isNotEqualTo("NOT_FOUND");
        }
    }

    private static Response ask(Route route) {
        String path =
                route.path.replaceAll("\\{(partitionId|leaseId)}", SAMPLE_ID).replaceAll("\\{\\w+}", "route-index");
        var request = given().contentType("application/json").queryParam("queue", queue(route));
        return route.method.equals("POST") ? request.body(BODY).post(path) : request.request(route.method, path);
    }

    /** Some lists want a queue; a pop by namespace is to miss it. */
    private static String queue(Route route) {
        return route.path.equals("/api/v1/pop") ? "" : "route-index";
    }

    @ParameterizedTest
    @MethodSource("routes")
    void route_ofTheContract_isDescribed(Route route) {
        Map<String, Map<String, Object>> paths = given().queryParam("format", "JSON")
                .get("/q/openapi")
                .jsonPath()
                .getMap("paths");
        assertThat(paths).containsKey(route.path);
        assertThat(paths.get(route.path)).containsKey(route.method.toLowerCase(Locale.ROOT));
    }
}
