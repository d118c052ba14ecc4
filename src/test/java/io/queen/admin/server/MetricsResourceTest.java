package io.queen.admin.server;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.greaterThanOrEqualTo;
import static org.hamcrest.Matchers.isA;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
class MetricsResourceTest {

    @Test
    void metrics_always_holdsWhatClientsRead() {
        when().get("/health").then().statusCode(200);
        when().get("/metrics")
                .then()
                .statusCode(200)
                .contentType("application/json")
                .body("uptime", greaterThan(0f))
                .body("requests.total", greaterThan(0))
                .body("requests.rate", greaterThan(0f))
                .body("messages.total", greaterThanOrEqualTo(0))
                .body("messages.rate", isA(Number.class))
                .body("database.poolSize", greaterThan(0))
                .body("database.idleConnections", greaterThanOrEqualTo(0))
                .body("database.waitingRequests", greaterThanOrEqualTo(0))
                .body("memory.rss", isA(Number.class))
                .body("memory.heapTotal", isA(Number.class))
                .body("memory.heapUsed", isA(Number.class))
                .body("cpu.user", isA(Number.class))
                .body("cpu.system", isA(Number.class));
    }

    @Test
    void prometheus_acceptsAnything_getsTheTextFormat() {
        String text = given().header("Accept", "application/openmetrics-text, */*")
                .get("/metrics/prometheus")
                .then()
                .statusCode(200)
                .header("Content-Type", equalTo("text/plain; version=0.0.4; charset=utf-8"))
                .header("Cache-Control", equalTo("no-cache"))
                .extract()
                .asString();
        assertThat(text)
                .containsPattern("(?m)^queen_uptime_seconds [0-9]")
                .containsPattern("(?m)^queen_process_resident_memory_bytes [0-9]")
                .containsPattern("(?m)^queen_process_virtual_memory_bytes [0-9]")
                .containsPattern("(?m)^# TYPE queen_cpu_user_microseconds_total counter")
                .containsPattern("(?m)^queen_cpu_system_microseconds_total [0-9]")
                .containsPattern("(?m)^queen_db_pool_size [0-9]")
                .containsPattern("(?m)^queen_db_pool_idle [0-9]")
                .containsPattern("(?m)^queen_db_pool_active [0-9]");
    }
}
