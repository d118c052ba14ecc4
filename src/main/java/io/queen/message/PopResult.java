package io.queen.message;

import java.util.List;

/**
 * What a pop found.
 *
 * @param claims the partitions it took messages from, in order
 * @param messages empty when there was nothing
 * @param dueMillis when nothing was found: milliseconds until it is worth another look, -1 when that is not known
 * @param absence why nothing was found
 * @param unreadable why messages that were found are not given; null when there are none such
 */
public record PopResult(
        List<Claim> claims, List<PoppedMessage> messages, long dueMillis, Absence absence, String unreadable) {

    /** Why there are no messages. */
    public enum Absence {
        /** There is none to be had. */
        NOTHING_THERE,
        /** There may be some, but an operator holds them back. */
        PAUSED,
        /** There may be some, but the database can't be asked. */
        NO_DATABASE,
        /** There are some, but the encryption key does not open them. */
        UNREADABLE
    }

    public PopResult(List<Claim> claims, List<PoppedMessage> messages, long dueMillis) {
        this(claims, messages, dueMillis, Absence.NOTHING_THERE, null);
    }

    public static PopResult empty(long dueMillis) {
        return new PopResult(List.of(), List.of(), dueMillis);
    }

    public static PopResult absent(Absence why) {
        return new PopResult(List.of(), List.of(), -1, why, null);
    }

    public boolean isEmpty() {
        return messages.isEmpty();
    }
}
