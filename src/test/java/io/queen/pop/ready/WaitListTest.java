package io.queen.pop.ready;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitListTest {
    private final FakeTimers timers = new FakeTimers();
    private final WaitList parking = timers.parking();
    private final List<String> woken = new ArrayList<>();

    private Waiter waiter(String name) {
        return new Waiter(Runnable::run, () -> woken.add(name));
    }

    @Test
    void wakeOne_twoWaiters_wakesTheOneThatWaitsLonger() {
        assertThat(parking.park(waiter("a"), 0)).isTrue();
        assertThat(parking.park(waiter("b"), 0)).isTrue();
        parking.wakeOne();
        assertThat(woken).containsExactly("a");
        parking.wakeOne();
        assertThat(woken).containsExactly("a", "b");
        assertThat(parking.isEmpty()).isTrue();
    }

    @Test
    void wakeOne_firstHasLeft_wakesTheNext() {
        Waiter gone = waiter("gone");
        parking.park(gone, 0);
        parking.park(waiter("b"), 0);
        assertThat(gone.leave()).isTrue();
        parking.wakeOne();
        assertThat(woken).containsExactly("b");
    }

    @Test
    void park_newsSinceTheAttempt_isRefused() {
        long seen = parking.news();
        parking.wakeOne();
        assertThat(parking.park(waiter("a"), seen)).isFalse();
        assertThat(parking.park(waiter("a"), parking.news())).isTrue();
    }

    @Test
    void probe_noNews_wakesOneAndComesLaterEachTime() {
        List<Long> delays = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            parking.park(waiter("w" + i), 0);
            delays.addAll(timers.delays());
            timers.fire();
        }
        assertThat(delays).containsExactly(100L, 100L, 100L, 100L, 200L, 400L, 800L, 1000L);
        assertThat(woken).containsExactly("w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7");
    }

    @Test
    void probe_manyWaiters_wakesOneAtATime() {
        for (int i = 0; i < 3; i++) {
            parking.park(waiter("w" + i), 0);
        }
        assertThat(timers.delays()).hasSize(1);
        timers.fire();
        assertThat(woken).containsExactly("w0");
        assertThat(timers.delays()).hasSize(1);
    }

    @Test
    void probe_nobodyLeft_stops() {
        parking.park(waiter("a"), 0);
        parking.wakeOne();
        timers.fire();
        assertThat(timers.delays()).isEmpty();
        assertThat(woken).containsExactly("a");
    }

    @Test
    void probe_afterNews_startsSoonAgain() {
        for (int i = 0; i < 6; i++) {
            parking.park(waiter("w" + i), 0);
            timers.fire();
        }
        parking.wakeOne();
        parking.park(waiter("late"), 1);
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
        long seen = parking.news();
        parking.park(waiter("a"), seen);
        parking.park(waiter("b"), seen);
        parking.wakeAll();
        assertThat(woken).containsExactly("a", "b");
        assertThat(parking.isEmpty()).isTrue();
        assertThat(parking.park(waiter("c"), seen)).isFalse();
    }
}
