package io.queen.admin.group;

import static io.queen.testing.Pops.push;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Pops;
import io.restassured.path.json.JsonPath;
import io.restassured.response.Response;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@QuarkusTest
class GroupHealthTest {
    private final String queue = Pops.queue();
    private final String group = "g-" + UUID.randomUUID();

    private Map<String, Object> listed() {
        List<Map<String, Object>> mine = given().queryParam("limit", 10_000)
                .get("/api/v1/consumer-groups")
                .jsonPath()
                .getList("findAll { it.name == '" + group + "' }");
        return mine.isEmpty() ? Map.of() : mine.get(0);
    }

    private JsonPath described() {
        return given().get("/api/v1/consumer-groups/" + group).jsonPath().setRootPath("'" + queue + "'");
    }

    private Response pop(String name) {
        return given().header("X-Queen-Consumer", name)
                .queryParam("consumerGroup", group)
                .get("/api/v1/pop/queue/" + queue);
    }

    @Test
    void group_holdingALease_isActiveAndNamesTheHolder() {
        push(queue, "p", 1, 2);
        assertThat(pop("worker 1").statusCode()).isEqualTo(200);
        assertThat(listed())
                .containsEntry("state", "Stable")
                .containsEntry("health", "active")
                .containsEntry("leases", 1)
                .containsEntry("members", 1);
        JsonPath described = described();
        assertThat(described.getString("health")).isEqualTo("active");
        assertThat(described.getString("partitions[0].leaseHolder.name")).isEqualTo("worker 1");
        assertThat(described.getString("partitions[0].leaseHolder.address")).isNotBlank();
        assertThat(described.getString("partitions[0].workerId")).isEqualTo("worker 1");
        assertThat(described.getLong("partitions[0].leaseRemainingMillis")).isBetween(1L, 300_000L);
    }

    @Test
    void lease_ofAnUnnamedConsumer_hasItsAddress() {
        push(queue, "p", 1);
        assertThat(Pops.pop(queue, "consumerGroup", group).statusCode()).isEqualTo(200);
        JsonPath described = described();
        assertThat(described.getString("partitions[0].leaseHolder.name")).isNull();
        assertThat(described.getString("partitions[0].workerId"))
                .isEqualTo(described.getString("partitions[0].leaseHolder.address"));
    }

    /** What a caller says of its address is not believed. */
    @Test
    void lease_forwardedForAnother_hasTheAddressOfTheConnection() {
        push(queue, "p", 1);
        given().header("X-Forwarded-For", "203.0.113.9")
                .header("Forwarded", "for=203.0.113.9")
                .queryParam("consumerGroup", group)
                .get("/api/v1/pop/queue/" + queue)
                .then()
                .statusCode(200);
        assertThat(described().getString("partitions[0].leaseHolder.address")).isNotEqualTo("203.0.113.9");
    }

    @Test
    void group_withAPopThatWaits_isNeverDead() throws Exception {
        Pops.configure(queue, Map.of());
        CompletableFuture<Response> waiter = Pops.waiting(queue, "consumerGroup", group);
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(listed())
                        .containsEntry("state", "Stable")
                        .containsEntry("health", "active")
                        .containsEntry("waiting", 1)
                        .containsEntry("consumers", 1));
        push(queue, "p", 1);
        waiter.join().then().statusCode(200);
    }

    @Test
    void consumers_seenLately_areNamedOnceEach() {
        push(queue, "p", 1);
        for (String name : new String[] {"b", "a", "b"}) {
            pop(name);
        }
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(
                        () -> assertThat(described().getList("consumers.name")).containsExactly("a", "b"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tab\there", "\u00fcber"})
    void pop_nameNotPrintable_is400(String name) {
        pop(name).then().statusCode(400).body("field", equalTo("X-Queen-Consumer"));
    }

    @Test
    void pop_nameTooLong_is400() {
        pop("x".repeat(101)).then().statusCode(400).body("field", equalTo("X-Queen-Consumer"));
    }
}
