package io.queen.admin.server;

import static io.restassured.RestAssured.when;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.isA;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
class HealthResourceTest {

    @Test
    void health_databaseAnswers_isHealthy() {
        when().get("/health")
                .then()
                .statusCode(200)
                .contentType("application/json")
                .body("status", equalTo("healthy"))
                .body("database", equalTo("connected"))
                .body("server", isA(String.class))
                .body("worker_id", isA(Integer.class))
                .body("version", isA(String.class))
                .body("shared_state.enabled", equalTo(true))
                .body("queen.worker_id", isA(Integer.class))
                .body("queen.status", equalTo("active"));
    }

    @Test
    void ready_databaseAnswers_isUp() {
        when().get("/q/health/ready")
                .then()
                .statusCode(200)
                .body("status", equalTo("UP"))
                .body("checks.name", hasItem("database"));
    }

    @Test
    void live_always_isUp() {
        when().get("/q/health/live").then().statusCode(200).body("status", equalTo("UP"));
    }

    @Test
    void started_always_isUp() {
        when().get("/q/health/started").then().statusCode(200).body("status", equalTo("UP"));
    }
}
