package io.queen.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.queen.testing.AlsoOnInstalledPostgres;
import io.queen.testing.Partitions;
import io.queen.testing.Sql;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Acks and renewals from SQL, in JSON. */
@AlsoOnInstalledPostgres
class AckMessagesTest {
    @AutoClose
    private final Sql sql = Sql.openMigrated();

    private final Partitions partitions = new Partitions(sql);
    private final UUID partition = partitions.filled(3, 3);

    @Test
    void ack_defaults_areThoseOfTheProtocol() {
        JsonObject result = ack("{\"partitionId\":\"" + partition + "\",\"transactionId\":\"m1\"}")
                .getJsonObject(0);
        assertThat(result.getBoolean("success")).isTrue();
        assertThat(result.getInteger("index")).isZero();
        assertThat(result.getBoolean("leaseReleased")).isTrue();
        assertThat(result.getBoolean("dlq")).isFalse();
        assertThat(result.getString("partitionName")).isEqualTo("Default");
        assertThat(partitions.cursor(partition, "__QUEUE_MODE__")).isEqualTo(1);
    }

    @Test
    void ack_several_answersInOrder() {
        JsonArray results = ack(
                item("m2", ",\"status\":\"success\",\"consumerGroup\":\"g\",\"leaseId\":\"\""),
                item("nope", ",\"consumerGroup\":\"g\""));
        assertThat(results.getJsonObject(0).getBoolean("success")).isTrue();
        assertThat(results.getJsonObject(1).getString("error")).isEqualTo("Message not found");
        assertThat(results.getJsonObject(1).getInteger("index")).isEqualTo(1);
        assertThat(partitions.cursor(partition, "g")).isEqualTo(2);
    }

    @Test
    void ack_nothing_isNothing() {
        assertThat(ack()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"transactionId\":\"m1\"}",
                "{\"partitionId\":\"01890000-0000-7000-8000-000000000000\"}",
                "{\"partitionId\":\"01890000-0000-7000-8000-000000000000\",\"transactionId\":\"m\",\"status\":\"done\"}"
            })
    void ack_incomplete_failsWithOurState(String ack) {
        assertThat(catchThrowableOfType(Sql.SqlFailure.class, () -> ack(ack)).state())
                .isEqualTo("QU001");
    }

    @Test
    void renew_severalLeases_answersInOrder() {
        UUID lease = partitions.lease(partition, "g", 3);
        JsonArray results = new JsonArray(sql.text(
                "select queen.renew_lease_v2(?::jsonb)::text",
                "[{\"leaseId\":\"%s\"},{\"leaseId\":\"%s\",\"extendSeconds\":500}]"
                        .formatted(UUID.randomUUID(), lease)));
        assertThat(results.getJsonObject(0).getString("error")).isEqualTo("Lease not found");
        assertThat(results.getJsonObject(1).getBoolean("success")).isTrue();
        assertThat(results.getJsonObject(1).getString("expiresAt")).isNotNull();
    }

    private String item(String transactionId, String more) {
        return "{\"partitionId\":\"%s\",\"transactionId\":\"%s\"%s}".formatted(partition, transactionId, more);
    }

    private JsonArray ack(String... acks) {
        return new JsonArray(
                sql.text("select queen.ack_messages_v2(?::jsonb)::text", "[" + String.join(",", acks) + "]"));
    }
}
