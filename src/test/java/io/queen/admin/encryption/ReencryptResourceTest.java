package io.queen.admin.encryption;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.allOf;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.nullValue;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.queen.encryption.OtherKeys;
import io.queen.testing.Partitions;
import io.queen.testing.Pops;
import io.queen.testing.Sql;
import io.queen.testing.UnusualSettings;
import io.restassured.response.ValidatableResponse;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server whose keys were rotated. */
@QuarkusTest
@TestProfile(UnusualSettings.class)
class ReencryptResourceTest {
    @AutoClose
    private final Sql sql = Sql.open();

    private final Partitions partitions = new Partitions(sql);
    private final String queue = Partitions.name("reencrypt");

    @BeforeEach
    void encrypted() {
        Pops.configure(queue, Map.of("encryptionEnabled", true));
        Pops.push(queue, "p", 1, 2, 3);
    }

    @Test
    void reencrypt_oldKeyAndOldFormat_areEncryptedWithTheFirstKey() {
        store(1, OtherKeys.old("1", queue, "p", "t1"));
        store(2, OtherKeys.FIRST_FORMAT);
        given().post("/api/v1/messages/{p}/t1/dlq", partition()).then().statusCode(200);
        assertThat(newest()).isEqualTo(1);
        assertAnswer(reencrypt(), 2, 0);
        assertThat(newest()).isEqualTo(3);
        assertAnswer(reencrypt(), 0, 0);
        given().get("/api/v1/dlq?queue=" + queue).then().body("messages[0].data", equalTo(1));
        assertThat(Pops.data(Pops.pop(queue, "batch", 10))).containsExactly(7, 3);
    }

    @Test
    void reencrypt_keyIsMissing_countsAndLeavesIt() {
        store(2, OtherKeys.lost("2", queue, "p", "t2"));
        store(3, OtherKeys.old("3", queue, "p", "t3"));
        assertAnswer(reencrypt(), 1, 1)
                .body("problem", allOf(containsString("the key lost"), containsString("transactionId t2")));
        assertThat(newest()).isEqualTo(2);
        given().get("/api/v1/messages/{p}/t2", partition())
                .then()
                .body("payload", nullValue())
                .body("payloadError", containsString("it needs the key lost"));
        assertThat(Pops.data(Pops.pop(queue, "batch", 10)))
                .as("what comes before it")
                .containsExactly(1);
    }

    /** Else it would make the swap good. */
    @Test
    void reencrypt_payloadOfAnotherMessage_isLeft() {
        store(1, OtherKeys.old("2", queue, "p", "t2"));
        assertAnswer(reencrypt(), 0, 1).body("problem", containsString("for another message"));
    }

    @Test
    void reencrypt_messageIsHeld_isSkipped() {
        store(1, OtherKeys.old("1", queue, "p", "t1"));
        try (Sql other = Sql.open().begin()) {
            other.run("select from queen.messages where partition_id = ? and seq = 1 for update", partition());
            reencrypt().body("reencrypted", equalTo(0)).body("skipped", equalTo(1));
        }
        assertAnswer(reencrypt(), 1, 0);
    }

    @Test
    void reencrypt_clearMessages_areLeft() {
        sql.run("update queen.messages set is_encrypted = false, payload = '1' where partition_id = ?", partition());
        assertAnswer(reencrypt(), 0, 0);
        assertThat(newest()).isZero();
    }

    @Test
    void reencrypt_after_goesOnThere() {
        Pops.push(queue, "q", 4);
        for (int seq = 1; seq <= 3; seq++) {
            store(seq, OtherKeys.old("" + seq, queue, "p", "t" + seq));
        }
        given().post("/api/v1/queues/{q}/reencrypt?after=2:p", queue)
                .then()
                .statusCode(200)
                .body("reencrypted", equalTo(1));
        given().post("/api/v1/queues/{q}/reencrypt?after=" + Long.MAX_VALUE + ":p", queue)
                .then()
                .body("reencrypted", equalTo(0));
    }

    @Test
    void reencrypt_unknownQueue_is404() {
        given().post("/api/v1/queues/none-{q}/reencrypt", queue)
                .then()
                .statusCode(404)
                .body("code", equalTo("QUEUE_NOT_FOUND"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "1", ":p", "-1:p", "99999999999999999999:p", "1 :p"})
    void reencrypt_placeThatWasNotGiven_is400(String after) {
        given().queryParam("after", after)
                .post("/api/v1/queues/{q}/reencrypt", queue)
                .then()
                .statusCode(400)
                .body("field", equalTo("after"));
    }

    private ValidatableResponse reencrypt() {
        return given().post("/api/v1/queues/{q}/reencrypt", queue).then().statusCode(200);
    }

    private static ValidatableResponse assertAnswer(ValidatableResponse answer, int reencrypted, int unreadable) {
        return answer.body("reencrypted", equalTo(reencrypted))
                .body("unreadable", equalTo(unreadable))
                .body("skipped", equalTo(0))
                .body("next", nullValue());
    }

    private void store(int seq, String payload) {
        sql.run("update queen.messages set payload = ? where partition_id = ? and seq = ?", payload, partition(), seq);
    }

    private long newest() {
        return sql.number(
                "select count(*) from queen.messages where partition_id = ? and payload like '{\"v\":2,\"key\":\"new\",%'",
                partition());
    }

    private UUID partition() {
        return partitions.id(queue, "p");
    }
}
