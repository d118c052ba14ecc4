package io.queen.history;

import io.queen.history.Event.Acked;
import io.queen.history.Event.Broken;
import io.queen.history.Event.Observed;
import io.queen.history.Event.Popped;
import io.queen.history.Event.Renewed;
import io.queen.history.Event.Rewound;
import io.queen.history.Tables.Consumer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The cursor and the lease of one group on one partition. */
final class CursorRules {
    /** The clock of PostgreSQL and that of this JVM do not run exactly alike. */
    private static final long SLACK_NANOS = 300_000_000;

    private static final long SECOND_NANOS = 1_000_000_000;

    private final Consumer consumer;
    private final List<Acked> acks;
    private final List<Rewound> rewinds;
    private final Map<String, Integer> places;
    private final List<Violation> violations = new ArrayList<>();

    private CursorRules(Consumer consumer, List<Acked> acks, List<Rewound> rewinds, Tables tables) {
        this.consumer = consumer;
        this.acks = acks;
        this.rewinds = rewinds;
        this.places = tables.places(consumer.lane());
    }

    static List<Violation> check(
            Consumer consumer, List<Popped> pops, List<Acked> acks, List<Rewound> rewinds, Tables tables) {
        CursorRules rules = new CursorRules(consumer, acks, rewinds, tables);
        pops.forEach(rules::notBehind);
        rules.end(tables.cursors().getOrDefault(consumer, 0));
        return rules.violations;
    }

    /** 4: nothing is delivered again that was acknowledged before. */
    private void notBehind(Popped pop) {
        int first = places.getOrDefault(pop.transactionIds().get(0), Integer.MAX_VALUE);
        for (Acked ack : acks) {
            if (ack.passed()
                    && ack.endedBefore(pop)
                    && places.getOrDefault(ack.transactionId(), 0) >= first
                    && !rewoundBetween(ack, pop)) {
                violated(4, "Delivered again", pop + " begins at " + first + " after " + ack);
                return;
            }
        }
    }

    private boolean rewoundBetween(Event before, Event after) {
        return rewinds.stream().anyMatch(rewind -> rewind.end() > before.start() && rewind.start() < after.end());
    }

    /** 4: in the end the cursor is not before what was acknowledged. */
    private void end(int cursor) {
        for (Acked ack : acks) {
            if (ack.passed()
                    && places.getOrDefault(ack.transactionId(), 0) > cursor
                    && rewinds.stream().noneMatch(rewind -> rewind.end() > ack.start())) {
                violated(4, "Ends before an ack", "cursor " + cursor + ", " + ack);
            }
        }
    }

    /** 4: each look at the table shows a cursor that has not moved back. {@code looks} is of one partition and group. */
    static List<Violation> checkLooks(List<Observed> looks, List<Rewound> rewinds) {
        List<Violation> violations = new ArrayList<>();
        for (int i = 1; i < looks.size(); i++) {
            Observed before = looks.get(i - 1);
            Observed after = looks.get(i);
            boolean rewound =
                    rewinds.stream().anyMatch(rewind -> rewind.end() > before.start() && rewind.start() < after.end());
            if (after.cursor() < before.cursor() && !rewound) {
                violations.add(new Violation(4, "Moved back", before + " then " + after));
            }
        }
        return violations;
    }

    /**
     * 3: while a lease certainly lives, nobody else gets anything. It does from the answer of its pop until it can have
     * run out, been given up, or been lost in a crash of PostgreSQL.
     */
    static List<Violation> checkLeases(
            Consumer consumer,
            List<Popped> pops,
            List<Acked> acks,
            List<Renewed> renewals,
            List<? extends Event> ends,
            int leaseSeconds) {
        List<Violation> violations = new ArrayList<>();
        for (Popped holder : pops) {
            long until = certainlyUntil(holder, acks, renewals, ends, leaseSeconds);
            for (Popped other : pops) {
                if (other.start() > holder.end() && other.end() < until) {
                    violations.add(new Violation(3, "Two leases", consumer + " " + holder + " and " + other));
                }
            }
        }
        return violations;
    }

    private static long certainlyUntil(
            Popped holder, List<Acked> acks, List<Renewed> renewals, List<? extends Event> ends, int leaseSeconds) {
        long until = holder.start() + leaseSeconds * SECOND_NANOS;
        for (Renewed renewed : renewals) {
            if (renewed.outcome() == Outcome.APPLIED && renewed.leaseId().equals(holder.leaseId())) {
                until = Math.max(until, renewed.start() + renewed.seconds() * SECOND_NANOS);
            }
        }
        until -= SLACK_NANOS;
        for (Acked ack : acks) {
            if (ack.leaseId().equals(holder.leaseId())) {
                until = Math.min(until, ack.start());
            }
        }
        for (Event end : ends) {
            if (end.end() > holder.start()) {
                until = Math.min(until, end.start());
            }
        }
        return until;
    }

    /** Events that end leases before their time. */
    static List<Event> ends(List<Broken> faults, List<Rewound> rewinds) {
        List<Event> ends = new ArrayList<>(rewinds);
        faults.stream().filter(fault -> fault.fault().losesLeases()).forEach(ends::add);
        return ends;
    }

    private void violated(int invariant, String name, String evidence) {
        violations.add(new Violation(invariant, name, consumer + " " + evidence));
    }
}
