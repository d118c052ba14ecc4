package io.queen.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.message.PartitionName;
import io.queen.sidecar.WaitingRoom.Guest;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WaitingRoomTest {
    private final WaitingRoom<String> room = new WaitingRoom<>(2, 3, 100);
    private final Set<LockKey> held = new HashSet<>(keys("ab"));

    @Test
    void free_stillHeld_nobodyLeaves() {
        enter("r1", "a", 1);
        assertThat(room.free(this::firstHeld)).isEmpty();
        assertThat(room.size()).isEqualTo(1);
    }

    @Test
    void free_theirKeyIsFree_leaveInOrderAndTheOthersStay() {
        enter("r1", "a", 1);
        enter("r2", "b", 2);
        enter("r3", "a", 3);
        held.removeAll(keys("a"));
        assertThat(room.free(this::firstHeld)).containsExactly("r1", "r3");
        assertThat(room.size()).isEqualTo(1);
    }

    @Test
    void free_enteredLateButArrivedEarlier_leavesBefore() {
        WaitingRoom<String> wide = new WaitingRoom<>(9, 9, 100);
        for (long arrived : new long[] {1, 3, 2, 2, 0}) {
            wide.admit(guest("r" + arrived, "a", 1, arrived));
        }
        held.clear();
        assertThat(wide.free(this::firstHeld)).containsExactly("r0", "r1", "r2", "r2", "r3");
    }

    @Test
    void free_oneOfSeveralKeysIsHeld_waitsForThatOne() {
        enter("r1", "ab", 1);
        held.removeAll(keys("a"));
        assertThat(room.free(this::firstHeld)).isEmpty();
        held.removeAll(keys("b"));
        assertThat(room.free(this::firstHeld)).containsExactly("r1");
    }

    @Test
    void admit_tooManyForOneKey_refusesThatKeyOnly() {
        assertThat(enter("r1", "a", 1)).isTrue();
        assertThat(enter("r2", "a", 2)).isTrue();
        assertThat(enter("r3", "a", 3)).isFalse();
        assertThat(enter("r4", "b", 4)).isTrue();
    }

    @Test
    void admit_tooManyInAll_refuses() {
        enter("r1", "a", 1);
        enter("r2", "a", 2);
        enter("r3", "b", 3);
        assertThat(enter("r4", "b", 4)).isFalse();
    }

    @Test
    void admit_tooManyBytes_refusesButOneAloneAlwaysFits() {
        assertThat(room.admit(guest("large", "a", 1000, 1))).isTrue();
        assertThat(room.admit(guest("small", "b", 1, 2))).isFalse();
        held.clear();
        room.free(this::firstHeld);
        assertThat(room.admit(guest("small", "b", 1, 2))).isTrue();
    }

    @Test
    void admit_afterSomeLeft_hasRoomAgain() {
        enter("r1", "a", 1);
        enter("r2", "a", 2);
        held.removeAll(keys("a"));
        room.free(this::firstHeld);
        assertThat(enter("r3", "a", 3)).isTrue();
    }

    @Test
    void admit_afterOneMovedToAnotherKey_countsForThat() {
        WaitingRoom<String> one = new WaitingRoom<>(1, 9, 100);
        one.admit(guest("r1", "ab", 1, 1));
        held.removeAll(keys("a"));
        one.free(this::firstHeld);
        assertThat(one.admit(guest("r2", "a", 1, 2))).isTrue();
        assertThat(one.admit(guest("r3", "b", 1, 3))).isFalse();
    }

    @Test
    void arrivedBefore_someWaitedTooLong_leaveAndTheOthersStay() {
        enter("r1", "a", 1);
        enter("r2", "b", 5);
        assertThat(room.arrivedBefore(5)).extracting(Guest::item).containsExactly("r1");
        assertThat(room.size()).isEqualTo(1);
        assertThat(enter("r3", "a", 6)).isTrue();
        assertThat(enter("r4", "a", 7)).isTrue();
    }

    @Test
    void arrivedBefore_theClockWraps_holdsStill() {
        WaitingRoom<String> late = new WaitingRoom<>(9, 9, 100);
        late.admit(guest("before", "a", 1, Long.MAX_VALUE));
        late.admit(guest("after", "a", 1, Long.MIN_VALUE + 1));
        assertThat(late.arrivedBefore(Long.MIN_VALUE)).extracting(Guest::item).containsExactly("before");
    }

    @Test
    void clear_allLeaveInOrder() {
        enter("r1", "a", 1);
        enter("r2", "b", 2);
        assertThat(room.clear()).containsExactly("r1", "r2");
        assertThat(enter("r3", "a", 3)).isTrue();
    }

    private boolean enter(String item, String partitions, long arrived) {
        return room.admit(guest(item, partitions, 1, arrived));
    }

    private static Guest<String> guest(String item, String partitions, long bytes, long arrived) {
        Set<LockKey> keys = Set.copyOf(keys(partitions));
        return new Guest<>(item, keys, keys(partitions).get(0), bytes, arrived);
    }

    private LockKey firstHeld(Collection<LockKey> keys) {
        return keys.stream().filter(held::contains).findFirst().orElse(null);
    }

    private static List<LockKey> keys(String partitions) {
        return Stream.of(partitions.split(""))
                .map(name -> (LockKey) new LockKey.OfLane(new PartitionName("q", name)))
                .collect(Collectors.toList());
    }
}
