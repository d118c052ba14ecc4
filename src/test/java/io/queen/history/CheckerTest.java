package io.queen.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.history.Event.Acked;
import io.queen.history.Event.Broken;
import io.queen.history.Event.Moved;
import io.queen.history.Event.Observed;
import io.queen.history.Event.Popped;
import io.queen.history.Event.Probed;
import io.queen.history.Event.Pushed;
import io.queen.history.Event.Renewed;
import io.queen.history.Event.Rewound;
import io.queen.history.Tables.Consumer;
import io.queen.history.Tables.Dead;
import io.queen.history.Tables.Stored;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Every rule with a history that keeps it and one that breaks it. Times are milliseconds. */
class CheckerTest {
    private static final long MS = 1_000_000;
    private static final Plan PLAN = new Plan(
            Map.of("q", Set.of("g")),
            Map.of("c", Set.of("auto")),
            Map.of("m", Set.of("g")),
            Map.of("from", "to"),
            Map.of("e", "s"),
            2);

    private final List<Event> events = new ArrayList<>();
    private final Map<String, List<Stored>> lanes = new HashMap<>();
    private final Map<Consumer, Integer> cursors = new HashMap<>();
    private final Set<Dead> dead = new HashSet<>();
    private final Map<Consumer, Integer> waiting = new HashMap<>();
    private final Map<String, Map<String, Long>> states = new HashMap<>();

    @Test
    void everything_right_isNoViolation() {
        pushed(0, "a");
        pushed(2, "b");
        stored("a", "b");
        popped(10, "l1", "a", "b");
        acked(20, "l1", "a", "completed");
        acked(20, "l1", "b", "completed");
        consumed(2);
        assertThat(broken()).isEmpty();
    }

    @Test
    void givenBack_deadLetter_isDeliveredAgain() {
        mended(true, "completed");
        assertThat(broken()).isEmpty();
    }

    @Test
    void deliveredAgain_withoutBeingGivenBack_isWrong() {
        mended(false, "completed");
        assertThat(broken()).containsExactly("4 Delivered again, but not given back");
    }

    @Test
    void givenBack_neverAcknowledged_isSkipped() {
        mended(true, "retry");
        assertThat(broken()).containsExactly("6 Neither done nor dead");
    }

    @Test
    void givenBack_stillWaiting_isNotDelivered() {
        mended(true, "completed");
        waiting.put(new Consumer("m/p", "g"), 1);
        assertThat(broken()).containsExactly("1 Given back and not delivered");
    }

    @Test
    void givenBack_afterItWasDone_isWrong() {
        mended(true, "completed");
        events.add(new Event.Redriven(50 * MS, 51 * MS, "g", "m", Outcome.APPLIED));
        events.add(new Popped(60 * MS, 61 * MS, 0, "m/p", "g", "l3", Outcome.APPLIED, List.of("a")));
        assertThat(broken()).containsExactly("4 Delivered again, but not given back");
    }

    /** a is given up and b done; then a comes again, and this is said of it. */
    private void mended(boolean redriven, String status) {
        pushed("m/p", 0, "a");
        pushed("m/p", 2, "b");
        lane("m/p", "a", "b");
        events.add(new Popped(10 * MS, 11 * MS, 0, "m/p", "g", "l1", Outcome.APPLIED, List.of("a", "b")));
        events.add(new Acked(15 * MS, 16 * MS, "m/p", "g", "l1", "a", "dlq", Outcome.APPLIED, true));
        events.add(new Acked(15 * MS, 16 * MS, "m/p", "g", "l1", "b", "completed", Outcome.APPLIED, false));
        if (redriven) {
            events.add(new Event.Redriven(20 * MS, 21 * MS, "g", "m", Outcome.APPLIED));
        }
        events.add(new Popped(30 * MS, 31 * MS, 0, "m/p", "g", "l2", Outcome.APPLIED, List.of("a")));
        events.add(new Acked(40 * MS, 41 * MS, "m/p", "g", "l2", "a", status, Outcome.APPLIED, false));
    }

    @Test
    void queued_notStored_isLost() {
        pushed(0, "a");
        assertThat(broken()).containsExactly("1 Lost");
    }

