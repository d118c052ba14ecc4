package io.queen.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.message.QueenException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonBodyTest {

    @ParameterizedTest
    @ValueSource(strings = {"\"\uFFFD\"", "{ \"é😀\" : 1.50 }", "[\"\uFFFD\", \"\\ud800\"]", "\"a\""})
    void raw_anyText_isAsItWasSent(String value) {
        assertThat(raw(value.getBytes(UTF_8))).isEqualTo(value);
    }

    /** A byte that begins nothing, an overlong slash, half of a surrogate pair, a sequence that was cut. */
    @ParameterizedTest
    @ValueSource(strings = {"ff", "c0af", "eda080", "e282"})
    void raw_noUtf8_isRefused(String hex) {
        byte[] value = "\"\uFFFD\"".getBytes(UTF_8);
        byte[] broken = HexFormat.of().parseHex(hex);
        byte[] whole = ByteBuffer.allocate(value.length + broken.length)
                .put(value, 0, value.length - 1)
                .put(broken)
                .put((byte) '"')
                .array();
        assertThatThrownBy(() -> raw(whole)).isInstanceOf(QueenException.class);
    }

    @Test
    void read_moreAfterTheEnd_isRefused() {
        assertThatThrownBy(() -> raw("1 2".getBytes(UTF_8))).hasMessageContaining("more after the end");
    }

    private static String raw(byte[] body) {
        return JsonBody.read(body, json -> json.raw("payload"));
    }
}
