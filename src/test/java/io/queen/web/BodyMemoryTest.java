package io.queen.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BodyMemoryTest {
    private static final long LIMIT = 1 << 20;
    private static final long RESERVE = LIMIT / 4;

    private final BodyMemory memory = new BodyMemory(LIMIT);

    @Test
    void large_asLongAsThereIsRoom_isTaken() {
        assertThat(memory.reserve(0, LIMIT - 100_000)).isTrue();
        assertThat(memory.reserve(LIMIT - 100_000, 100_000)).isTrue();
        assertThat(memory.reserve(LIMIT, 1)).isFalse();
        memory.release(100_000);
        assertThat(memory.reserve(LIMIT - 100_000, 100_000)).isTrue();
    }

    @Test
    void small_whileLargeOnesFillTheRoom_isTaken() {
        assertThat(memory.reserve(0, LIMIT)).isTrue();
        assertThat(memory.reserve(0, BodyMemory.SMALL)).isTrue();
        assertThat(memory.reserve(BodyMemory.SMALL, 1)).isFalse();
    }

    @Test
    void small_beyondTheReserve_isRefused() {
        assertThat(memory.reserve(0, LIMIT)).isTrue();
        for (long bytes = 0; bytes < RESERVE; bytes += BodyMemory.SMALL) {
            assertThat(memory.reserve(0, BodyMemory.SMALL)).isTrue();
        }
        assertThat(memory.reserve(0, 1)).isFalse();
    }

    @Test
    void refused_always_takesNoRoom() {
        assertThat(memory.reserve(0, LIMIT + 1)).isFalse();
        assertThat(memory.held()).isZero();
    }

    @Test
    void isShort_aboveHalf() {
        assertThat(memory.reserve(0, LIMIT / 2)).isTrue();
        assertThat(memory.isShort()).isFalse();
        assertThat(memory.reserve(0, 1)).isTrue();
        assertThat(memory.isShort()).isTrue();
    }
}
