package io.queen.tracing;

import io.opentelemetry.api.trace.SpanKind;
import java.util.Locale;

/** What a request does with messages, in the words of the semantic conventions. */
public enum MessageWork {
    /** The span's context goes with the messages: it is the producer that consumers link to. */
    PUSH("send", SpanKind.PRODUCER),
    POP("receive", SpanKind.CLIENT),
    ACK("settle", SpanKind.CLIENT),
    /** Pushes and acks at once, for which there is no word. */
    TRANSACTION(null, SpanKind.PRODUCER);

    private final String type;
    private final SpanKind kind;

    MessageWork(String type, SpanKind kind) {
        this.type = type;
        this.kind = kind;
    }

    /** Null when there is none. */
    String type() {
        return type;
    }

    SpanKind kind() {
        return kind;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
