package io.queen.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.message.PartitionName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HeldLocksTest {
    private static final String ANN = "100";
    private static final String BOB = "101";
    private static final LockKey A = key("a");
    private static final LockKey B = key("b");

    private final HeldLocks held = new HeldLocks();

    @Test
    void firstOf_nothingFound_isNone() {
        assertThat(held.isEmpty()).isTrue();
        assertThat(held.firstOf(Set.of(A, B))).isNull();
    }

    @Test
    void firstOf_oneOfTheKeysIsHeld_isThatOne() {
        held.found(Map.of(B, ANN), 0);
        assertThat(held.firstOf(Set.of(A, B))).isEqualTo(B);
        assertThat(held.firstOf(Set.of(A))).isNull();
    }

    @Test
    void asked_heldBySameTransaction_stays() {
        held.found(Map.of(A, ANN), 5);
        assertThat(held.asked(List.of(A), Map.of(A, ANN))).containsExactly(new HeldLocks.Held(A, ANN, 5));
        assertThat(held.firstOf(Set.of(A))).isEqualTo(A);
    }

    @Test
    void asked_noLongerHeld_leaves() {
        held.found(Map.of(A, ANN, B, ANN), 0);
        held.asked(List.of(A, B), Map.of(B, ANN));
        assertThat(held.firstOf(Set.of(A))).isNull();
        assertThat(held.firstOf(Set.of(B))).isEqualTo(B);
    }

    @Test
    void asked_heldByAnotherTransaction_leavesToQueueForIt() {
        held.found(Map.of(A, ANN), 0);
        assertThat(held.asked(List.of(A), Map.of(A, BOB))).isEmpty();
        assertThat(held.isEmpty()).isTrue();
    }

    @Test
    void asked_holderCanNotBeSeen_stays() {
        held.found(Map.of(A, ""), 0);
        assertThat(held.asked(List.of(A), Map.of(A, ""))).hasSize(1);
    }

    @Test
    void found_again_keepsSinceWhen() {
        held.found(Map.of(A, ANN), 5);
        held.found(Map.of(A, ANN), 9);
        assertThat(held.asked(List.of(A), Map.of(A, ANN)).get(0).since()).isEqualTo(5);
    }

    @Test
    void found_moreThanAreRemembered_forgetsTheEldest() {
        held.found(Map.of(A, ANN), 0);
        held.found(many(HeldLocks.MAX_KNOWN), 0);
        assertThat(held.firstOf(Set.of(A))).isNull();
        assertThat(held.firstOf(Set.of(key("k1")))).isNotNull();
    }

    @Test
    void next_moreThanAreAskedAtOnce_takesTurns() {
        Map<LockKey, String> all = many(HeldLocks.MAX_ASKED + 1);
        held.found(all, 0);
        List<LockKey> first = held.next();
        held.asked(first, all);
        assertThat(first).hasSize(HeldLocks.MAX_ASKED);
        assertThat(first).doesNotContain(held.next().get(0));
    }

    @Test
    void clear_forgetsAll() {
        held.found(Map.of(A, ANN), 0);
        held.clear();
        assertThat(held.isEmpty()).isTrue();
    }

    private static Map<LockKey, String> many(int count) {
        Map<LockKey, String> all = new HashMap<>();
        for (int i = 0; i < count; i++) {
            all.put(key("k" + i), ANN);
        }
        return all;
    }

    private static LockKey key(String partition) {
        return new LockKey.OfPartition(new PartitionName("q", partition));
    }
}
