package io.queen.message;

import java.util.List;

/**
 * What a pop found.
 *
 * @param claims the partitions it took messages from, in order
 * @param messages empty when there was nothing
 * @param dueMillis when nothing was found: milliseconds until it is worth another look, -1 when nobody knows
 */
public record PopResult(List<Claim> claims, List<PoppedMessage> messages, long dueMillis) {

    public static PopResult empty(long dueMillis) {
        return new PopResult(List.of(), List.of(), dueMillis);
    }

    public boolean isEmpty() {
        return messages.isEmpty();
    }
}
