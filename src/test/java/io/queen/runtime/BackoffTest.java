package io.queen.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BackoffTest {
    @Test
    void millisAfter_doubling_growsToTheLongest() {
        Backoff backoff = Backoff.doubling(500, 5_000);
        assertThat(backoff.millisAfter(1)).isEqualTo(500);
        assertThat(backoff.millisAfter(2)).isEqualTo(1_000);
        assertThat(backoff.millisAfter(4)).isEqualTo(4_000);
        assertThat(backoff.millisAfter(5)).isEqualTo(5_000);
        assertThat(backoff.millisAfter(Integer.MAX_VALUE)).isEqualTo(5_000);
    }

    @Test
    void millisAfter_noFailure_isTheFirst() {
        assertThat(Backoff.doubling(500, 5_000).millisAfter(0)).isEqualTo(500);
    }

    @Test
    void millisAfter_firstBeyondTheLongest_isTheLongest() {
        assertThat(Backoff.doubling(500, 100).millisAfter(1)).isEqualTo(100);
    }

    @Test
    void millisAfter_otherFactor_growsByIt() {
        Backoff backoff = new Backoff(100, 1.5, 1_000);
        assertThat(backoff.millisAfter(2)).isEqualTo(150);
        assertThat(backoff.millisAfter(3)).isEqualTo(225);
    }
}