    @Test
    void unanswered_notStored_isAllowed() {
        events.add(new Pushed(0, MS, 0, "q/p", "a", 0, Outcome.UNKNOWN, null));
        assertThat(broken()).isEmpty();
    }

    @Test
    void buffered_notStored_isLost() {
        events.add(new Pushed(0, MS, 0, "q/p", "a", 0, Outcome.BUFFERED, null));
        assertThat(broken()).containsExactly("9 Lost");
    }

    @Test
    void buffered_behindALaterPushOfTheServer_isOvertaken() {
        events.add(new Pushed(0, MS, 1, "x/p", "a", 0, Outcome.BUFFERED, null));
        events.add(new Pushed(2 * MS, 3 * MS, 1, "x/p", "b", 0, Outcome.APPLIED, "id-b"));
        lane("x/p", "b", "a");
        assertThat(broken()).containsExactly("9 Overtaken");
    }

    @Test
    void buffered_behindALaterPushOfTheOtherServer_isAllowed() {
        events.add(new Pushed(0, MS, 1, "x/p", "a", 0, Outcome.BUFFERED, null));
        events.add(new Pushed(2 * MS, 3 * MS, 0, "x/p", "b", 0, Outcome.APPLIED, "id-b"));
        lane("x/p", "b", "a");
        assertThat(broken()).isEmpty();
    }

    @Test
    void stored_withTwoRows_isTwice() {
        pushed("x/p", 0, "a");
        lane("x/p", "a", "a");
        assertThat(broken()).containsExactly("5 Stored twice");
    }

    @Test
    void answers_withDifferentIds_areWrong() {
        pushed("x/p", 0, "a");
        events.add(new Pushed(0, MS, 0, "x/p", "a", 0, Outcome.DUPLICATE, "other"));
        lane("x/p", "a");
        assertThat(broken()).containsExactly("5 Another id");
    }

    @Test
    void duplicate_withTheSameId_isAllowed() {
        pushed("x/p", 0, "a");
        events.add(new Pushed(0, MS, 0, "x/p", "a", 0, Outcome.DUPLICATE, "id-a"));
        lane("x/p", "a");
        assertThat(broken()).isEmpty();
    }

    @Test
    void queued_toTwo_isWrong() {
        pushed("x/p", 0, "a");
        pushed("x/p", 5, "a");
        lane("x/p", "a");
        assertThat(broken()).containsExactly("5 Queued twice");
    }

    @Test
    void stored_neverPushed_isInvented() {
        lane("x/p", "a");
        assertThat(broken()).containsExactly("7 Stored, but never accepted");
    }

    @Test
    void transaction_halfStored_isFound() {
        events.add(new Pushed(0, MS, 0, "x/p", "a", 0, Outcome.UNKNOWN, null));
        events.add(new Pushed(0, MS, 0, "x/p", "b", 1, Outcome.UNKNOWN, null));
        events.add(new Moved(0, MS, "x/p", List.of("a", "b"), Outcome.UNKNOWN));
        lane("x/p", "a");
        assertThat(broken()).containsExactly("7 Half a transaction");
    }

    @Test
    void transaction_unansweredAndWhole_isAllowed() {
        events.add(new Pushed(0, MS, 0, "x/p", "a", 0, Outcome.UNKNOWN, null));
        events.add(new Moved(0, MS, "x/p", List.of("a"), Outcome.UNKNOWN));
        lane("x/p", "a");
        assertThat(broken()).isEmpty();
    }

    @Test
    void moved_once_isRight() {
        moves(1);
        assertThat(broken()).isEmpty();
    }

    @Test
    void moved_twiceOrNever_isFound() {
        moves(2);
        assertThat(broken()).containsExactly("7 Moved 2 times");
        lanes.remove("to/p");
        events.removeIf(event -> event instanceof Pushed pushed && pushed.lane().equals("to/p"));
        assertThat(broken()).containsExactly("7 Moved 0 times");
    }

    @Test
    void stored_againstTheOrderOfAnswers_isFound() {
        pushed("x/p", 0, "a");
        pushed("x/p", 5, "b");
        lane("x/p", "b", "a");
        assertThat(broken()).containsExactly("2 Stored out of order");
    }

