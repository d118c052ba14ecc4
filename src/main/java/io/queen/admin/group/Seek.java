package io.queen.admin.group;

import java.time.OffsetDateTime;

/**
 * Where the cursors of a group go.
 *
 * @param time for {@code TIME}: after the last message that is not younger
 */
public record Seek(To to, OffsetDateTime time) {
    /** The kinds of places. */
    public enum To {
        END,
        BEGINNING,
        TIME
    }

    public static final Seek TO_END = new Seek(To.END, null);
    public static final Seek TO_BEGINNING = new Seek(To.BEGINNING, null);

    public static Seek to(OffsetDateTime time) {
        return new Seek(To.TIME, time);
    }
}
