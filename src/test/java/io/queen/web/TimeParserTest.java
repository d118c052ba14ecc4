package io.queen.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeParserTest {
    @ParameterizedTest
    @CsvSource({
        "2025-12-01T08:00:00Z, 2025-12-01T08:00:00Z",
        "2025-12-01T08:00:00z, 2025-12-01T08:00:00Z",
        "2025-12-01T08:00:00.5Z, 2025-12-01T08:00:00.5Z",
        "2025-12-01T08:00:00.123456Z, 2025-12-01T08:00:00.123456Z",
        "2025-12-01T08:00:00+01:30, 2025-12-01T06:30:00Z",
        "2025-12-01T08:00:00-0500, 2025-12-01T13:00:00Z",
        "2025-12-01T08:00:00 01:00, 2025-12-01T07:00:00Z",
        "2025-12-01 08:00:00, 2025-12-01T08:00:00Z",
        "2025-12-01 08:00:00+01:00, 2025-12-01T07:00:00Z",
        "2025-12-01 08:00:00+01, 2025-12-01T07:00:00Z",
        "2025-12-01T08:00, 2025-12-01T08:00:00Z",
        "2025-12-01T08:00:00, 2025-12-01T08:00:00Z",
        "2025-12-01, 2025-12-01T00:00:00Z",
        "' 2025-12-01 ', 2025-12-01T00:00:00Z"
    })
    void parse_time_isThatInstant(String text, Instant expected) {
        assertThat(TimeParser.parse(text, "f").toInstant()).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"30s, 30", "5m, 300", "5m ago, 300", "5 m ago, 300", "2h ago, 7200", "1d, 86400", "0s ago, 0"})
    void parse_someTimeAgo_isBeforeNow(String text, long seconds) {
        assertThat(TimeParser.parse(text, "f").toInstant())
                .isCloseTo(Instant.now().minus(Duration.ofSeconds(seconds)), within(5, ChronoUnit.SECONDS));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "yesterday",
                "",
                "5",
                "m",
                "5w ago",
                "-5m",
                "5 minutes ago",
                "2025-13-01",
                "2025-12-01T25:00:00Z",
                "2025-12-01T08:00:00+99:00",
                "12345",
                "999999999d ago",
                "+10000-01-01T00:00:00Z",
                "+999999999-12-31T23:59:59Z",
                "0000-01-01T00:00:00Z"
            })
    void parse_anythingElse_isRefusedWithTheText(String text) {
        assertThatThrownBy(() -> TimeParser.parse(text, "from"))
                .isInstanceOfSatisfying(
                        QueenException.class,
                        e -> assertThat(e.code().status()).isEqualTo(ErrorCode.MISSING_FIELD.status()))
                .hasMessageContaining("from")
                .hasMessageContaining(text);
    }
}
