package io.queen.ack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.queen.message.Ack;
import io.queen.message.AckStatus;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.testing.Refusal;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AckReaderTest {
    private static final UUID PARTITION = UUID.randomUUID();
    private static final String IDS = "\"transactionId\":\"t\",\"partitionId\":\"" + PARTITION + "\"";

    @Test
    void ack_idsAlone_getsDefaults() {
        assertThat(one(IDS)).isEqualTo(new Ack(PARTITION, "t", "__QUEUE_MODE__", null, AckStatus.COMPLETED, null));
    }

    @Test
    void ack_allFields_areRead() {
        UUID lease = UUID.randomUUID();
        String fields =
                IDS + ",\"status\":\"dlq\",\"leaseId\":\"" + lease + "\",\"consumerGroup\":\"g\",\"error\":\"why\"";
        assertThat(one(fields)).isEqualTo(new Ack(PARTITION, "t", "g", lease, AckStatus.DLQ, "why"));
    }

    @Test
    void ack_nullsAndUnknownFields_areIgnored() {
        String fields = IDS + ",\"status\":null,\"leaseId\":null,\"consumerGroup\":null,\"error\":null,\"x\":[{}]";
        assertThat(one(fields)).isEqualTo(one(IDS));
    }

    @ParameterizedTest
    @CsvSource({"completed,COMPLETED", "success,COMPLETED", "failed,FAILED", "dlq,DLQ", "retry,RETRY", "done,", "'',"})
    void status_anyText_isKnownOrNull(String text, AckStatus status) {
        assertThat(one(IDS + ",\"status\":\"" + text + "\"").status()).isEqualTo(status);
    }

    @Test
    void lease_empty_isNotChecked() {
        assertThat(one(IDS + ",\"leaseId\":\"\"").leaseId()).isNull();
        assertThat(one(IDS + ",\"leaseId\":\"nonsense\"").leaseId()).isEqualTo(Ack.NO_SUCH_LEASE);
    }

    @Test
    void batch_groupAtTheTop_isThatOfEveryAck() {
        String acks = "\"acknowledgments\":[{" + IDS + "},{" + IDS + ",\"consumerGroup\":\"own\"}]";
        assertThat(batch("{" + acks + ",\"consumerGroup\":\"g\"}"))
                .extracting(Ack::consumerGroup)
                .containsExactly("g", "g");
        assertThat(batch("{\"consumerGroup\":null," + acks + "}"))
                .extracting(Ack::consumerGroup)
                .containsOnly("__QUEUE_MODE__");
        assertThat(batch("{\"acknowledgments\":[]}")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|transactionId|MISSING_FIELD",
                "{\"transactionId\":null}|transactionId|MISSING_FIELD",
                "{\"transactionId\":1}|transactionId|INVALID_FIELD",
                "{\"transactionId\":\"t\"}|partitionId|MISSING_FIELD",
                "{\"transactionId\":\"t\",\"partitionId\":{}}|partitionId|INVALID_FIELD",
                "{\"transactionId\":\"t\",\"partitionId\":\"p\"}|partitionId|INVALID_FIELD",
                "{\"transactionId\":\"t\",\"partitionId\":\"\"}|partitionId|INVALID_FIELD",
                "{\"transactionId\":\"a\\u0000\"}|transactionId|INVALID_FIELD",
                "{\"status\":1}|status|INVALID_FIELD",
                "{\"leaseId\":[]}|leaseId|INVALID_FIELD",
                "{\"error\":7}|error|INVALID_FIELD",
                "{\"error\":\"\\ud800\"}|error|INVALID_FIELD"
            })
    void ack_wrong_isRefusedByFieldAndIndex(String ack, String field, ErrorCode code) {
        QueenException alone = Refusal.of(AckReader::one, ack);
        assertThat(alone.code()).isEqualTo(code);
        assertThat(alone.field()).isEqualTo(field);
        QueenException second = Refusal.of(AckReader::batch, "{\"acknowledgments\":[{" + IDS + "}," + ack + "]}");
        assertThat(second.code()).isEqualTo(code);
        assertThat(second.field()).isEqualTo("acknowledgments[1]." + field);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "null", "{\"acknowledgments\":null}", "{\"acknowledgments\":{}}"})
    void batch_withoutAnArray_isRefused(String body) {
        assertThat(Refusal.of(AckReader::batch, body).field()).isEqualTo("acknowledgments");
    }

    @Test
    void batch_elementNotAnObject_isRefused() {
        assertThat(Refusal.of(AckReader::batch, "{\"acknowledgments\":[[]]}").field())
                .isEqualTo("acknowledgments[0]");
    }

    private static Ack one(String fields) {
        return AckReader.one(("{" + fields + "}").getBytes(UTF_8));
    }

    private static java.util.List<Ack> batch(String body) {
        return AckReader.batch(body.getBytes(UTF_8));
    }
}