    @Test
    void stored_overlapping_mayBeInAnyOrder() {
        events.add(new Pushed(0, 9 * MS, 0, "x/p", "a", 0, Outcome.APPLIED, "id-a"));
        events.add(new Pushed(5 * MS, 6 * MS, 0, "x/p", "b", 0, Outcome.APPLIED, "id-b"));
        lane("x/p", "b", "a");
        assertThat(broken()).isEmpty();
    }

    @Test
    void items_ofOneRequest_keepTheirOrder() {
        events.add(new Pushed(0, MS, 0, "x/p", "a", 0, Outcome.APPLIED, "id-a"));
        events.add(new Pushed(0, MS, 0, "x/p", "b", 1, Outcome.APPLIED, "id-b"));
        lane("x/p", "b", "a");
        assertThat(broken()).containsExactly("2 Items out of order");
    }

    @Test
    void message_neverDelivered_isFound() {
        consumedUpTo("a", "b");
        pushed(6, "c");
        stored("a", "b", "c");
        consumed(3);
        assertThat(broken()).containsExactly("1 Never delivered");
    }

    @Test
    void message_deliveredAndNotConsumed_isFound() {
        consumedUpTo("a", "b");
        consumed(1);
        assertThat(broken()).contains("1 Not consumed in the end");
    }

    @Test
    void message_passedWithoutAnAck_isSkipped() {
        consumedUpTo("a", "b", "c");
        events.removeIf(
                event -> event instanceof Acked ack && ack.transactionId().equals("b"));
        assertThat(broken()).containsExactly("6 Skipped");
    }

    @Test
    void failed_thenDeadLetter_isRight() {
        consumedUpTo("a", "b", "c");
        events.removeIf(
                event -> event instanceof Acked ack && ack.transactionId().equals("b"));
        events.add(new Acked(20 * MS, 21 * MS, "q/p", "g", "l1", "b", "failed", Outcome.APPLIED, true));
        assertThat(broken()).containsExactlyInAnyOrder("6 Skipped", "6 Dead, but no dead letter");
        dead.add(new Dead("q/p", "g", "b"));
        assertThat(broken()).isEmpty();
    }

    @Test
    void failed_notDeliveredAgain_isFound() {
        consumedUpTo("a");
        acked(15, "l1", "a", "failed");
        assertThat(broken()).containsExactly("6 Failed and not delivered again");
        popped(18, "l2", "a");
        assertThat(broken()).isEmpty();
    }

    @Test
    void pop_withAGap_isNotInOrder() {
        consumedUpTo("a", "b", "c");
        events.removeIf(Popped.class::isInstance);
        popped(10, "l1", "a", "c");
        popped(11, "l2", "b");
        assertThat(broken()).contains("2 Not in order");
    }

    @Test
    void pop_beforeThePreviousWasAcknowledged_isAhead() {
        consumedUpTo("a", "b");
        events.removeIf(Popped.class::isInstance);
        popped(10, "l1", "a");
        popped(12, "l2", "b");
        assertThat(broken()).contains("2 Ahead of the acks");
    }

    @Test
    void pop_ofWhatWasNeverPushed_isFound() {
        consumedUpTo("a");
        popped(30, "l2", "ghost");
        assertThat(broken()).contains("1 Delivered, but not stored");
    }

    @Test
    void pop_ofWhatWasAcknowledged_isDeliveredAgain() {
        consumedUpTo("a", "b");
        popped(30, "l2", "b");
        assertThat(broken()).containsExactly("4 Delivered again");
    }

    @Test
    void pop_ofWhatWasAcknowledged_afterARewind_isRight() {
        consumedUpTo("a", "b");
        events.add(new Rewound(25 * MS, 26 * MS, "g", "q", Outcome.APPLIED));
        assertThat(broken()).containsExactly("1 Not replayed");
        popped(30, "l2", "a", "b");
        assertThat(broken()).isEmpty();
    }

    @Test
    void pop_overlappingTheAck_isAllowed() {
        consumedUpTo("a", "b");
        events.add(new Popped(15 * MS, 20 * MS, 0, "q/p", "g", "l2", Outcome.APPLIED, List.of("a", "b")));
        assertThat(broken()).isEmpty();
    }

