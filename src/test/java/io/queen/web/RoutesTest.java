package io.queen.web;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class RoutesTest {

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "PUT", "DELETE", "PATCH"})
    void path_unknown_isJson404(String method) {
        given().request(method, "/api/v1/nope")
                .then()
                .statusCode(404)
                .contentType("application/json")
                .body("code", equalTo("NOT_FOUND"))
                .body("error", equalTo("There is nothing at /api/v1/nope"))
                .body("status", equalTo(404))
                .body("instance", equalTo("/api/v1/nope"))
                .header("Access-Control-Allow-Origin", "*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/q/nope", "/health/nope", "/metrics/nope"})
    void path_unknownBesideKnown_isJson404(String path) {
        when().get(path).then().statusCode(404).contentType("application/json").body("code", equalTo("NOT_FOUND"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "DELETE", "PATCH"})
    void method_wrong_is405WithAllow(String method) {
        given().request(method, "/health")
                .then()
                .statusCode(405)
                .contentType("application/json")
                .header("Allow", "GET, HEAD, OPTIONS")
                .body("code", equalTo("METHOD_NOT_ALLOWED"))
                .body("error", equalTo("/health does not take " + method));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/health", "/api/v1/push", "/nope", "/metrics/prometheus"})
    void preflight_anyPath_is204(String path) {
        String body = given().header("Origin", "https://example.org")
                .header("Access-Control-Request-Method", "POST")
                .options(path)
                .then()
                .statusCode(204)
                .header("Access-Control-Allow-Origin", "*")
                .header("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, OPTIONS")
                .header("Access-Control-Allow-Headers", "Content-Type, Authorization")
                .header("Access-Control-Max-Age", "86400")
                .extract()
                .asString();
        assertThat(body).isEmpty();
    }

    @Test
    void answer_json_carriesCorsHeaders() {
        when().get("/health")
                .then()
                .header("Access-Control-Allow-Origin", "*")
                .header("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, OPTIONS")
                .header("Access-Control-Allow-Headers", "Content-Type, Authorization");
    }

    @Test
    void answer_prometheus_carriesNoCorsHeaders() {
        when().get("/metrics/prometheus").then().header("Access-Control-Allow-Origin", nullValue());
    }

    @Test
    void headers_sixteenKilobytesAlmost_areTaken() {
        given().header("X-Long", "a".repeat(15_000)).get("/health").then().statusCode(200);
    }

    @Test
    void headers_tooLarge_are431() {
        given().header("X-Long", "a".repeat(20_000)).get("/health").then().statusCode(431);
    }
}
