package io.queen.message;

import java.util.List;

/**
 * What a pop found.
 *
 * @param claims the partitions it took messages from, in order
 * @param messages empty when there was nothing
 * @param dueMillis when nothing was found: milliseconds until it is worth another look, -1 when nobody knows
 * @param unavailable nothing was found because the database is away
 * @param unreadable why messages that were found are not given; null when there are none such
 */
public record PopResult(
        List<Claim> claims, List<PoppedMessage> messages, long dueMillis, boolean unavailable, String unreadable) {

    public PopResult(List<Claim> claims, List<PoppedMessage> messages, long dueMillis) {
        this(claims, messages, dueMillis, false, null);
    }

    public static PopResult empty(long dueMillis) {
        return new PopResult(List.of(), List.of(), dueMillis);
    }

    /** There may be messages, but the database can't be asked. */
    public static PopResult ofNoDatabase() {
        return new PopResult(List.of(), List.of(), -1, true, null);
    }

    public boolean isEmpty() {
        return messages.isEmpty();
    }
}
