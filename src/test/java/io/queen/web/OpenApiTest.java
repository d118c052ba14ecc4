package io.queen.web;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.hasItems;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.not;

import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
    void operations_always_haveNamesOfTheirOwn() {
        List<String> names = operations()
                .map(operation -> operation.get("operationId"))
                .map(String::valueOf)
                .toList();
        assertThat(names).hasSizeGreaterThan(60).doesNotHaveDuplicates().doesNotContain("null", "");
    }

    @Test
    void bodies_always_sayWhetherTheyAreRequired() {
        assertThat(operations()
                        .filter(operation -> operation.containsKey("requestBody"))
                        .map(operation -> (Map<?, ?>) operation.get("requestBody")))
                .hasSizeGreaterThan(10)
                .allMatch(body -> body.containsKey("required"));
    }

    private static Stream<Map<String, Object>> operations() {
        Map<String, Map<String, Map<String, Object>>> paths = given().queryParam("format", "JSON")
                .get("/q/openapi")
                .jsonPath()
                .getMap("paths");
        return paths.values().stream().flatMap(methods -> methods.values().stream());
    }

    @Test
    void required_fieldsAndParameters_areMarked() {
        given().queryParam("format", "JSON")
                .get("/q/openapi")
                .then()
                .body("components.schemas.Ack.required", hasItems("transactionId", "partitionId"))
                .body("components.schemas.Message.required", hasItems("id", "transactionId", "partitionId", "leaseId"))
                .body("paths.'/api/v1/dlq'.delete.parameters.findAll { it.name == 'queue' }.required", hasItems(true));
    }

    @Test
    void swaggerUi_always_isServed() {
        when().get("/q/swagger-ui/").then().statusCode(200).body(containsString("swagger-ui"));
    }
}
