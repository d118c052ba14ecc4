package io.queen.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GrowthTest {
    @Test
    void amount_growingSteadily_isFound() {
        assertThat(growth(i -> 100_000 + 10_000L * i).unending()).hasSize(1);
    }

    @Test
    void amount_thatLevelsOff_isNotFound() {
        assertThat(growth(i -> Math.min(i, 30) * 10_000L).unending()).isEmpty();
    }

    @Test
    void amount_thatGoesUpAndDown_isNotFound() {
        assertThat(growth(i -> i % 7 * 10_000L).unending()).isEmpty();
    }

    private static Growth growth(IntToLongFunction amount) {
        List<Map<String, Long>> samples = IntStream.range(0, 90)
                .mapToObj(i -> Map.of("rows", amount.applyAsLong(i)))
                .toList();
        return new Growth(samples);
    }
}
