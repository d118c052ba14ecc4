package io.queen.admin.server;

import static io.queen.testing.Client.post;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.isA;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Pops;
import io.restassured.RestAssured;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class InternalResourceTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/api/v1/system/shared-state",
                "/internal/api/shared-state/stats",
                "/internal/api/inter-instance/stats"
            })
    void sharedState_always_tellsWhatIsTrue(String path) {
        await().atMost(Duration.ofSeconds(30))
                .until(() -> RestAssured.get(path).jsonPath().getBoolean("running"));
        given().get(path)
                .then()
                .statusCode(200)
                .body("enabled", equalTo(true))
                .body("server_id", containsString(":"))
                .body("queue_config_cache.size", equalTo(0))
                .body("server_health.servers_alive", isA(Integer.class))
                .body("server_health.servers_dead", equalTo(0))
                .body("maintenance_mode", equalTo(false))
                .body("pop_maintenance_mode", equalTo(false));
    }

    @Test
    void health_always_hasTheSharedState() {
        String server = given().get("/health").jsonPath().getString("shared_state.server_id");
        assertThat(server)
                .isEqualTo(given().get("/internal/api/shared-state/stats").path("server_id"));
    }

    @Test
    void notify_queue_isHeard() {
        for (String rest : List.of("", ",\"partition\":\"p\"", ",\"partition\":null")) {
            post("/internal/api/notify", "{\"queue\":\"" + Pops.queue() + "\"" + rest + "}")
                    .statusCode(200)
                    .body("status", equalTo("ok"));
        }
    }

    @Test
    void notify_badBody_is400() {
        post("/internal/api/notify", "{}").statusCode(400).body("field", equalTo("queue"));
        post("/internal/api/notify", "{\"queue\":1}").statusCode(400).body("field", equalTo("queue"));
        post("/internal/api/notify", "{\"queue\":\"q\",\"partition\":1}")
                .statusCode(400)
                .body("field", equalTo("partition"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"test-connection", "start", "validate", "reset"})
    void migration_post_is501WithAWayOut(String route) {
        post("/api/v1/migration/" + route, "{}").statusCode(501).body("error", containsString("pg_dump"));
    }

    @Test
    void migration_status_is501() {
        given().get("/api/v1/migration/status").then().statusCode(501).body("code", equalTo("NOT_IMPLEMENTED"));
    }
}
