package io.queen.origin;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** With tokens, which no browser sends by itself, pages of any origin may call. */
@QuarkusTest
@TestProfile(CorsTest.Tokens.class)
class CorsTest {
    public static final class Tokens implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "queen.jwt.enabled",
                    "true",
                    "JWT_SECRET",
                    "0123456789abcdef".repeat(4),
                    "queen.http.host",
                    "localhost");
        }
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

    @ParameterizedTest
    @ValueSource(strings = {"/health", "/health/nope"})
    void answer_json_carriesCorsHeaders(String path) {
        given().header("Host", "queen.example.org")
                .get(path)
                .then()
                .header("Access-Control-Allow-Origin", "*")
                .header("Access-Control-Allow-Methods", "GET, POST, PUT, DELETE, OPTIONS")
                .header("Access-Control-Allow-Headers", "Content-Type, Authorization");
    }

    @Test
    void answer_prometheus_carriesNoCorsHeaders() {
        when().get("/metrics/prometheus").then().header("Access-Control-Allow-Origin", nullValue());
    }
}
