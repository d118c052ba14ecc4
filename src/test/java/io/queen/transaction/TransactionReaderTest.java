package io.queen.transaction;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.queen.message.Ack;
import io.queen.message.AckStatus;
import io.queen.message.PushItem;
import io.queen.message.QueenException;
import io.queen.message.Transaction;
import io.queen.testing.Refusal;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TransactionReaderTest {
    private static final UUID PARTITION = UUID.randomUUID();

    @Test
    void push_items_areExpandedInOrder() {
        List<Transaction.Operation> operations = read("{\"type\":\"push\",\"items\":[{\"queue\":\"a\",\"payload\":1},"
                        + "{\"queue\":\"b\",\"partition\":\"p\"}]},{\"queue\":\"c\",\"type\":\"push\"}")
                .operations();
        assertThat(operations)
                .extracting(operation -> ((Transaction.Push) operation).item().queue())
                .containsExactly("a", "b", "c");
    }

    @ParameterizedTest
    @ValueSource(strings = {"payload", "data"})
    void push_flat_isOneItem(String field) {
        PushItem item =
                push("{\"" + field + "\":{\"n\": 1.0},\"queue\":\"q\",\"transactionId\":\"t\",\"partition\":\"p\","
                        + "\"messageId\":\"m\",\"namespace\":1,\"type\":\"push\"}");
        assertThat(item).isEqualTo(new PushItem("q", "p", "t", null, "{\"n\": 1.0}", null));
    }

    @Test
    void push_withoutPayload_isAnEmptyObject() {
        assertThat(push("{\"type\":\"push\",\"queue\":\"q\"}").payload()).isEqualTo("{}");
        assertThat(push("{\"type\":\"push\",\"items\":[{\"queue\":\"q\"}]}").payload())
                .isEqualTo("{}");
        assertThat(push("{\"type\":\"push\",\"items\":[{\"queue\":\"q\",\"payload\":null}]}")
                        .payload())
                .isEqualTo("null");
    }

    @Test
    void push_idsMissing_areMade() {
        assertThat(push("{\"type\":\"push\",\"queue\":\"q\"}").transactionId()).hasSize(36);
    }

    @Test
    void ack_allFields_areRead() {
        Ack ack = ((Transaction.Acknowledge) read("{\"transactionId\":\"t\",\"partitionId\":\"" + PARTITION
                                + "\",\"consumerGroup\":\"g\",\"status\":\"success\",\"type\":\"ack\"}")
                        .operations()
                        .get(0))
                .ack();
        assertThat(ack).isEqualTo(new Ack(PARTITION, "t", "g", null, AckStatus.COMPLETED, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"retry", "done"})
    void ack_statusNotForTransactions_isUnsupported(String status) {
        assertThat(read("{\"type\":\"ack\",\"transactionId\":\"t\",\"partitionId\":\"" + PARTITION + "\",\"status\":\""
                                + status + "\"}")
                        .operations())
                .hasExactlyElementsOfTypes(Transaction.Unsupported.class);
    }

    @Test
    void operation_unknownType_isUnsupported() {
        assertThat(read("{\"type\":\"pop\"}").operations())
                .containsExactly(new Transaction.Unsupported("Unknown operation type: pop"));
    }

    @Test
    void requiredLeases_emptyAndNull_areLeftOut() {
        UUID lease = UUID.randomUUID();
        String body =
                "{\"requiredLeases\":[\"\",null,\"" + lease + "\",\"other\"],\"operations\":[{\"type\":\"pop\"}]}";
        assertThat(TransactionReader.read(body.getBytes(UTF_8), null).requiredLeases())
                .containsExactlyInAnyOrder(lease, Ack.NO_SUCH_LEASE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|operations[1].type",
                "{\"type\":1}|operations[1].type",
                "[]|operations[1]",
                "{\"type\":\"push\"}|operations[1].queue",
                "{\"type\":\"push\",\"queue\":1}|operations[1].queue",
                "{\"type\":\"push\",\"items\":{}}|operations[1].items",
                "{\"type\":\"push\",\"items\":[{\"queue\":\"q\"},{}]}|operations[1].items[1].queue",
                "{\"type\":\"push\",\"items\":[7]}|operations[1].items[0]",
                "{\"type\":\"push\",\"queue\":\"q\",\"traceId\":\"x\"}|operations[1].traceId",
                "{\"type\":\"ack\",\"partitionId\":\"x\"}|operations[1].transactionId",
                "{\"type\":\"ack\",\"transactionId\":\"t\"}|operations[1].partitionId",
                "{\"type\":\"ack\",\"transactionId\":\"t\",\"partitionId\":\"x\"}|operations[1].partitionId"
            })
    void operation_wrong_isRefusedByFieldAndIndex(String operation, String field) {
        QueenException refusal = Refusal.of(
                bytes -> TransactionReader.read(bytes, null),
                "{\"operations\":[{\"type\":\"push\",\"queue\":\"q\"}," + operation + "]}");
        assertThat(refusal.field()).isEqualTo(field);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "null", "{\"operations\":[]}", "{\"operations\":null}", "{\"operations\":{}}"})
    void operations_missingOrEmpty_areRefused(String body) {
        assertThat(Refusal.of(bytes -> TransactionReader.read(bytes, null), body)
                        .field())
                .isEqualTo("operations");
    }

    private static PushItem push(String operation) {
        return ((Transaction.Push) read(operation).operations().get(0)).item();
    }

    private static Transaction read(String operations) {
        return TransactionReader.read(("{\"operations\":[" + operations + "]}").getBytes(UTF_8), null);
    }
}