    @Test
    void cursor_inTheEndBeforeAnAck_isFound() {
        consumedUpTo("a", "b");
        consumed(0);
        assertThat(broken()).contains("4 Ends before an ack");
    }

    @Test
    void cursor_seenMovingBack_isFoundUnlessRewound() {
        events.add(new Observed(0, MS, "x/p", "g", 5));
        events.add(new Observed(10 * MS, 11 * MS, "x/p", "g", 4));
        assertThat(broken()).containsExactly("4 Moved back");
        events.add(new Rewound(2 * MS, 3 * MS, "g", "x", Outcome.UNKNOWN));
        assertThat(broken()).isEmpty();
    }

    @Test
    void lease_whileAnotherLives_isTwoLeases() {
        twoPops(1000);
        assertThat(broken()).containsExactly("3 Two leases");
    }

    @Test
    void lease_afterTheFirstRanOut_isRight() {
        twoPops(2100);
        assertThat(broken()).isEmpty();
    }

    @Test
    void lease_renewed_livesLonger() {
        twoPops(2100);
        events.add(new Renewed(500 * MS, 501 * MS, "l1", 3, Outcome.APPLIED));
        assertThat(broken()).containsExactly("3 Two leases");
    }

    @Test
    void lease_afterACrashOfPostgres_mayBeLost() {
        twoPops(1000);
        events.add(new Broken(100 * MS, 900 * MS, Faults.POSTGRES_KILLED));
        assertThat(broken()).isEmpty();
    }

    @Test
    void autoAcked_twice_isFound() {
        careless("a");
        events.add(new Popped(30 * MS, 31 * MS, 0, "c/p", "auto", null, Outcome.APPLIED, List.of("a")));
        assertThat(broken()).containsExactly("4 Auto-acked and delivered again");
    }

    @Test
    void autoAcked_neverDelivered_isFoundUnlessSomethingBroke() {
        careless("a");
        events.removeIf(Popped.class::isInstance);
        assertThat(broken()).containsExactly("1 Never delivered");
        events.add(new Broken(0, MS, Faults.SERVER_KILLED));
        assertThat(broken()).isEmpty();
    }

    @Test
    void probe_found_isRight() {
        events.add(new Probed(0, MS, "x/p", "a", true, null));
        assertThat(broken()).isEmpty();
    }

    @Test
    void probe_notFound_isViolatedUnlessSomethingWasBroken() {
        events.add(new Probed(5 * MS, 6 * MS, "x/p", "a", false, null));
        assertThat(broken()).containsExactly("8 Not seen");
        events.add(new Broken(0, 5 * MS, Faults.SERVER_PAUSED));
        assertThat(broken()).isEmpty();
    }

    @Test
    void counted_onceAndEmittedInOrder_isRight() {
        counted(2, 1);
        emitted("1|key-1/0|1", "2|key-2/0|1", "3|key-1/0|2");
        assertThat(broken()).isEmpty();
    }

    @Test
    void counted_stateOfARefusedCycle_isCountedTwice() {
        counted(3, 1);
        emitted("1|key-1/0|1", "2|key-2/0|1", "3|key-1/0|2");
        assertThat(broken()).containsExactly("7 Counted twice", "7 State and sink differ");
    }

    @Test
    void counted_stateOfACycleLost_isNotCounted() {
        counted(1, 1);
        emitted("1|key-1/0|1", "2|key-2/0|1", "3|key-1/0|2");
        assertThat(broken()).containsExactly("7 Not counted", "7 State and sink differ");
    }

    @Test
    void counted_keyThatWasNeverPushed_isCountedTwice() {
        counted(2, 1);
        states.get("e/p").put("key-3\u001f0", 1L);
        emitted("1|key-1/0|1", "2|key-2/0|1", "3|key-1/0|2");
        assertThat(broken()).containsExactly("7 Counted twice", "7 State and sink differ");
    }

    @Test
    void emitted_twice_isWrong() {
        counted(2, 1);
        emitted("1|key-1/0|1", "2|key-2/0|1", "2|key-2/0|1", "3|key-1/0|2");
        assertThat(broken()).containsExactly("7 Emitted twice, never or out of order");
    }

