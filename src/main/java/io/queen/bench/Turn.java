package io.queen.bench;

/** One go of a lane, told by it how it went. One of {@link #finish}, {@link
 * #end}, {@link #empty} and {@link #failed}, once. */
final class Turn {
    private final Tally tally;
    private final Runnable next;
    private final Runnable nextAfterPause;
    private long start;

    Turn(Tally tally, Runnable next, Runnable nextAfterPause) {
        this.tally = tally;
        this.next = next;
        this.nextAfterPause = nextAfterPause;
    }

    /** The turn counts from there. */
    void begin(long from) {
        start = from;
    }

    /** So many messages at that time, if there was no problem. */
    void finish(String problem, int messages, long now) {
        if (problem == null) {
            record(start, messages, now - start);
            end();
        } else {
            failed(problem);
        }
    }

    /** Counts without ending the turn; {@code at} decides whether it falls into the time that is measured. */
    void record(long at, int messages, long nanos) {
        tally.record(at, messages, nanos);
    }

    /** Nothing to count. */
    void end() {
        next.run();
    }

    /** There was no message. */
    void empty() {
        tally.empty(start);
        next.run();
    }

    void failed(String reason) {
        tally.failed(reason);
        nextAfterPause.run();
    }
}
