package io.queen.history;

import java.util.List;

/** One thing that was done, with its answer. Times are those of {@link System#nanoTime} in this JVM. */
sealed interface Event {
    /** Before it was sent. */
    long start();

    /** After the answer was read, or it was clear that none would come. */
    long end();

    default boolean endedBefore(Event later) {
        return end() < later.start();
    }

    default boolean overlaps(Event other) {
        return start() <= other.end() && other.start() <= end();
    }

    /** A message to a partition; one event per item, {@code place} among those of the request. */
    public record Pushed(
            long start,
            long end,
            int server,
            String lane,
            String transactionId,
            int place,
            Outcome outcome,
            String messageId)
            implements Event {}

    /** Messages from one partition; without a lane when there were none. {@code leaseId} is null when auto-acked. */
    record Popped(
            long start,
            long end,
            int server,
            String lane,
            String group,
            String leaseId,
            Outcome outcome,
            List<String> transactionIds)
            implements Event {}

    /** What was said of one message. */
    public record Acked(
            long start,
            long end,
            String lane,
            String group,
            String leaseId,
            String transactionId,
            String status,
            Outcome outcome,
            boolean dead)
            implements Event {
        /** Whether it can have moved the cursor to its message. */
        boolean maybePassed() {
            return switch (outcome) {
                case APPLIED -> passed();
                case UNKNOWN -> !status.equals("retry");
                default -> false;
            };
        }

        /** Whether it has moved the cursor to its message at least. */
        boolean passed() {
            return outcome == Outcome.APPLIED && (dead || status.equals("completed"));
        }
    }

    /** A lease made longer. */
    record Renewed(long start, long end, String leaseId, int seconds, Outcome outcome) implements Event {}

    /** A transaction that acknowledged and pushed; its acks and pushes are events of their own too. */
    record Moved(long start, long end, String targetLane, List<String> targets, Outcome outcome) implements Event {}

    /** A group that was sent back to the beginning of a queue. */
    record Rewound(long start, long end, String group, String queue, Outcome outcome) implements Event {}

    /** The dead letters of a group in a queue were given back to it. */
    public record Redriven(long start, long end, String group, String queue, Outcome outcome) implements Event {}

    /**
     * A message was pushed, answered {@code queued}, and asked for at once on the other server.
     *
     * @param said what the server told about itself when there was nothing, null when it told nothing
     */
    record Probed(long start, long end, String lane, String transactionId, boolean found, String said)
            implements Event {}

    /** The cursor of a group as the table showed it; noted when it has changed since the last look. */
    record Observed(long start, long end, String lane, String group, long cursor) implements Event {}

    /** From the moment something was broken until everything served again. */
    record Broken(long start, long end, Faults fault) implements Event {}
}
