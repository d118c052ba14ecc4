package io.queen.dashboard;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class WelcomeTest {
    @ParameterizedTest
    @ValueSource(strings = {"/", "/api/v1", "/api/v1/"})
    void welcome_always_tellsWhatThisIsAndWhereToReadOn(String path) {
        Map<String, String> links = when().get(path)
                .then()
                .statusCode(200)
                .contentType("application/json")
                .body("name", equalTo("Queen"))
                .body("version", notNullValue())
                .body("login.tokens", equalTo(false))
                .body("login.oidc", nullValue())
                .extract()
                .path("links");
        assertThat(links).containsKeys("swaggerUi", "openApi", "health", "metrics");
        links.values().forEach(link -> when().get(link).then().statusCode(200));
    }

    @Test
    void welcome_head_hasNoBody() {
        assertThat(given().head("/").then().statusCode(200).extract().asString())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nope", "/api/v1/nope", "/api"})
    void otherPaths_always_areNotFound(String path) {
        when().get(path).then().statusCode(404).body("code", equalTo("NOT_FOUND"));
    }
}
