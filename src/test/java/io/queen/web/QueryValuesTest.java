package io.queen.web;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values in queries that can't be meant. */
@QuarkusTest
class QueryValuesTest {
    @ParameterizedTest
    @CsvSource({
        "/api/v1/analytics/system-metrics, hostname",
        "/api/v1/analytics/system-metrics, workerId",
        "/api/v1/analytics/worker-metrics, hostname",
        "/api/v1/analytics/worker-metrics, workerId",
        "/api/v1/analytics/queue-lag, queue",
        "/api/v1/status, namespace",
        "/api/v1/status, task",
        "/api/v1/status/analytics, namespace",
        "/api/v1/status/analytics, task",
        "/api/v1/resources/queues, namespace",
        "/api/v1/resources/partitions, queue",
        "/api/v1/messages, status",
        "/api/v1/dlq, consumerGroup",
        "/api/v1/pop, namespace",
        "/api/v1/pop/queue/q, subscriptionMode",
        "/api/v1/scaling/queues/q, consumerGroup"
    })
    void text_withNul_isRefusedByName(String path, String name) {
        given().urlEncodingEnabled(false)
                .get(path + "?" + name + "=a%00b")
                .then()
                .statusCode(400)
                .body("code", equalTo("INVALID_FIELD"))
                .body("field", equalTo(name));
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/resources/queues, limit",
        "/api/v1/consumer-groups, offset",
        "/api/v1/consumer-groups/lagging, minLagSeconds",
        "/api/v1/pop/queue/q, batch",
        "/api/v1/pop/queue/q, wait",
        "/api/v1/pop/queue/q, timeout",
        "/api/v1/status/analytics, interval",
        "/api/v1/messages, from"
    })
    void value_thatDoesNotParse_isRefusedByName(String path, String name) {
        given().get(path + "?" + name + "=abc").then().statusCode(400).body("field", equalTo(name));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/consumer-groups/g?offset=2147483647",
                "/api/v1/consumer-groups/g?offset=99999999999999999999999&limit=99999999999999999999999",
                "/api/v1/consumer-groups?offset=2147483647",
                "/api/v1/consumer-groups/lagging?offset=2147483647&minLagSeconds=99999999999999999999999",
                "/api/v1/messages?offset=2147483647&limit=10000",
                "/api/v1/dlq?offset=2147483647",
                "/api/v1/resources/queues?offset=2147483647",
                "/api/v1/resources/namespaces?offset=2147483647",
                "/api/v1/resources/partitions?offset=2147483647",
                "/api/v1/status/queues?offset=2147483647",
                "/api/v1/traces/names?offset=2147483647",
                "/api/v1/traces/by-name/n?offset=2147483647",
                "/api/v1/status/analytics?from=0001-01-01&to=9999-12-31&interval=minute",
                "/api/v1/analytics/queue-ops?from=0001-01-01&to=9999-12-31"
            })
    void page_farBehindTheEnd_isServed(String path) {
        given().get(path).then().statusCode(200);
    }
}
