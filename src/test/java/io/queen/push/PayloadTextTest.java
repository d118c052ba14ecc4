package io.queen.push;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.queen.message.PushItem;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client puts into a payload comes out of the readers byte for byte. */
class PayloadTextTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "true",
                "0",
                "-0",
                "1e400",
                "1.50",
                "123456789012345678901234567890.123456789012345678901234567890E+12345",
                "\"\"",
                "\"a\\u0000b\"",
                "\"\\ud800\"",
                "\"\\u00e9\\/\\n é 😀 \\ud83d\\ude00\"",
                "{}",
                "[]",
                "[ ]",
                "{ \"b\" : 1 , \"a\" : 2,\"b\":\t3 }",
                "{\"\":{\"\":[[],{}]}}",
                "{\"queue\":\"other\",\"payload\":{\"payload\":1}}",
                "\"]}\""
            })
    void payload_anyJson_isTheTextThatWasSent(String payload) {
        assertThat(payloadOf("{\"items\":[{\"queue\":\"q\",\"payload\":" + payload + "}]}"))
                .isEqualTo(payload);
        assertThat(payloadOf("{\"items\":[{\"payload\": \r\n" + payload + " \n,\"queue\":\"q\"}]}"))
                .isEqualTo(payload);
    }

    @Test
    void payload_afterOthers_isNotShiftedByWhatIsLongerInBytes() {
        List<PushItem> items = read(
                "{\"é😀\":\"é😀\",\"items\":[{\"queue\":\"é\",\"payload\":\"😀\"},{\"queue\":\"é\",\"payload\":[\"é\"]}]}");
        assertThat(items).extracting(PushItem::payload).containsExactly("\"😀\"", "[\"é\"]");
    }

    @Test
    void payload_threeMegabytes_isTheTextThatWasSent() {
        String text = '"' + "é😀\\n".repeat(400_000) + '"';
        assertThat(payloadOf("{\"items\":[{\"queue\":\"q\",\"payload\":" + text + "}]}")
                        .equals(text))
                .isTrue();
    }

    @Test
    void payload_numberOfAMillionDigits_isTheTextThatWasSent() {
        String digits = "9".repeat(1_000_000);
        assertThat(payloadOf("{\"items\":[{\"queue\":\"q\",\"payload\":" + digits + "}]}")
                        .equals(digits))
                .isTrue();
    }

    @Test
    void payload_afterAByteOrderMark_isTheTextThatWasSent() {
        assertThat(payloadOf("\uFEFF{\"items\":[{\"queue\":\"q\",\"payload\":{\"a\":1}}]}"))
                .isEqualTo("{\"a\":1}");
    }

    @Test
    void payload_givenTwice_isTheLast() {
        assertThat(payloadOf("{\"items\":[{\"queue\":\"q\",\"payload\":1,\"payload\":2}]}"))
                .isEqualTo("2");
    }

    @Test
    void payload_absent_isNull() {
        assertThat(payloadOf("{\"items\":[{\"queue\":\"q\"}]}")).isEqualTo("null");
    }

    private static String payloadOf(String body) {
        return read(body).get(0).payload();
    }

    private static List<PushItem> read(String body) {
        return PushReader.read(body.getBytes(UTF_8), null);
    }
}
