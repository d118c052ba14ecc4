package io.queen.history;

import io.queen.history.Event.Moved;
import io.queen.history.Event.Pushed;
import io.queen.history.Tables.Stored;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What was pushed against what is stored: nothing lost, nothing twice, transactions whole. */
final class StorageRules {
    private record Key(String lane, String transactionId) {}

    private final History history;
    private final Tables tables;
    private final Map<Key, List<Pushed>> pushes = new HashMap<>();
    private final Map<Key, Stored> stored = new HashMap<>();
    private final List<Violation> violations = new ArrayList<>();

    private StorageRules(History history, Tables tables) {
        this.history = history;
        this.tables = tables;
    }

    static List<Violation> check(Plan plan, History history, Tables tables) {
        StorageRules rules = new StorageRules(history, tables);
        for (Pushed pushed : history.of(Pushed.class)) {
            rules.pushes
                    .computeIfAbsent(new Key(pushed.lane(), pushed.transactionId()), key -> new ArrayList<>())
                    .add(pushed);
        }
        tables.lanes().forEach(rules::oneRow);
        rules.pushes.forEach(rules::answersAreTrue);
        history.of(Moved.class).forEach(rules::whole);
        plan.moves().forEach(rules::movedOnce);
        return rules.violations;
    }

    /** 5: one row for each transaction id, and it was pushed by somebody. */
    private void oneRow(String lane, List<Stored> messages) {
        for (Stored message : messages) {
            Key key = new Key(lane, message.transactionId());
            if (stored.put(key, message) != null) {
                violations.add(new Violation(5, "Stored twice", key.toString()));
            }
            List<Pushed> by = pushes.getOrDefault(key, List.of());
            if (by.stream().allMatch(pushed -> pushed.outcome() == Outcome.REFUSED)) {
                violations.add(new Violation(7, "Stored, but never accepted", key + " " + by));
            }
        }
    }

    /** 1 and 9: what was accepted is there. 5: everybody was told the same id, and one only that he was the first. */
    private void answersAreTrue(Key key, List<Pushed> answers) {
        Stored row = stored.get(key);
        int first = 0;
        for (Pushed pushed : answers) {
            if (row == null && pushed.outcome().stored()) {
                int invariant = pushed.outcome() == Outcome.BUFFERED ? 9 : 1;
                violations.add(new Violation(invariant, "Lost", pushed.toString()));
                return;
            }
            if (row != null && pushed.messageId() != null && !pushed.messageId().equals(row.messageId())) {
                violations.add(new Violation(5, "Another id", row + " but " + pushed));
            }
            first += pushed.outcome() == Outcome.APPLIED ? 1 : 0;
        }
        if (first > 1) {
            violations.add(new Violation(5, "Queued twice", answers.toString()));
        }
    }

    /** 7: all of its messages, or none. */
    private void whole(Moved moved) {
        long there = moved.targets().stream()
                .filter(id -> stored.containsKey(new Key(moved.targetLane(), id)))
                .count();
        boolean right = switch (moved.outcome()) {
            case APPLIED -> there == moved.targets().size();
            case REFUSED -> there == 0;
            default -> there == 0 || there == moved.targets().size();
        };
        if (!right) {
            violations.add(new Violation(7, "Half a transaction", there + " stored of " + moved));
        }
    }

    /** 7: a message acknowledged and its copy pushed in one transaction: each has one copy in the end. */
    private void movedOnce(String from, String to) {
        Map<String, Integer> copies = new HashMap<>();
        tables.lanes().forEach((lane, messages) -> {
            if (Plan.queue(lane).equals(to)) {
                messages.forEach(message -> copies.merge(message.payload(), 1, Integer::sum));
            }
        });
        tables.lanes().forEach((lane, messages) -> {
            if (Plan.queue(lane).equals(from)) {
                messages.forEach(message -> oneCopy(lane, message, copies));
            }
        });
    }

    private void oneCopy(String lane, Stored message, Map<String, Integer> copies) {
        int count = copies.getOrDefault(copyOf(lane, message.transactionId()), 0);
        if (count != 1) {
            violations.add(new Violation(7, "Moved " + count + " times", lane + " " + message + moves(lane, message)));
        }
    }

    private String moves(String lane, Stored message) {
        Set<String> ids = new HashSet<>();
        String copy = copyOf(lane, message.transactionId());
        for (String target : tables.lanes().keySet()) {
            for (Stored one : tables.lane(target)) {
                if (one.payload().equals(copy)) {
                    ids.add(one.transactionId());
                }
            }
        }
        return " by "
                + history.of(Moved.class).stream()
                        .filter(moved -> moved.targets().stream().anyMatch(ids::contains))
                        .toList();
    }

    /** The payload of the copy of a message. */
    static String copyOf(String lane, String transactionId) {
        return "\"" + lane + "|" + transactionId + "\"";
    }
}
