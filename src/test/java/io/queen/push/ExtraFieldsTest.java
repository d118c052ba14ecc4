package io.queen.push;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.time.temporal.ChronoUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.queen.message.ErrorCode;
import io.queen.message.PushItem;
import io.queen.message.QueenException;
import io.queen.testing.Refusal;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExtraFieldsTest {

    @Test
    void headers_given_areWrittenWithoutSpace() {
        assertThat(one("\"headers\" : { \"a\" : \"1\" , \"é\\u0022\":\"\\n😀\\u0001\" }")
                        .headers())
                .isEqualTo("{\"a\":\"1\",\"é\\\"\":\"\\n😀\\u0001\"}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"headers\":null", "\"headers\":{}", "\"headers\":[]", "\"partition\":\"p\""})
    void headers_none_areNull(String fields) {
        assertThat(one(fields).headers()).isNull();
    }

    @Test
    void headers_atTheirBounds_areTaken() {
        assertThat(one("\"headers\":" + headers(32, "n", "v")).headers()).hasSizeGreaterThan(32);
        assertThat(one("\"headers\":" + headers(1, "n".repeat(127), "v".repeat(1024)))
                        .headers())
                .hasSizeGreaterThan(1024);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"headers\":\"a\"|headers",
                "\"headers\":7|headers",
                "\"headers\":[1]|headers",
                "\"headers\":{\"foo\":1}|headers.foo",
                "\"headers\":{\"foo\":null}|headers.foo",
                "\"headers\":{\"foo\":{\"a\":\"b\"}}|headers.foo",
                "\"headers\":{\"foo\":\"a\\u0000\"}|headers.foo",
                "\"headers\":{\"foo\":\"\\ud800\"}|headers.foo",
                "\"headers\":{\"f\\u0000\":\"a\"}|headers",
                "\"headers\":{\"\":\"a\"}|headers",
                "\"headers\":{\"foo\":\"a\",\"foo\":\"b\"}|headers.foo",
                "\"delaySeconds\":-1|delaySeconds",
                "\"delaySeconds\":-0.001|delaySeconds",
                "\"delaySeconds\":315360001|delaySeconds",
                "\"delaySeconds\":1e999|delaySeconds",
                "\"delaySeconds\":\"5\"|delaySeconds",
                "\"delaySeconds\":true|delaySeconds",
                "\"delaySeconds\":[1]|delaySeconds",
                "\"deliverAt\":1700000000|deliverAt",
                "\"deliverAt\":\"tomorrow\"|deliverAt",
                "\"deliverAt\":\"2999-01-01T00:00:00Z\"|deliverAt",
                "\"deliverAt\":\"\"|deliverAt",
                "\"deliverAt\":\"2026-01-01\",\"delaySeconds\":1|delaySeconds",
                "\"delaySeconds\":0,\"deliverAt\":\"2026-01-01\"|deliverAt"
            })
    void field_wrong_isRefusedByItsName(String fields, String field) {
        refused(fields, field);
    }

    @Test
    void headers_beyondTheirBounds_areRefused() {
        refused("\"headers\":" + headers(33, "n", "v"), "headers");
        refused("\"headers\":{\"" + "n".repeat(129) + "\":\"v\"}", "headers");
        refused("\"headers\":{\"n\":\"" + "v".repeat(1025) + "\"}", "headers.n");
        refused("\"headers\":" + headers(9, "n", "v".repeat(1000)), "headers");
        refused("\"headers\":" + headers(5, "n", "é".repeat(1000)), "headers");
    }

    @ParameterizedTest
    @CsvSource({"60, 60", "0.5, 0", "1e3, 1000", "315360000, 315360000"})
    void delaySeconds_given_countsFromNow(String seconds, long expected) {
        OffsetDateTime now = OffsetDateTime.now(ZoneOffset.UTC);
        assertThat(one("\"delaySeconds\":" + seconds).deliverAt())
                .isAfter(now)
                .isCloseTo(now.plusSeconds(expected), within(30, SECONDS));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"\"delaySeconds\":0", "\"delaySeconds\":0.0", "\"delaySeconds\":null", "\"deliverAt\":null"})
    void deliverAt_atOnce_isNull(String fields) {
        assertThat(one(fields).deliverAt()).isNull();
    }

    @Test
    void deliverAt_given_isThatTime() {
        assertThat(one("\"deliverAt\":\"2026-01-01T01:00:00.5+01:00\"").deliverAt())
                .isAtSameInstantAs(OffsetDateTime.parse("2026-01-01T00:00:00.5Z"));
    }

    @Test
    void item_afterOneWithAll_hasNothingOfIt() {
        String body = "{\"items\":[{\"queue\":\"q\",\"headers\":{\"a\":\"b\"},\"delaySeconds\":5},{\"queue\":\"q\"}]}";
        PushItem second = PushReader.read(body.getBytes(UTF_8), null).get(1);
        assertThat(second.headers()).isNull();
        assertThat(second.deliverAt()).isNull();
    }

    private static String headers(int count, String name, String value) {
        return IntStream.range(0, count)
                .mapToObj(i -> "\"" + name + i + "\":\"" + value + "\"")
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static PushItem one(String fields) {
        return PushReader.read(body(fields).getBytes(UTF_8), null).get(0);
    }

    private static String body(String fields) {
        return "{\"items\":[{\"queue\":\"q\"," + fields + "}]}";
    }

    private static void refused(String fields, String field) {
        QueenException refusal = Refusal.of(bytes -> PushReader.read(bytes, null), body(fields));
        assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_FIELD);
        assertThat(refusal.field()).isEqualTo("items[0]." + field);
    }
}
