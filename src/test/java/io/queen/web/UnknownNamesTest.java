package io.queen.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnknownNamesTest {
    @Test
    void warning_namesInLists_areToldOnceWithoutTheirPlace() {
        UnknownNames.Found found = UnknownNames.add(null, "items[0].", "payoad");
        found = UnknownNames.add(found, "items[12].", "payoad");
        found = UnknownNames.add(found, "", "bufer");
        assertThat(found.warning()).isEqualTo("299 - \"unknown and ignored: items[].payoad, bufer\"");
    }

    @Test
    void warning_aMillionLongNames_isShort() {
        UnknownNames.Found found = null;
        for (int i = 0; i < 1_000_000; i++) {
            found = UnknownNames.add(found, "", i + "\u20ac".repeat(200));
        }
        assertThat(found.warning()).hasSizeLessThan(1024).endsWith(", and more\"");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {
                "plain[].name_1-x, plain[].name_1-x",
                "`a\"b\\c`, a%22b%5Cc",
                "`a\r\nSet-Cookie: x`, a%0D%0ASet-Cookie:%20x",
                "ä€, %C3%A4%E2%82%AC",
                "100%, 100%25"
            })
    void safe_anyName_isVisibleAscii(String name, String expected) {
        assertThat(UnknownNames.safe(name)).isEqualTo(expected);
    }

    @Test
    void log_aMillionNames_isToldOfTheFirst() {
        UnknownNames names = new UnknownNames(false, 5);
        assertThat(IntStream.range(0, 1_000_000)
                        .filter(i -> names.log("n" + i, "GET /x"))
                        .count())
                .isEqualTo(5);
    }

    @Test
    void log_sameNameAgain_isSilent() {
        UnknownNames names = new UnknownNames(false, 5);
        assertThat(names.log("consumergroup", "GET /pop")).isTrue();
        assertThat(names.log("consumergroup", "GET /pop")).isFalse();
        assertThat(names.log("consumergroup", "GET /other")).isTrue();
    }
}
