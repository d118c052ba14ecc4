package io.queen.encryption;

import static io.queen.testing.Client.item;
import static io.queen.testing.Client.post;
import static io.queen.testing.Client.push;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.equalTo;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.queen.message.PartitionName;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import io.queen.testing.UnusualSettings;
import jakarta.inject.Inject;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** With a key. Without a twin: it looks at payloads with the cipher of the server. */
@QuarkusTest
@TestProfile(UnusualSettings.class)
class EncryptionTest {
    private static final String PAYLOAD = "{ \"secret\" : 1.50 }";

    @Inject
    PayloadCipher cipher;

    @AutoClose
    private final Sql sql = Sql.open();

    private final String queue = Partitions.name("encrypted");

    @Test
    void push_queueAsksForIt_isStoredEncrypted() {
        configure(true);
        push(item(queue, "p", "t", PAYLOAD)).statusCode(201);
        assertEncrypted();
    }

    @Test
    void transaction_queueAsksForIt_isStoredEncrypted() {
        configure(true);
        post(
                        "/api/v1/transaction",
                        "{\"operations\":[{\"type\":\"push\",\"items\":[" + item(queue, "p", "t", PAYLOAD) + "]}]}")
                .statusCode(200)
                .body("success", equalTo(true));
        assertEncrypted();
    }

    @Test
    void cycle_queueAsksForIt_isStoredEncryptedAndPoppedInClear() {
        configure(true);
        String source = Partitions.name("source");
        String partition =
                push(item(source, "p", "s", "1")).statusCode(201).extract().path("[0].partition_id");
        String query = post(
                        "/streams/v1/queries",
                        "{\"name\":\"" + source + "\",\"source_queue\":\"" + source + "\",\"config_hash\":\"h\"}")
                .extract()
                .path("query_id");
        post(
                        "/streams/v1/cycle",
                        "{\"query_id\":\"" + query + "\",\"partition_id\":\"" + partition + "\",\"push_items\":["
                                + item(queue, "p", "t", PAYLOAD) + "]}")
                .statusCode(200)
                .body("success", equalTo(true));
        assertEncrypted();
        assertThat(given().get("/api/v1/pop/queue/" + queue).asString()).contains("\"data\":" + PAYLOAD);
    }

    @Test
    void push_queueDoesNotAsk_isStoredInClear() {
        configure(false);
        push(item(queue, "p", "t", PAYLOAD)).statusCode(201);
        assertThat(stored()).containsEntry("payload", PAYLOAD).containsEntry("is_encrypted", false);
    }

    @Test
    void configure_changed_countsFromTheNextPush() {
        configure(false);
        push(item(queue, "p", "before", "1")).statusCode(201);
        configure(true);
        push(item(queue, "p", "t", PAYLOAD)).statusCode(201);
        assertEncrypted();
    }

    @Test
    void push_duplicateOfAnEncryptedOne_isFound() {
        configure(true);
        push(item(queue, "p", "t", PAYLOAD)).statusCode(201);
        push(item(queue, "p", "t", "2")).statusCode(201).body("[0].status", equalTo("duplicate"));
        assertEncrypted();
    }

    private void assertEncrypted() {
        Map<String, Object> stored = stored();
        assertThat(stored).containsEntry("is_encrypted", true);
        assertThat((String) stored.get("payload"))
                .startsWith(cipher.newestPrefix())
                .doesNotContain("secret");
        assertThat(cipher.open((String) stored.get("payload"), new PartitionName(queue, "p"), "t")
                        .payload())
                .isEqualTo(PAYLOAD);
    }

    private Map<String, Object> stored() {
        return sql.row(
                "select payload, is_encrypted from queen.messages where partition_id = ? and transaction_id = 't'",
                new Partitions(sql).id(queue, "p"));
    }

    private void configure(boolean encrypted) {
        post("/api/v1/configure", "{\"queue\":\"" + queue + "\",\"options\":{\"encryptionEnabled\":" + encrypted + "}}")
                .statusCode(200);
    }
}
