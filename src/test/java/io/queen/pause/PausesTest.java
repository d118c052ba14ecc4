package io.queen.pause;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import io.queen.pop.ready.Pause;
import io.queen.pop.ready.Pauses;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PausesTest {
    private final Pauses pauses = new Pauses();

    @ParameterizedTest
    @CsvSource({
        "whole, g, true",
        "whole, other, true",
        "part, g, true",
        "part, other, false",
        "free, g, false",
    })
    void pop_ofWhatIsPaused_isHeld(String queue, String group, boolean held) {
        pauses.replace(List.of(new Pause("whole", null, null), new Pause("part", "g", null)));
        assertThat(pauses.holds(queue, group)).isEqualTo(held);
        assertThat(pauses.holds(pop(new PopTarget.Queue(queue), group))).isEqualTo(held);
        assertThat(pauses.holds(pop(new PopTarget.Partition(queue, "p"), group)))
                .isEqualTo(held);
        assertThat(pauses.holds(pop(new PopTarget.Filter(queue, null), group)))
                .as("it names no queue")
                .isFalse();
    }

    private static PopRequest pop(PopTarget target, String group) {
        return new PopRequest(target, group, 1, 1, false, null, null, null);
    }

    @Test
    void pauses_replacedByNone_holdNothing() {
        pauses.replace(List.of(new Pause("q", null, null)));
        pauses.replace(List.of());
        assertThat(pauses.isEmpty()).isTrue();
        assertThat(pauses.holds("q", "g")).isFalse();
    }
}
