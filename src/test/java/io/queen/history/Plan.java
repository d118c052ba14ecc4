package io.queen.history;

import java.util.Map;
import java.util.Set;

/**
 * Who consumes what.
 *
 * @param groups by queue, the groups that acknowledge what they consume
 * @param careless by queue, the groups that are auto-acked and get a message at most once
 * @param menders by queue, the groups whose dead letters are given back to them
 * @param moves by queue, the queue into which each of its messages is moved once
 * @param counts by queue, the queue into which a stream emits the counts of its messages
 * @param leaseSeconds how long a lease lives
 */
record Plan(
        Map<String, Set<String>> groups,
        Map<String, Set<String>> careless,
        Map<String, Set<String>> menders,
        Map<String, String> moves,
        Map<String, String> counts,
        int leaseSeconds) {

    static String queue(String lane) {
        return lane.substring(0, lane.indexOf('/'));
    }

    static String partition(String lane) {
        return lane.substring(lane.indexOf('/') + 1);
    }

    Set<String> groupsOf(String lane) {
        return groups.getOrDefault(queue(lane), Set.of());
    }

    Set<String> mendersOf(String lane) {
        return menders.getOrDefault(queue(lane), Set.of());
    }

    Set<String> carelessOf(String lane) {
        return careless.getOrDefault(queue(lane), Set.of());
    }
}
