package io.queen.pop.ready;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.runtime.FakeTimers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitListTest {
    private final FakeTimers timers = new FakeTimers();
    private final WaitList waitList = ReadyFixtures.waitList(timers);
    private final List<String> woken = new ArrayList<>();

    private Waiter waiter(String name) {
        return new Waiter(Runnable::run, () -> woken.add(name));
    }

    @Test
    void wakeOne_twoWaiters_wakesTheOneThatWaitsLonger() {
        assertThat(waitList.park(waiter("a"), 0)).isTrue();
        assertThat(waitList.park(waiter("b"), 0)).isTrue();
        waitList.wakeOne();
        assertThat(woken).containsExactly("a");
        waitList.wakeOne();
        assertThat(woken).containsExactly("a", "b");
        assertThat(waitList.isEmpty()).isTrue();
    }

    @Test
    void wakeOne_firstHasLeft_wakesTheNext() {
        Waiter gone = waiter("gone");
        waitList.park(gone, 0);
        waitList.park(waiter("b"), 0);
        assertThat(gone.leave()).isTrue();
        waitList.wakeOne();
        assertThat(woken).containsExactly("b");
    }

    @Test
    void park_newsSinceTheAttempt_isRefused() {
        long seen = waitList.news();
        waitList.wakeOne();
        assertThat(waitList.park(waiter("a"), seen)).isFalse();
        assertThat(waitList.park(waiter("a"), waitList.news())).isTrue();
    }

    @Test
    void probe_noNews_wakesOneAndComesLaterEachTime() {
        List<Long> delays = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            waitList.park(waiter("w" + i), 0);
            delays.addAll(timers.delays());
            timers.fire();
        }
        assertThat(delays).containsExactly(100L, 100L, 100L, 100L, 200L, 400L, 800L, 1000L);
        assertThat(woken).containsExactly("w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7");
    }

    @Test
    void probe_manyWaiters_wakesOneAtATime() {
        for (int i = 0; i < 3; i++) {
            waitList.park(waiter("w" + i), 0);
        }
        assertThat(timers.delays()).hasSize(1);
        timers.fire();
        assertThat(woken).containsExactly("w0");
        assertThat(timers.delays()).hasSize(1);
    }

    @Test
    void probe_nobodyLeft_stops() {
        waitList.park(waiter("a"), 0);
        waitList.wakeOne();
        timers.fire();
        assertThat(timers.delays()).isEmpty();
        assertThat(woken).containsExactly("a");
    }

    @Test
    void probe_afterNews_startsSoonAgain() {
        for (int i = 0; i < 6; i++) {
            waitList.park(waiter("w" + i), 0);
            timers.fire();
        }
        waitList.wakeOne();
        waitList.park(waiter("late"), 1);
        assertThat(timers.delays()).containsExactly(100L);
    }

    @Test
    void waiter_wokenTwice_retriesOnce() {
        Waiter waiter = waiter("a");
        assertThat(waiter.wake()).isTrue();
        assertThat(waiter.wake()).isFalse();
        assertThat(waiter.leave()).isFalse();
        assertThat(waiter.isGone()).isTrue();
        assertThat(woken).containsExactly("a");
    }

    @Test
    void waiter_left_isNotWoken() {
        Waiter waiter = waiter("a");
        assertThat(waiter.leave()).isTrue();
        assertThat(waiter.wake()).isFalse();
        assertThat(woken).isEmpty();
    }

    @Test
    void wakeAll_severalWaiters_wakesEachOnceAndCountsAsNews() {
        long seen = waitList.news();
        waitList.park(waiter("a"), seen);
        waitList.park(waiter("b"), seen);
        waitList.wakeAll();
        assertThat(woken).containsExactly("a", "b");
        assertThat(waitList.isEmpty()).isTrue();
        assertThat(waitList.park(waiter("c"), seen)).isFalse();
    }
}
