package io.queen.encryption;

import static io.queen.testing.Client.item;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.queen.testing.Client;
import io.queen.testing.Partitions;
import io.queen.testing.Pops;
import io.queen.testing.Sql;
import io.queen.testing.UnusualSettings;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** With a key. */
@QuarkusTest
@TestProfile(UnusualSettings.class)
class EncryptedInspectionTest {
    private static final String PAYLOAD = "{ \"secret\" : 1.50 }";

    private final String queue = Partitions.name("sealed");

    @Test
    void inspection_encryptedMessage_showsItInClear() {
        Pops.configure(queue, Map.of("encryptionEnabled", true));
        Client.push(item(queue, "p", "t", PAYLOAD)).statusCode(201);
        Pops.ack(Pops.pop(queue), "dlq");
        String detail = given().get("/api/v1/messages/{p}/t", partition())
                .then()
                .body("isEncrypted", equalTo(true))
                .extract()
                .asString();
        assertThat(detail).contains("\"payload\": " + PAYLOAD);
        assertThat(given().get("/api/v1/dlq?queue=" + queue).asString()).contains("\"data\": " + PAYLOAD);
        given().post("/api/v1/dlq/redrive?queue=" + queue).then().body("redriven", equalTo(1));
        assertThat(Pops.pop(queue).asString()).contains("\"data\":" + PAYLOAD);
    }

    @Test
    void schedule_encryptedQueue_pushesSealed() {
        Pops.configure(queue, Map.of("encryptionEnabled", true));
        given().contentType("application/json")
                .body("{\"queue\":\"" + queue + "\",\"intervalSeconds\":1,\"payload\":" + PAYLOAD + "}")
                .put("/api/v1/schedules/" + queue)
                .then()
                .statusCode(201);
        String popped = Pops.pop(queue, "wait", true, "timeout", 20_000).asString();
        given().delete("/api/v1/schedules/" + queue).then().statusCode(200);
        assertThat(popped).contains("\"data\":" + PAYLOAD);
        try (Sql sql = Sql.open()) {
            assertThat((Boolean) sql.value(
                            "select bool_and(is_encrypted) from queen.messages where transaction_id like 'schedule:' || ? || '%'",
                            queue))
                    .isTrue();
        }
    }

    /** The copies are made by the database, which has no key. */
    @Test
    void redrive_toAllGroups_copiesOpenAgainAndAgain() {
        Pops.configure(queue, Map.of("encryptionEnabled", true));
        Client.push(item(queue, "p", "t".repeat(250), PAYLOAD)).statusCode(201);
        for (int i = 0; i < 3; i++) {
            Pops.ack(Pops.pop(queue), "dlq");
            given().post("/api/v1/dlq/redrive?allGroups=true&queue=" + queue)
                    .then()
                    .body("redriven", equalTo(1));
        }
        assertThat(Pops.pop(queue).asString()).contains("\"data\":" + PAYLOAD);
    }

    @Test
    void inspection_notDecryptable_saysSo() {
        String sealed = "{\"encrypted\":\"AAAA\",\"iv\":\"AAAA\",\"authTag\":\"AAAA\"}";
        Client.push(item(queue, "p", "t", sealed)).statusCode(201);
        try (Sql sql = Sql.open()) {
            sql.run("update queen.messages set is_encrypted = true where partition_id = ?", partition());
        }
        given().get("/api/v1/messages/{p}/t", partition())
                .then()
                .statusCode(200)
                .body("payload", nullValue())
                .body("payloadError", containsString("no key of QUEEN_ENCRYPTION_KEYS"));
        given().post("/api/v1/messages/{p}/t/dlq", partition()).then().statusCode(200);
        given().get("/api/v1/dlq?queue=" + queue)
                .then()
                .body("messages[0].data", nullValue())
                .body("messages[0].dataError", notNullValue());
    }

    private UUID partition() {
        try (Sql sql = Sql.open()) {
            return new Partitions(sql).id(queue, "p");
        }
    }
}
