package io.queen.history;

import io.queen.history.Event.Acked;
import io.queen.history.Event.Popped;
import io.queen.history.Event.Redriven;
import io.queen.history.Tables.Consumer;
import io.queen.history.Tables.Dead;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a group got of one partition whose dead letters are given back to it. A batch is either new, and then as for
 * everybody, or it holds messages that were dead and given back, in their order. Other groups are judged as ever: to
 * them nothing comes again.
 */
final class RedriveRules {
    private final Consumer consumer;
    private final List<Popped> pops;
    private final List<Acked> acks;
    private final List<Redriven> redrives;
    private final Tables tables;
    private final Map<String, Integer> places;
    private final List<Violation> violations = new ArrayList<>();

    private RedriveRules(
            Consumer consumer, List<Popped> pops, List<Acked> acks, List<Redriven> redrives, Tables tables) {
        this.consumer = consumer;
        this.pops = pops;
        this.acks = acks;
        this.redrives = redrives;
        this.tables = tables;
        this.places = tables.places(consumer.lane());
    }

    static List<Violation> check(
            Consumer consumer, List<Popped> pops, List<Acked> acks, List<Redriven> redrives, Tables tables) {
        RedriveRules rules = new RedriveRules(consumer, pops, acks, redrives, tables);
        pops.forEach(rules::newOrGivenBack);
        rules.everythingDone();
        return rules.violations;
    }

    private void violated(int invariant, String name, String evidence) {
        violations.add(new Violation(invariant, name, consumer + " " + evidence));
    }

    private void newOrGivenBack(Popped pop) {
        List<Violation> ofNew = RunRules.check(consumer, List.of(pop), places);
        int first = places.getOrDefault(pop.transactionIds().get(0), 0);
        boolean isNew = ofNew.isEmpty() && first > passed(pop) && first <= maybePassed(pop) + 1;
        if (isNew) {
            return;
        }
        if (!pop.transactionIds().stream().allMatch(id -> givenBack(id, pop))) {
            violated(4, "Delivered again, but not given back", pop + " begins at " + first);
        } else if (!inOrder(pop)) {
            violated(2, "Given back out of order", pop.toString());
        }
    }

    /** Up to where the cursor certainly was before the pop. */
    private int passed(Popped pop) {
        return acks.stream()
                .filter(ack -> ack.passed() && ack.endedBefore(pop))
                .mapToInt(ack -> places.getOrDefault(ack.transactionId(), 0))
                .max()
                .orElse(0);
    }

    private int maybePassed(Popped pop) {
        return acks.stream()
                .filter(ack -> ack.maybePassed() && ack.start() < pop.end())
                .mapToInt(ack -> places.getOrDefault(ack.transactionId(), 0))
                .max()
                .orElse(0);
    }

    /** It can have been dead, and given back after that, and nobody said before the pop that it is done. */
    private boolean givenBack(String id, Popped pop) {
        boolean done = acks.stream()
                .anyMatch(ack -> ack.transactionId().equals(id)
                        && ack.status().equals("completed")
                        && ack.outcome() == Outcome.APPLIED
                        && ack.endedBefore(pop));
        return !done
                && acks.stream()
                        .anyMatch(ack -> ack.transactionId().equals(id)
                                && maybeDead(ack)
                                && redrives.stream()
                                        .anyMatch(redrive -> redrive.outcome() != Outcome.REFUSED
                                                && redrive.end() > ack.start()
                                                && redrive.start() < pop.end()));
    }

    private static boolean maybeDead(Acked ack) {
        boolean gaveUp = ack.status().equals("failed") || ack.status().equals("dlq");
        return ack.dead() || (gaveUp && ack.outcome() == Outcome.UNKNOWN);
    }

    private boolean inOrder(Popped pop) {
        List<Integer> run = pop.transactionIds().stream()
                .map(id -> places.getOrDefault(id, 0))
                .toList();
        return run.equals(run.stream().sorted().distinct().toList());
    }

    /** 1 and 6: in the end each message is done, as somebody said, or a dead letter; none still waits. */
    private void everythingDone() {
        Set<String> delivered = new HashSet<>();
        pops.forEach(pop -> delivered.addAll(pop.transactionIds()));
        Set<String> done = new HashSet<>();
        acks.stream()
                .filter(ack -> ack.maybePassed() && ack.status().equals("completed"))
                .forEach(ack -> done.add(ack.transactionId()));
        places.forEach((id, place) -> {
            if (!delivered.contains(id)) {
                violated(1, "Never delivered", id + " at " + place);
            } else if (!done.contains(id) && !tables.dead().contains(new Dead(consumer.lane(), consumer.group(), id))) {
                violated(6, "Neither done nor dead", id + " at " + place);
            }
        });
        int waiting = tables.waiting().getOrDefault(consumer, 0);
        if (waiting > 0) {
            violated(1, "Given back and not delivered", waiting + " messages");
        }
    }
}
