package io.queen.pop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.message.QueenException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HolderTest {
    @ParameterizedTest
    @CsvSource({
        "10.0.0.7, , 10.0.0.7",
        "10.0.0.7, '  ', 10.0.0.7",
        "10.0.0.7, billing-3, 10.0.0.7 billing-3",
        "0:0:0:0:0:0:0:1, ' a b ', 0:0:0:0:0:0:0:1 a b"
    })
    void holder_addressAndName_areOneText(String address, String name, String holder) {
        assertThat(Holder.of(address, name)).isEqualTo(holder);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\nb", "a\tb", "a\u0000b", "b\u00e4r", "\u007f"})
    void name_notPrintable_isRefused(String name) {
        assertThatThrownBy(() -> Holder.of("10.0.0.7", name)).isInstanceOf(QueenException.class);
    }

    @Test
    void name_longerThanAllowed_isRefused() {
        assertThat(Holder.of("10.0.0.7", "x".repeat(100))).hasSize(109);
        assertThatThrownBy(() -> Holder.of("10.0.0.7", "x".repeat(101))).isInstanceOf(QueenException.class);
    }
}
