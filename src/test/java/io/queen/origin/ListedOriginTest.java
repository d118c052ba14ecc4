package io.queen.origin;

import static io.restassured.RestAssured.given;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.queen.testing.UnusualSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Origins that are listed, on a server that asks for no tokens. */
@QuarkusTest
@TestProfile(UnusualSettings.class)
class ListedOriginTest {

    @ParameterizedTest
    @ValueSource(strings = {UnusualSettings.ORIGIN, "http://localhost:3000"})
    void preflight_listedOrigin_is204(String origin) {
        given().header("Origin", origin)
                .header("Access-Control-Request-Method", "POST")
                .options("/api/v1/push")
                .then()
                .statusCode(204)
                .header("Access-Control-Allow-Origin", origin)
                .header("Vary", "origin")
                .header("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, OPTIONS")
                .header("Access-Control-Allow-Headers", "Content-Type, Authorization")
                .header("Access-Control-Max-Age", "86400");
    }

    @ParameterizedTest
    @CsvSource({"/health,200", "/api/v1/nope,404"})
    void answer_listedOrigin_isEchoedOnErrorsToo(String path, int status) {
        given().header("Origin", UnusualSettings.ORIGIN)
                .get(path)
                .then()
                .statusCode(status)
                .header("Vary", "origin")
                .header("Access-Control-Allow-Origin", UnusualSettings.ORIGIN);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://app.example.org",
                "https://app.example.org:444",
                "https://app.example.org.evil.example",
                "https://evil.example"
            })
    void request_otherOrigin_isRefused(String origin) {
        given().header("Origin", origin)
                .get("/health")
                .then()
                .statusCode(403)
                .header("Vary", "origin")
                .header("Access-Control-Allow-Origin", nullValue());
    }

    /** A proxy on this machine that hands on the name by which it was called. */
    @Test
    void host_ofAListedOrigin_isServed() {
        given().header("Host", "app.example.org").get("/health").then().statusCode(200);
        given().header("Host", "evil.example").get("/health").then().statusCode(403);
    }
}
