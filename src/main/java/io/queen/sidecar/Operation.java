package io.queen.sidecar;

import java.util.Locale;

/** What a sidecar does, in the order in which waiting batches get a free connection. */
public enum Operation {
    ACK,
    RENEW,
    RELEASE,
    TRANSACTION,
    CYCLE,
    PUSH,
    SCHEDULE,
    STATE,
    POP;

    /** The name in metrics. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
