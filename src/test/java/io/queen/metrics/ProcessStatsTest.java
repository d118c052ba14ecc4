package io.queen.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcessStatsTest {

    @Test
    void parse_nameWithSpacesAndBrackets_findsTheNumbers() {
        String status = "Name:\tjava\nVmSize:\t  2048 kB\nVmRSS:\t    1024 kB\n";
        String stat = "42 (a (b) c) S 1 2 3 4 5 6 7 8 9 10 150 25 0 0 20 0";
        assertThat(ProcessStats.parse(status, stat)).isEqualTo(new ProcessStats(1048576, 2097152, 1_500_000, 250_000));
    }

    @Test
    void parse_noMemoryLines_areZero() {
        assertThat(ProcessStats.parse("", "1 (x) S 0 0 0 0 0 0 0 0 0 0 1 2 0").residentBytes())
                .isZero();
    }
}
