package io.queen.metrics;

/** What is counted for each queue and for the server as a whole; the name is that in the series. */
public enum CounterKind {
    PUSH_REQUESTS("pushRequests"),
    PUSH_MESSAGES("pushMessages"),
    POP_REQUESTS("popRequests"),
    POP_MESSAGES("popMessages"),
    POP_EMPTY("popEmpty"),
    ACK_REQUESTS("ackRequests"),
    ACK_MESSAGES("ackMessages"),
    ACK_SUCCESS("ackSuccess"),
    ACK_FAILED("ackFailed"),
    DEAD_LETTERS("dlqCount"),
    TRANSACTIONS("transactions"),
    /** Milliseconds that popped messages had waited, summed up. */
    LAG_SUM("lagSumMs"),
    PARTITIONS_DELETED("partitionsDeleted");

    private final String key;

    CounterKind(String key) {
        this.key = key;
    }

    public String key() {
        return key;
    }
}
