package io.queen.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IntakeTest {
    private static final long LIMIT = 1 << 20;
    private static final long RESERVE = LIMIT / 4;

    private final Intake intake = new Intake(LIMIT);

    @Test
    void large_asLongAsThereIsRoom_isAdmitted() {
        assertThat(intake.admits(0, LIMIT - 100_000)).isTrue();
        assertThat(intake.admits(LIMIT - 100_000, 100_000)).isTrue();
        assertThat(intake.admits(LIMIT, 1)).isFalse();
        intake.done(100_000);
        assertThat(intake.admits(LIMIT - 100_000, 100_000)).isTrue();
    }

    @Test
    void small_whileLargeOnesFillTheRoom_isAdmitted() {
        assertThat(intake.admits(0, LIMIT)).isTrue();
        assertThat(intake.admits(0, Intake.SMALL)).isTrue();
        assertThat(intake.admits(Intake.SMALL, 1)).isFalse();
    }

    @Test
    void small_beyondTheReserve_isRefused() {
        assertThat(intake.admits(0, LIMIT)).isTrue();
        for (long bytes = 0; bytes < RESERVE; bytes += Intake.SMALL) {
            assertThat(intake.admits(0, Intake.SMALL)).isTrue();
        }
        assertThat(intake.admits(0, 1)).isFalse();
    }

    @Test
    void refused_always_takesNoRoom() {
        assertThat(intake.admits(0, LIMIT + 1)).isFalse();
        assertThat(intake.held()).isZero();
    }

    @Test
    void pressed_aboveHalf() {
        assertThat(intake.admits(0, LIMIT / 2)).isTrue();
        assertThat(intake.pressed()).isFalse();
        assertThat(intake.admits(0, 1)).isTrue();
        assertThat(intake.pressed()).isTrue();
    }
}
