package io.queen.http;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;

import io.quarkus.test.junit.QuarkusTest;
import org.junit.jupiter.api.Test;

@QuarkusTest
class OpenApiTest {

    @Test
    void document_always_describesTheProgram() {
        given().queryParam("format", "JSON")
                .get("/q/openapi")
                .then()
                .statusCode(200)
                .body("info.title", equalTo("Queen"))
                .body("info.version", not(equalTo("")))
                .body("info.license.name", equalTo("Apache-2.0"))
                .body("tags.name", hasItem("System"))
                .body("paths", hasKey("/health"))
                .body("paths", hasKey("/metrics"))
                .body("components.schemas.Error.required", hasItems("error", "code", "status"));
    }

    @Test
    void swaggerUi_always_isServed() {
        when().get("/q/swagger-ui/").then().statusCode(200).body(containsString("swagger-ui"));
    }
}
