package io.queen.web;

import static io.queen.testing.Client.post;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.queen.testing.Client;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import io.queen.testing.UnusualSettings;
import org.junit.jupiter.api.Test;

@QuarkusTest
@TestProfile(UnusualSettings.class)
class StrictTest {
    private final String queue = Partitions.name("strict");

    @Test
    void push_unknownField_isRefusedAndNothingIsStored() {
        Client.push("{\"queue\":\"" + queue + "\"}", "{\"queue\":\"" + queue + "\",\"payoad\":1}")
                .statusCode(400)
                .body("code", equalTo("UNKNOWN_FIELD"))
                .body("field", equalTo("items[1].payoad"))
                .body("error", equalTo("items[1].payoad is not known here"));
        try (Sql sql = Sql.open()) {
            assertThat(sql.number("select count(*) from queen.queues where name = ?", queue))
                    .isZero();
        }
    }

    @Test
    void configure_unknownOption_isRefused() {
        post("/api/v1/configure", "{\"queue\":\"" + queue + "\",\"options\":{\"leasetime\":5}}")
                .statusCode(400)
                .body("field", equalTo("options.leasetime"));
    }

    @Test
    void pop_unknownParameter_isRefused() {
        given().queryParam("consumergroup", "x")
                .get("/api/v1/pop/queue/" + queue)
                .then()
                .statusCode(400)
                .body("code", equalTo("UNKNOWN_FIELD"))
                .body("field", equalTo("consumergroup"));
    }

    @Test
    void pop_knownParameters_isServed() {
        given().queryParam("consumerGroup", "x")
                .queryParam("namespace", "n")
                .get("/api/v1/pop/queue/" + queue)
                .then()
                .statusCode(204);
    }
}
