package io.queen.history;

import io.queen.history.Event.Acked;
import io.queen.history.Event.Popped;
import io.queen.history.Event.Rewound;
import io.queen.history.Tables.Consumer;
import io.queen.history.Tables.Dead;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a group that acknowledges got of one partition: everything, in order, nothing skipped. */
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

    static List<Violation> check(
            Consumer consumer, List<Popped> pops, List<Acked> acks, List<Rewound> rewinds, Tables tables) {
        DeliveryRules rules = new DeliveryRules(consumer, pops, acks, tables);
        rules.violations.addAll(RunRules.check(consumer, pops, rules.places));
        pops.forEach(rules::notAhead);
        rules.everythingConsumed();
        acks.forEach(rules::failedAgain);
        rewinds.forEach(rules::replayed);
        return rules.violations;
    }

    private void violated(int invariant, String name, String evidence) {
        violations.add(new Violation(invariant, name, consumer + " " + evidence));
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
