package io.queen.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PrecedenceTest {
    private final Precedence precedence = new Precedence();
    private final List<String> done = new ArrayList<>();

    @Test
    void others_aLoopWithoutOne_waitUntilAllHaveOne() {
        precedence.lacks("loop 1");
        precedence.lacks("loop 2");
        precedence.whenServed(() -> done.add("other"));
        precedence.has("loop 1");
        assertThat(done).isEmpty();
        assertThat(precedence.served()).isFalse();
        precedence.has("loop 2");
        assertThat(done).containsExactly("other");
        assertThat(precedence.served()).isTrue();
    }

    @Test
    void others_allLoopsHaveOne_goAtOnce() {
        precedence.whenServed(() -> done.add("other"));
        assertThat(done).containsExactly("other");
    }

    @Test
    void refused_aLoopWithoutOne_othersGiveWayUntilItHasOne() {
        precedence.onYield(() -> done.add("gave way"));
        precedence.lacks("loop");
        assertThat(precedence.refused("loop")).isTrue();
        assertThat(done).containsExactly("gave way");
        assertThat(precedence.limited()).isTrue();
        precedence.has("loop");
        assertThat(precedence.limited()).isFalse();
    }

    @Test
    void refused_aFurtherOne_nobodyGivesWay() {
        precedence.onYield(() -> done.add("gave way"));
        precedence.lacks("loop");
        precedence.has("loop");
        assertThat(precedence.refused("loop")).isFalse();
        assertThat(done).isEmpty();
        assertThat(precedence.limited()).isFalse();
    }
}
