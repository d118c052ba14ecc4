package io.queen.security;

import java.util.Locale;

/** What a token may do with a queue. The roles say which kinds of calls it may make, the rights on which queues. */
public enum Right {
    PRODUCE("produce to"),
    CONSUME("consume from"),
    MANAGE("manage"),
    /** Look at single messages, with their payloads: given by consume and by manage. */
    READ("read the messages of"),
    /** See that a queue is there, and its numbers: given by each of the three. */
    SEE("see");

    private final String words;

    Right(String words) {
        this.words = words;
    }

    /** As it stands in a sentence, before the name of a queue. */
    String words() {
        return words;
    }

    /** As the claim and the table of routes write it. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
