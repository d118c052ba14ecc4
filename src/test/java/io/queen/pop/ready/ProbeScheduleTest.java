package io.queen.pop.ready;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbeScheduleTest {
    @ParameterizedTest
    @CsvSource({"0, 100", "3, 100", "4, 200", "5, 400", "6, 800", "7, 1000", "100000, 1000"})
    void delay_afterLooksInVain_growsToTheLimit(int looks, long millis) {
        assertThat(ReadyFixtures.SCHEDULE.delayMillis(looks)).isEqualTo(millis);
    }
}
