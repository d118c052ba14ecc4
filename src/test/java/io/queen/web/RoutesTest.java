package io.queen.web;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
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
                .header("Access-Control-Allow-Origin", nullValue());
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

    @Test
    void headers_sixteenKilobytesAlmost_areTaken() {
        given().header("X-Long", "a".repeat(15_000)).get("/health").then().statusCode(200);
    }

    @Test
    void headers_tooLarge_are431() {
        given().header("X-Long", "a".repeat(20_000)).get("/health").then().statusCode(431);
    }
}
