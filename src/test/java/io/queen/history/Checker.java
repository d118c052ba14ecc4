package io.queen.history;

import io.queen.history.Event.Acked;
import io.queen.history.Event.Broken;
import io.queen.history.Event.Observed;
import io.queen.history.Event.Popped;
import io.queen.history.Event.Probed;
import io.queen.history.Event.Redriven;
import io.queen.history.Event.Renewed;
import io.queen.history.Event.Rewound;
import io.queen.history.Tables.Consumer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Holds the promises 1 to 9 of the design against a history and the tables it left. A pure function. */
final class Checker {
    private final Plan plan;
    private final History history;
    private final Tables tables;
    private final List<Broken> faults;
    private final Map<Consumer, List<Popped>> pops = new HashMap<>();
    private final Map<Consumer, List<Acked>> acks = new HashMap<>();
    private final Map<Consumer, List<Observed>> looks = new HashMap<>();
    private final List<Violation> violations = new ArrayList<>();

    private Checker(Plan plan, History history, Tables tables) {
        this.plan = plan;
        this.history = history;
        this.tables = tables;
        this.faults = history.of(Broken.class);
        for (Popped pop : history.of(Popped.class)) {
            if (pop.outcome() == Outcome.APPLIED) {
                group(pops, pop.lane(), pop.group(), pop);
            }
        }
        history.of(Acked.class).forEach(ack -> group(acks, ack.lane(), ack.group(), ack));
        history.of(Observed.class).forEach(look -> group(looks, look.lane(), look.group(), look));
    }

    private static <T> void group(Map<Consumer, List<T>> map, String lane, String group, T event) {
        map.computeIfAbsent(new Consumer(lane, group), key -> new ArrayList<>()).add(event);
    }

    static List<Violation> check(Plan plan, History history, Tables tables) {
        Checker checker = new Checker(plan, history, tables);
        checker.violations.addAll(StorageRules.check(plan, history, tables));
        checker.violations.addAll(OrderRules.check(history, tables));
        checker.violations.addAll(CountRules.check(plan, tables));
        for (String lane : tables.lanes().keySet()) {
            plan.groupsOf(lane).forEach(group -> checker.group(new Consumer(lane, group)));
            plan.mendersOf(lane).forEach(group -> checker.menders(new Consumer(lane, group)));
            plan.carelessOf(lane).forEach(group -> checker.careless(new Consumer(lane, group)));
        }
        checker.looks.forEach(
                (consumer, seen) -> checker.violations.addAll(CursorRules.checkLooks(seen, checker.rewinds(consumer))));
        checker.violations.addAll(ProbeRules.check(history.of(Probed.class), checker.faults));
        return checker.violations;
    }

    private void group(Consumer consumer) {
        List<Popped> popped = pops.getOrDefault(consumer, List.of());
        List<Acked> acked = acks.getOrDefault(consumer, List.of());
        List<Rewound> rewound = rewinds(consumer);
        violations.addAll(DeliveryRules.check(consumer, popped, acked, rewound, tables));
        violations.addAll(CursorRules.check(consumer, popped, acked, rewound, tables));
        violations.addAll(LeaseRules.check(
                consumer, popped, acked, history.of(Renewed.class), ends(rewound), plan.leaseSeconds()));
    }

    /** A rewind drops leases; a crash of PostgreSQL may lose them, see {@link Faults#losesLeases}. */
    private List<Event> ends(List<Rewound> rewound) {
        List<Event> ends = new ArrayList<>(rewound);
        faults.stream().filter(fault -> fault.fault().losesLeases()).forEach(ends::add);
        return ends;
    }

    private void menders(Consumer consumer) {
        List<Popped> popped = pops.getOrDefault(consumer, List.of());
        List<Acked> acked = acks.getOrDefault(consumer, List.of());
        List<Redriven> redriven = history.of(Redriven.class).stream()
                .filter(redrive -> redrive.group().equals(consumer.group()))
                .toList();
        violations.addAll(RedriveRules.check(consumer, popped, acked, redriven, tables));
        violations.addAll(LeaseRules.check(
                consumer, popped, acked, history.of(Renewed.class), ends(List.of()), plan.leaseSeconds()));
    }

    private void careless(Consumer consumer) {
        boolean unknown = history.of(Popped.class).stream()
                .anyMatch(pop -> pop.group().equals(consumer.group()) && pop.outcome() == Outcome.UNKNOWN);
        violations.addAll(
                CarelessRules.check(consumer, pops.getOrDefault(consumer, List.of()), unknown, faults, tables));
    }

    private List<Rewound> rewinds(Consumer consumer) {
        return history.of(Rewound.class).stream()
                .filter(rewind -> rewind.group().equals(consumer.group())
                        && rewind.queue().equals(Plan.queue(consumer.lane())))
                .toList();
    }
}