    @Test
    void emitted_inAnotherOrder_isWrong() {
        counted(2, 1);
        emitted("1|key-1/0|1", "3|key-1/0|2", "2|key-2/0|1");
        assertThat(broken()).containsExactly("7 Emitted twice, never or out of order");
    }

    @Test
    void emitted_lastOneMissing_differsFromTheState() {
        counted(2, 1);
        emitted("1|key-1/0|1", "2|key-2/0|1");
        assertThat(broken()).containsExactly("7 State and sink differ");
    }

    /** Three messages of two keys, and what the state counted of them. */
    private void counted(long one, long two) {
        for (String id : List.of("x-1", "x-2", "x-5")) {
            pushed("e/p", 0, id);
        }
        lane("e/p", "x-1", "x-2", "x-5");
        states.put("e/p", new HashMap<>(Map.of("key-1\u001f0", one, "key-2\u001f0", two, Counting.EMITTED, 3L)));
    }

    private void emitted(String... payloads) {
        List<Stored> sink = new ArrayList<>();
        for (String payload : payloads) {
            String id = "s-" + sink.size();
            pushed("s/p", 10L + 2L * sink.size(), id);
            sink.add(new Stored(sink.size() + 1, id, "id-" + id, "\"" + payload + "\""));
        }
        lanes.put("s/p", sink);
    }

    private List<String> broken() {
        return Checker.check(PLAN, History.of(events), new Tables(lanes, cursors, dead, waiting, states)).stream()
                .map(violation -> violation.invariant() + " " + violation.name())
                .toList();
    }

    private void pushed(long at, String id) {
        pushed("q/p", at, id);
    }

    private void pushed(String lane, long at, String id) {
        events.add(new Pushed(at * MS, (at + 1) * MS, 0, lane, id, 0, Outcome.APPLIED, "id-" + id));
    }

    private void stored(String... ids) {
        lane("q/p", ids);
    }

    private void lane(String lane, String... ids) {
        List<Stored> messages = new ArrayList<>();
        for (String id : ids) {
            messages.add(new Stored(messages.size() + 1, id, "id-" + id, "1"));
        }
        lanes.put(lane, messages);
    }

    private void popped(long at, String lease, String... ids) {
        events.add(new Popped(at * MS, (at + 1) * MS, 0, "q/p", "g", lease, Outcome.APPLIED, List.of(ids)));
    }

    private void acked(long at, String lease, String id, String status) {
        events.add(new Acked(
                at * MS, (at + 1) * MS, "q/p", "g", lease, id, status, Outcome.APPLIED, status.equals("dlq")));
    }

    private void consumed(int count) {
        cursors.put(new Consumer("q/p", "g"), count);
    }

    /** Pushed, stored, popped at 10 and completed at 20. */
    private void consumedUpTo(String... ids) {
        for (int i = 0; i < ids.length; i++) {
            pushed(2L * i, ids[i]);
        }
        stored(ids);
        popped(10, "l1", ids);
        for (String id : ids) {
            acked(20, "l1", id, "completed");
        }
        consumed(ids.length);
    }

    /** The first at 10, never acknowledged; the second, of the same message, at the given time, completed later. */
    private void twoPops(long second) {
        pushed(0, "a");
        stored("a");
        popped(10, "l1", "a");
        popped(second, "l2", "a");
        acked(3000, "l2", "a", "completed");
        consumed(1);
    }

    private void careless(String id) {
        pushed("c/p", 0, id);
        lane("c/p", id);
        events.add(new Popped(10 * MS, 11 * MS, 0, "c/p", "auto", null, Outcome.APPLIED, List.of(id)));
    }

    private void moves(int copies) {
        pushed("from/p", 0, "a");
        lane("from/p", "a");
        List<Stored> targets = new ArrayList<>();
        for (int i = 1; i <= copies; i++) {
            pushed("to/p", 10L * i, "m" + i);
            targets.add(new Stored(i, "m" + i, "id-m" + i, StorageRules.copyOf("from/p", "a")));
        }
        lanes.put("to/p", targets);
    }
}
