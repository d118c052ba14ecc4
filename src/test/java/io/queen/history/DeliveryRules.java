package io.queen.history;

import io.queen.history.Event.Acked;
import io.queen.history.Event.Broken;
import io.queen.history.Event.Popped;
import io.queen.history.Event.Probed;
import io.queen.history.Event.Rewound;
import io.queen.history.Tables.Consumer;
import io.queen.history.Tables.Dead;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What one group got of one partition: everything, in order, nothing skipped. */
final class DeliveryRules {
    private final Consumer consumer;
    private final List<Popped> pops;
    private final List<Acked> acks;
    private final Tables tables;
    private final Map<String, Integer> places;
    private final List<Violation> violations = new ArrayList<>();

    private DeliveryRules(Consumer consumer, List<Popped> pops, List<Acked> acks, Tables tables) {
        this.consumer = consumer;
        this.pops = pops;
        this.acks = acks;
        this.tables = tables;
        this.places = tables.places(consumer.lane());
    }

    /** A group that acknowledges. */
    static List<Violation> check(
            Consumer consumer, List<Popped> pops, List<Acked> acks, List<Rewound> rewinds, Tables tables) {
        DeliveryRules rules = new DeliveryRules(consumer, pops, acks, tables);
        pops.forEach(rules::run);
        pops.forEach(rules::notAhead);
        rules.everythingConsumed();
        acks.forEach(rules::failedAgain);
        rewinds.forEach(rules::replayed);
        return rules.violations;
    }

    /** A group that is auto-acked: at most once, and all of it while nothing breaks. */
    static List<Violation> checkCareless(
            Consumer consumer, List<Popped> pops, boolean anythingUnknown, List<Broken> faults, Tables tables) {
        DeliveryRules rules = new DeliveryRules(consumer, pops, List.of(), tables);
        pops.forEach(rules::run);
        Set<String> got = new HashSet<>();
        for (Popped pop : pops) {
            for (String id : pop.transactionIds()) {
                if (!got.add(id)) {
                    rules.violated(4, "Auto-acked and delivered again", id + " in " + pop);
                }
            }
        }
        Set<String> missing = new HashSet<>(rules.places.keySet());
        missing.removeAll(got);
        if (!missing.isEmpty() && faults.isEmpty() && !anythingUnknown) {
            rules.violated(1, "Never delivered", missing.toString());
        }
        return rules.violations;
    }

    /** 8: what was answered is seen at once, by everybody. While something is broken a pop may answer empty. */
    static List<Violation> checkProbes(List<Probed> probes, List<Broken> faults) {
        List<Violation> violations = new ArrayList<>();
        for (Probed probe : probes) {
            if (!probe.found() && probe.said() == null && faults.stream().noneMatch(probe::overlaps)) {
                violations.add(new Violation(8, "Not seen", probe.toString()));
            }
        }
        return violations;
    }

    private void violated(int invariant, String name, String evidence) {
        violations.add(new Violation(invariant, name, consumer + " " + evidence));
    }

    /** 2: the messages of a pop follow each other without a gap; all of them are stored (1). */
    private void run(Popped pop) {
        int last = 0;
        for (String id : pop.transactionIds()) {
            Integer place = places.get(id);
            if (place == null) {
                violated(1, "Delivered, but not stored", id + " in " + pop);
                return;
            }
            if (last > 0 && place != last + 1) {
                violated(
                        2,
                        "Not in order",
                        pop + " is "
                                + pop.transactionIds().stream().map(places::get).toList());
                return;
            }
            last = place;
        }
    }

    /** 2 and 6: a pop begins at the latest behind what somebody can have acknowledged before it ended. */
    private void notAhead(Popped pop) {
        int cursor = 0;
        for (Acked ack : acks) {
            if (ack.maybePassed() && ack.start() < pop.end()) {
                cursor = Math.max(cursor, places.getOrDefault(ack.transactionId(), 0));
            }
        }
        int first = places.getOrDefault(pop.transactionIds().get(0), 0);
        if (first > cursor + 1) {
            violated(2, "Ahead of the acks", pop + " begins at " + first + ", acknowledged was up to " + cursor);
        }
    }

    /** 1 and 6: each message was delivered, and somebody said that it is done, or it is a dead letter. */
    private void everythingConsumed() {
        Set<String> delivered = new HashSet<>();
        pops.forEach(pop -> delivered.addAll(pop.transactionIds()));
        Set<String> done = new HashSet<>();
        acks.stream()
                .filter(ack -> ack.maybePassed() && !ack.status().equals("failed"))
                .forEach(ack -> done.add(ack.transactionId()));
        int cursor = tables.cursors().getOrDefault(consumer, 0);
        places.forEach((id, place) -> {
            if (!delivered.contains(id)) {
                violated(1, "Never delivered", id + " at " + place + " of " + places.size() + ", cursor " + cursor);
            } else if (place > cursor) {
                violated(1, "Not consumed in the end", id + " at " + place + ", cursor " + cursor);
            } else if (!done.contains(id) && !isDead(id)) {
                violated(6, "Skipped", id + " at " + place + " was passed by the cursor and never acknowledged");
            }
        });
    }

    private boolean isDead(String transactionId) {
        return tables.dead().contains(new Dead(consumer.lane(), consumer.group(), transactionId));
    }

    /** 6: what failed was delivered once more, or is a dead letter. */
    private void failedAgain(Acked ack) {
        boolean failed = ack.status().equals("failed") || ack.status().equals("retry");
        if (ack.outcome() == Outcome.APPLIED && ack.dead() && !isDead(ack.transactionId())) {
            violated(6, "Dead, but no dead letter", ack.toString());
        } else if (ack.outcome() == Outcome.APPLIED
                && failed
                && !isDead(ack.transactionId())
                && !popped(ack, ack.start())) {
            violated(6, "Failed and not delivered again", ack.toString());
        }
    }

    private boolean popped(Acked ack, long after) {
        return pops.stream()
                .anyMatch(pop -> pop.end() > after
                        && !ack.leaseId().equals(pop.leaseId())
                        && pop.transactionIds().contains(ack.transactionId()));
    }

    /** 1: after a rewind everything comes again. */
    private void replayed(Rewound rewound) {
        if (rewound.outcome() != Outcome.APPLIED) {
            return;
        }
        Set<String> missing = new HashSet<>(places.keySet());
        pops.stream()
                .filter(pop -> pop.end() > rewound.start())
                .forEach(pop -> missing.removeAll(pop.transactionIds()));
        if (!missing.isEmpty()) {
            violated(1, "Not replayed", missing + " after " + rewound);
        }
    }
}
