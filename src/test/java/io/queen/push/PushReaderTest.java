package io.queen.push;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.queen.message.ErrorCode;
import io.queen.message.PushItem;
import io.queen.message.QueenException;
import io.queen.testing.Refusal;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PushReaderTest {

    @Test
    void item_allFields_areRead() {
        UUID trace = UUID.randomUUID();
        PushItem item = one("{\"queue\":\"q\",\"partition\":\"p\",\"transactionId\":\"t\",\"traceId\":\"" + trace
                + "\",\"payload\":1,\"producerSub\":\"evil\",\"namespace\":7}");
        assertThat(item).isEqualTo(new PushItem("q", "p", "t", trace, "1", null));
    }

    @Test
    void item_queueAlone_getsDefaults() {
        PushItem item = one("{\"queue\":\"q\"}");
        assertThat(item.partition()).isEqualTo("Default");
        assertThat(item.traceId()).isNull();
        assertThat(UUID.fromString(item.transactionId())).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "null"})
    void item_emptyIds_areAbsent(String empty) {
        PushItem item = one("{\"queue\":\"q\",\"transactionId\":" + empty + ",\"traceId\":" + empty + "}");
        assertThat(item.transactionId()).hasSize(36);
        assertThat(item.traceId()).isNull();
    }

    @Test
    void item_namesOf255Characters_areTaken() {
        String name = "n".repeat(255);
        PushItem item = one("{\"queue\":\"%1$s\",\"partition\":\"%1$s\",\"transactionId\":\"%1$s\"}".formatted(name));
        assertThat(List.of(item.queue(), item.partition(), item.transactionId()))
                .containsOnly(name);
    }

    @Test
    void item_severalWithoutIds_getDifferentOnes() {
        List<PushItem> items = read("{\"items\":[{\"queue\":\"q\"},{\"queue\":\"q\"}]}");
        assertThat(items).extracting(PushItem::transactionId).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{}|items[1].queue|MISSING_FIELD",
                "{\"queue\":null}|items[1].queue|INVALID_FIELD",
                "{\"queue\":7}|items[1].queue|INVALID_FIELD",
                "{\"queue\":[\"q\"]}|items[1].queue|INVALID_FIELD",
                "{\"queue\":\"q\",\"partition\":null}|items[1].partition|INVALID_FIELD",
                "{\"queue\":\"q\",\"partition\":{}}|items[1].partition|INVALID_FIELD",
                "{\"queue\":\"q\",\"transactionId\":1}|items[1].transactionId|INVALID_FIELD",
                "{\"queue\":\"q\",\"traceId\":1}|items[1].traceId|INVALID_FIELD",
                "{\"queue\":\"q\",\"traceId\":\"no\"}|items[1].traceId|INVALID_FIELD",
                "{\"queue\":\"q\",\"traceId\":\"1-1-1-1-1\"}|items[1].traceId|INVALID_FIELD",
                "{\"queue\":\"a\\u0000b\"}|items[1].queue|INVALID_FIELD",
                "{\"queue\":\"q\",\"partition\":\"\\ud800\"}|items[1].partition|INVALID_FIELD",
                "{\"queue\":\"q\",\"transactionId\":\"\\udc00\\ud800\"}|items[1].transactionId|INVALID_FIELD",
                "[]|items[1]|INVALID_FIELD",
                "null|items[1]|INVALID_FIELD",
                "\"q\"|items[1]|INVALID_FIELD"
            })
    void item_wrong_isRefusedByFieldAndIndex(String item, String field, ErrorCode code) {
        refused("{\"items\":[{\"queue\":\"q\"}," + item + "]}", field, code);
    }

    @ParameterizedTest
    @ValueSource(strings = {"queue", "partition", "transactionId"})
    void item_nameTooLong_isRefused(String field) {
        String item = "{\"queue\":\"q\",\"" + field + "\":\"" + "n".repeat(256) + "\"}";
        refused("{\"items\":[" + item + "]}", "items[0]." + field, ErrorCode.INVALID_FIELD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "null", "7", "\"items\"", "{\"item\":[]}"})
    void items_missing_isRefused(String body) {
        refused(body, "items", ErrorCode.MISSING_FIELD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "{}", "\"\"", "1"})
    void items_notAnArray_isRefused(String items) {
        refused("{\"items\":" + items + "}", "items", ErrorCode.INVALID_FIELD);
    }

    @Test
    void items_empty_isEmpty() {
        assertThat(read("{\"items\":[]}")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ÿ", "Ã(", "À", "í\u00a0\u0080", "ô\u0090\u0080\u0080"})
    void payload_brokenUtf8_isRefusedByField(String bytes) {
        String body = "{\"items\":[{\"queue\":\"q\"},{\"queue\":\"q\",\"payload\":{\"a\":\"" + bytes + "\"}}]}";
        QueenException refusal = Refusal.of(sent -> PushReader.read(sent, null), body.getBytes(ISO_8859_1));
        assertThat(refusal.code().status()).isEqualTo(400);
        assertThat(refusal.field()).startsWith("items[1].payload");
    }

    @Test
    void payload_nestedTooDeep_isRefusedByField() {
        String body = "{\"items\":[{\"queue\":\"q\",\"payload\":" + "[".repeat(2000) + "]".repeat(2000) + "}]}";
        assertThat(Refusal.of(bytes -> PushReader.read(bytes, null), body).field())
                .startsWith("items[0].payload");
    }

    private static PushItem one(String item) {
        return read("{\"items\":[" + item + "]}").get(0);
    }

    private static List<PushItem> read(String body) {
        return PushReader.read(body.getBytes(UTF_8), null);
    }

    private static void refused(String body, String field, ErrorCode code) {
        QueenException refusal = Refusal.of(bytes -> PushReader.read(bytes, null), body);
        assertThat(refusal.code()).isEqualTo(code);
        assertThat(refusal.field()).isEqualTo(field);
    }
}
