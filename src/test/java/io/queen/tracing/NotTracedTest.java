package io.queen.tracing;

import static io.queen.testing.Client.item;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

/** Without a collector nothing is added to messages, and what they have stays. */
@QuarkusTest
class NotTracedTest {
    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final String queue = Partitions.name("untraced");

    @Test
    void push_ofACallerThatIsTraced_addsNoHeader() {
        assertThat(passed(new JsonObject(item(queue, "p", "t1", "1"))).containsKey("headers"))
                .isFalse();
    }

    @Test
    void push_ofAMessageWithATrace_keepsIt() {
        JsonObject headers = new JsonObject().put("traceparent", PARENT).put("tracestate", "a=b");
        assertThat(passed(new JsonObject(item(queue, "p", "t1", "1")).put("headers", headers))
                        .getJsonObject("headers"))
                .isEqualTo(headers);
    }

    private JsonObject passed(JsonObject item) {
        given().header("traceparent", PARENT)
                .contentType("application/json")
                .body(new JsonObject().put("items", new JsonArray().add(item)).encode())
                .post("/api/v1/push")
                .then()
                .statusCode(201);
        return new JsonObject(given().get("/api/v1/pop/queue/" + queue).asString())
                .getJsonArray("messages")
                .getJsonObject(0);
    }
}
