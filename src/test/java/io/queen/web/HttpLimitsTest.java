package io.queen.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HttpLimitsTest {

    @Test
    void idleSeconds_longerThanAnyPoll_isWhatIsConfigured() {
        assertThat(HttpLimits.idleSeconds(180, 120_000)).isEqualTo(180);
    }

    @Test
    void idleSeconds_shorterThanTheLongestPoll_outlivesIt() {
        assertThat(HttpLimits.idleSeconds(5, 120_000)).isEqualTo(130);
    }
}
