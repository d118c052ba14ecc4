package io.queen.schedule;

import java.util.Locale;

/** What becomes of due times that passed more than a minute ago, or while the schedule was paused. */
enum Missed {
    /** They are left out. */
    NONE,
    /** The newest is made up for, when none has come since. */
    LAST,
    /** Each is made up for, in order. */
    ALL;

    /** As the protocol spells it. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Null for a text that is none of them. */
    static Missed of(String text) {
        for (Missed each : values()) {
            if (each.text().equals(text)) {
                return each;
            }
        }
        return null;
    }
}
