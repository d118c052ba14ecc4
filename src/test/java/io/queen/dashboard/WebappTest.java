package io.queen.dashboard;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.queen.testing.Pops;
import io.queen.testing.UnusualSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
@TestProfile(UnusualSettings.class)
class WebappTest {
    @ParameterizedTest
    @ValueSource(strings = {"/", "/index.html", "/queues", "/queues/a/b", "/assetsish"})
    void page_orAnyOtherPath_isTheIndex(String path) {
        when().get(path)
                .then()
                .statusCode(200)
                .contentType(startsWith("text/html"))
                .header("Cache-Control", "no-cache, no-store, must-revalidate")
                .body(equalTo("<page>"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/favicon.ico | image/x-icon | public, max-age=3600",
                "/with%20space+.json | application/json | public, max-age=3600",
                "/app-3f2a9c1b.js | text/javascript | public, max-age=31536000, immutable",
                "/assets/logo.svg | image/svg+xml | public, max-age=31536000, immutable"
            })
    void file_there_hasTypeAndCacheControl(String path, String type, String cacheControl) {
        given().urlEncodingEnabled(false)
                .get(path)
                .then()
                .statusCode(200)
                .contentType(startsWith(type))
                .header("Cache-Control", cacheControl);
    }

    @Test
    void head_file_hasNoBody() {
        assertThat(when().head("/favicon.ico")
                        .then()
                        .statusCode(200)
                        .header("Content-Length", "4")
                        .extract()
                        .asString())
                .isEmpty();
    }

    @Test
    void asset_unknown_is404() {
        when().get("/assets/none.js").then().statusCode(404).body("code", equalTo("NOT_FOUND"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/%2e%2e/secret.txt", "/..%2fsecret.txt", "/assets/..%2f..%2fsecret.txt"})
    void path_leadingOut_is403(String path) {
        given().urlEncodingEnabled(false).get(path).then().statusCode(403).body("code", equalTo("FORBIDDEN"));
    }

    @Test
    void path_notEncodedRight_is400() {
        given().urlEncodingEnabled(false).get("/a%00b").then().statusCode(400);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/v1/nope", "/health/nope", "/metrics/nope", "/ws/nope", "/internal/nope", "/q/nope"})
    void path_ofTheApi_staysTheApis(String path) {
        when().get(path).then().statusCode(404).body("code", equalTo("NOT_FOUND"));
    }

    @Test
    void api_always_isServedBeside() {
        when().get("/health").then().statusCode(200).body("status", equalTo("healthy"));
        when().get("/q/health/live").then().statusCode(200);
        assertThat(Pops.pop(Pops.queue()).statusCode()).isEqualTo(204);
    }
}
