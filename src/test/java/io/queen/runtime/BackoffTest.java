package io.queen.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BackoffTest {
    @Test
    void millisAfter_growsToTheLongest() {
        assertThat(Backoff.millisAfter(1)).isEqualTo(500);
        assertThat(Backoff.millisAfter(2)).isEqualTo(1_000);
        assertThat(Backoff.millisAfter(5)).isEqualTo(5_000);
        assertThat(Backoff.millisAfter(1_000_000)).isEqualTo(5_000);
    }
}
