package io.queen.history;

import io.queen.history.Event.Acked;
import io.queen.history.Event.Popped;
import io.queen.history.Event.Renewed;
import io.queen.history.Tables.Consumer;
import java.util.ArrayList;
import java.util.List;

/**
 * While a lease certainly lives, nobody else of the group gets anything of the partition (3). It lives from the answer of
 * its pop until it can have run out, been given up, or been lost.
 */
final class LeaseRules {
    /** The clock of PostgreSQL and that of this JVM do not run exactly alike. */
    private static final long SLACK_NANOS = 300_000_000;

    private static final long SECOND_NANOS = 1_000_000_000;

    private LeaseRules() {}

    /** @param ends what may end any lease before its time */
    static List<Violation> check(
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
}
