package io.queen.web;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.message.ErrorCode;
import io.queen.testing.RawBodies;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors of resources, on resources made for it. Without a twin: the packaged program does not hold them. */
@QuarkusTest
class ErrorMapperTest {

    @ParameterizedTest
    @EnumSource
    void resource_failsWithCode_answersItsStatusAndBody(ErrorCode code) {
        when().get("/probe/code/" + code)
                .then()
                .statusCode(code.status())
                .contentType("application/json")
                .body("error", equalTo("Told by the test"))
                .body("code", equalTo(code.name()))
                .body("type", equalTo(code.type()))
                .body("title", equalTo(code.title()))
                .body("status", equalTo(code.status()))
                .body("detail", equalTo("Told by the test"))
                .body("instance", equalTo("/probe/code/" + code))
                .body("$", not(hasKey("field")))
                .header("Retry-After", code.retryable() ? equalTo("1") : nullValue());
    }

    @Test
    void resource_fieldMissing_namesTheField() {
        when().get("/probe/missing")
                .then()
                .statusCode(400)
                .body("code", equalTo("MISSING_FIELD"))
                .body("field", equalTo("items[3].queue"))
                .body("error", equalTo("items[3].queue is required"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/probe/unforeseen", "/probe/unforeseen-blocking"})
    void resource_failsUnforeseen_answersAnIdAndNothingInside(String path) {
        String body = when().get(path)
                .then()
                .statusCode(500)
                .contentType("application/json")
                .body("code", equalTo("INTERNAL_ERROR"))
                .body("errorId", notNullValue())
                .extract()
                .asString();
        assertThat(body).doesNotContain("secret", "Exception", "java", "io.queen");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{", "{\"name\":}", "nonsense", "{\"name\":\"a\"", "[}"})
    void json_malformed_isInvalidJson(String body) {
        given().contentType("application/json")
                .body(body)
                .post("/probe/json")
                .then()
                .statusCode(400)
                .contentType("application/json")
                .body("code", equalTo("INVALID_JSON"))
                .body("error", startsWith("Invalid JSON: "));
    }

    @Test
    void json_wrongType_namesFieldAndIndex() {
        given().contentType("application/json")
                .body("{\"items\":[{\"size\":1},{\"size\":\"many\"}]}")
                .post("/probe/json")
                .then()
                .statusCode(400)
                .body("code", equalTo("INVALID_FIELD"))
                .body("field", equalTo("items[1].size"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/plain", "application/x-www-form-urlencoded", "application/octet-stream", "x/y"})
    void bytes_anyContentType_isTaken(String contentType) {
        given().config(RawBodies.CONFIG)
                .contentType(contentType)
                .body("{}".getBytes(UTF_8))
                .post("/probe/bytes")
                .then()
                .statusCode(200)
                .body("length", equalTo(2));
    }
}
