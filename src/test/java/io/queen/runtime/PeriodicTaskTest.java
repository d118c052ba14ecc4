package io.queen.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.metrics.Complaints;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class PeriodicTaskTest {
    private final FakeTimers timers = new FakeTimers();
    private final List<String> lines = new ArrayList<>();
    private final List<UniEmitter<? super Long>> runs = new ArrayList<>();

    @Test
    void start_always_runsAfterThePause() {
        task(100).start();
        timers.pass(99);
        assertThat(runs).isEmpty();
        timers.pass(1);
        assertThat(runs).hasSize(1);
    }

    @Test
    void run_takesLong_delaysTheNextByThePauseAfterIt() {
        task(100).runNow();
        timers.pass(1_000);
        assertThat(runs).as("never two at once").hasSize(1);
        runs.get(0).complete(100L);
        timers.pass(99);
        assertThat(runs).hasSize(1);
        timers.pass(1);
        assertThat(runs).hasSize(2);
    }

    @Test
    void run_givesAnotherPause_isFollowedAfterThat() {
        task(100).runNow();
        runs.get(0).complete(5L);
        timers.pass(5);
        assertThat(runs).hasSize(2);
    }

    @Test
    void run_fails_isAComplaintAndTriedAgain() {
        task(100).runNow();
        runs.get(0).fail(new IllegalStateException("no"));
        assertThat(lines).containsExactly("It is not done: no");
        timers.pass(100);
        assertThat(runs).hasSize(2);
    }

    @Test
    void run_throws_isAComplaintAndTriedAgain() {
        int[] count = {0};
        PeriodicTask task = task(100, () -> {
            count[0]++;
            throw new IllegalStateException("no");
        });
        task.runNow();
        timers.pass(100);
        assertThat(count[0]).isEqualTo(2);
        assertThat(lines).containsExactly("It is not done: no");
    }

    @Test
    void runNow_betweenTwoRuns_takesThePlaceOfTheNext() {
        PeriodicTask task = task(100);
        task.runNow();
        runs.get(0).complete(100L);
        timers.pass(50);
        task.runNow();
        assertThat(runs).hasSize(2);
        runs.get(1).complete(100L);
        assertThat(timers.delays()).hasSize(1);
        timers.pass(99);
        assertThat(runs).hasSize(2);
        timers.pass(1);
        assertThat(runs).hasSize(3);
    }

    @Test
    void runNow_whileARunIsUnderWay_doesNothing() {
        PeriodicTask task = task(100);
        task.runNow();
        task.runNow();
        task.start();
        assertThat(runs).hasSize(1);
        assertThat(timers.delays()).isEmpty();
    }

    @Test
    void stop_always_endsIt() {
        PeriodicTask task = task(100);
        task.runNow();
        task.stop();
        runs.get(0).complete(100L);
        timers.pass(1_000);
        task.runNow();
        task.start();
        assertThat(runs).hasSize(1);
        assertThat(timers.delays()).isEmpty();
    }

    @Test
    void stop_whileWaiting_cancelsTheTimer() {
        PeriodicTask task = task(100);
        task.start();
        task.stop();
        assertThat(timers.delays()).isEmpty();
    }

    private PeriodicTask task(long pause) {
        return task(pause, () -> Uni.createFrom().emitter(runs::add));
    }

    private PeriodicTask task(long pause, Supplier<Uni<Long>> run) {
        return new PeriodicTask(timers, new Complaints(() -> 0, lines::add), "It is not done", pause, run);
    }
}
