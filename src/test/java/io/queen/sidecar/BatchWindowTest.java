package io.queen.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.runtime.ManualLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchWindowTest {
    private static final Duration SHORT = Duration.ofMillis(20);

    private final ManualLoop loop = new ManualLoop();
    private final List<List<String>> ended = new ArrayList<>();
    private BatchWindow<String> window;

    @Test
    void add_soMany_endsAtOnce() {
        window(2, Engine.LONG);
        window.add("a");
        assertThat(ended).isEmpty();
        window.add("b");
        assertThat(ended).containsExactly(List.of("a", "b"));
        assertThat(window.isEmpty()).isTrue();
    }

    @Test
    void add_soLong_endsOnTheLoop() {
        window(100, SHORT);
        window.add("a");
        loop.awaitTask();
        assertThat(ended).containsExactly(List.of("a"));
    }

    @Test
    void take_early_givesAllInOrderAndTheWindowDoesNotEndAgain() {
        window(3, Engine.LONG);
        window.add("a");
        window.add("b");
        assertThat(window.take()).containsExactly("a", "b");
        assertThat(window.take()).isEmpty();
        window.add("c");
        assertThat(ended).isEmpty();
        window.add("d");
        window.add("e");
        assertThat(ended).containsExactly(List.of("c", "d", "e"));
    }

    /** The timer has run, but the loop has not heard of it yet. */
    @Test
    void take_betweenTheTimerAndTheLoop_losesNothingAndKeepsTheOrder() {
        window(100, SHORT);
        window.add("a");
        loop.awaitArrival();
        assertThat(window.take()).containsExactly("a");
        window.add("b");
        loop.runOne();
        assertThat(ended).isEmpty();
        assertThat(window.take()).containsExactly("b");
    }

    private void window(int size, Duration length) {
        window = new BatchWindow<>(size, length, loop, () -> ended.add(window.take()));
    }
}
