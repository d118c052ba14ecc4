package io.queen.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class UuidV7Test {
    private final UuidV7 ids = new UuidV7();

    @Test
    void next_always_isVersion7OfItsTime() {
        UUID id = ids.next(1_700_000_000_000L);
        assertThat(id.version()).isEqualTo(7);
        assertThat(id.variant()).isEqualTo(2);
        assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(1_700_000_000_000L);
    }

    @Test
    void next_manyInOneMillisecond_ascend() {
        assertAscending(10_000, i -> 1_700_000_000_000L);
    }

    @Test
    void next_clockStepsBack_ascends() {
        assertAscending(10_000, i -> 1_700_000_000_000L - i);
    }

    @Test
    void next_moreThanTheCounterHolds_borrowsFromTheNextMillisecond() {
        UUID last = null;
        for (int i = 0; i <= 4096; i++) {
            last = ids.next(1_700_000_000_000L);
        }
        assertThat(last.getMostSignificantBits() >>> 16).isEqualTo(1_700_000_000_001L);
        assertThat(last.version()).isEqualTo(7);
    }

    @Test
    void next_now_startsWithTheClock() {
        long before = System.currentTimeMillis();
        long time = new UuidV7().next().getMostSignificantBits() >>> 16;
        assertThat(time).isBetween(before, System.currentTimeMillis());
    }

    private void assertAscending(int count, java.util.function.IntToLongFunction clock) {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            made.add(ids.next(clock.applyAsLong(i)).toString());
        }
        assertThat(made).isSorted().doesNotHaveDuplicates();
    }
}
