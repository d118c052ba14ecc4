package io.queen.history;

import io.queen.history.Event.Pushed;
import io.queen.history.Tables.Stored;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The order in which messages were stored (2): who was answered before another was sent comes before it, and messages of
 * one request keep their order. For what was buffered (9) that holds among the pushes through one server.
 */
final class OrderRules {
    /** All pushes of one message, as far as its place depends on them. */
    private static final class Sent {
        private long first = Long.MAX_VALUE;
        private long answered = Long.MAX_VALUE;
        private final Map<Integer, Long> buffered = new HashMap<>();
        private final Set<Integer> servers = new HashSet<>();
        private Pushed shown;

        private void add(Pushed pushed) {
            first = Math.min(first, pushed.start());
            servers.add(pushed.server());
            if (pushed.outcome() == Outcome.BUFFERED) {
                buffered.merge(pushed.server(), pushed.end(), Math::min);
            } else if (pushed.outcome().stored()) {
                answered = Math.min(answered, pushed.end());
            }
            shown = shown == null || pushed.outcome().stored() ? pushed : shown;
        }
    }

    private OrderRules() {}

    static List<Violation> check(History history, Tables tables) {
        Map<String, List<Pushed>> byLane = new HashMap<>();
        for (Pushed pushed : history.of(Pushed.class)) {
            byLane.computeIfAbsent(pushed.lane(), lane -> new ArrayList<>()).add(pushed);
        }
        List<Violation> violations = new ArrayList<>();
        byLane.forEach((lane, pushes) -> {
            byTime(tables.lane(lane), pushes, violations);
            byRequest(tables.places(lane), pushes, violations);
        });
        return violations;
    }

    /** From the end of the partition to its start: nobody may have been sent after one behind him was answered. */
    private static void byTime(List<Stored> messages, List<Pushed> pushes, List<Violation> violations) {
        Map<String, Sent> sent = new HashMap<>();
        pushes.forEach(pushed ->
                sent.computeIfAbsent(pushed.transactionId(), id -> new Sent()).add(pushed));
        Sent earliest = new Sent();
        Map<Integer, Sent> earliestBuffered = new HashMap<>();
        for (int i = messages.size() - 1; i >= 0; i--) {
            Sent here = sent.get(messages.get(i).transactionId());
            if (here == null) {
                continue;
            }
            if (here.first > earliest.answered) {
                violations.add(new Violation(2, "Stored out of order", earliest.shown + " is behind " + here.shown));
            }
            Sent buffered = here.servers.size() == 1
                    ? earliestBuffered.get(here.servers.iterator().next())
                    : null;
            if (buffered != null && here.first > buffered.answered) {
                violations.add(new Violation(9, "Overtaken", buffered.shown + " is behind " + here.shown));
            }
            earliest = here.answered < earliest.answered ? here : earliest;
            here.buffered.forEach((server, end) ->
                    earliestBuffered.merge(server, bufferedAt(here, end), (a, b) -> a.answered <= b.answered ? a : b));
        }
    }

    private static Sent bufferedAt(Sent sent, long end) {
        Sent at = new Sent();
        at.answered = end;
        at.shown = sent.shown;
        return at;
    }

    private static void byRequest(Map<String, Integer> places, List<Pushed> pushes, List<Violation> violations) {
        Map<Long, List<Pushed>> requests = new HashMap<>();
        for (Pushed pushed : pushes) {
            if (pushed.outcome() == Outcome.APPLIED && places.containsKey(pushed.transactionId())) {
                requests.computeIfAbsent(pushed.start(), start -> new ArrayList<>())
                        .add(pushed);
            }
        }
        for (List<Pushed> request : requests.values()) {
            request.sort(Comparator.comparingInt(Pushed::place));
            for (int i = 1; i < request.size(); i++) {
                Pushed before = request.get(i - 1);
                Pushed after = request.get(i);
                if (before.end() == after.end()
                        && places.get(before.transactionId()) > places.get(after.transactionId())) {
                    violations.add(new Violation(2, "Items out of order", after + " is before " + before));
                }
            }
        }
    }
}
