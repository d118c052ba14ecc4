package io.queen.encryption;

import static io.queen.testing.Client.item;
import static io.queen.testing.Client.post;
import static io.queen.testing.Client.push;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import org.junit.jupiter.api.Test;

/** A queue asks for encryption and the server has no key. */
@QuarkusTest
class WithoutKeyTest {

    @Test
    void reencrypt_noKey_is409() {
        String queue = Partitions.name("clear");
        post("/api/v1/configure", "{\"queue\":\"" + queue + "\"}").statusCode(200);
        post("/api/v1/queues/" + queue + "/reencrypt", "").statusCode(409);
    }

    @Test
    void push_noKey_isStoredInClear() {
        String queue = Partitions.name("clear");
        post("/api/v1/configure", "{\"queue\":\"" + queue + "\",\"options\":{\"encryptionEnabled\":true}}")
                .statusCode(200);
        push(item(queue, "p", "t", "{ \"a\":1 }")).statusCode(201);
        try (Sql sql = Sql.open()) {
            assertThat(sql.row(
                            "select payload, is_encrypted from queen.messages where partition_id = ?",
                            new Partitions(sql).id(queue, "p")))
                    .containsEntry("payload", "{ \"a\":1 }")
                    .containsEntry("is_encrypted", false);
        }
    }
}
