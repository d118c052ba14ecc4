package io.queen.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class IntakeTest {
    private final Intake intake = new Intake(100);

    @Test
    void admits_asLongAsThereIsRoom() {
        assertThat(intake.admits(60)).isTrue();
        assertThat(intake.admits(40)).isTrue();
        assertThat(intake.admits(1)).isFalse();
        intake.done(40);
        assertThat(intake.admits(40)).isTrue();
    }

    @Test
    void admits_largerThanTheLimit_fitsAlone() {
        assertThat(intake.admits(1000)).isTrue();
        assertThat(intake.admits(1)).isFalse();
        intake.done(1000);
        assertThat(intake.admits(1)).isTrue();
        assertThat(intake.admits(1000)).isFalse();
    }
}
