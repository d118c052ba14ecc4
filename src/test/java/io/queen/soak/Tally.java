package io.queen.soak;

import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** How often each operation was answered with each status, and the first answers that should not have been. */
final class Tally {
    private static final int SHOWN = 20;

    private final Map<String, Map<Integer, LongAdder>> counts = new ConcurrentSkipListMap<>();
    private final Queue<String> unwelcome = new ConcurrentLinkedQueue<>();

    /** Status 0 is no answer. */
    void count(String what, int status, String body) {
        counts.computeIfAbsent(what, key -> new ConcurrentSkipListMap<>())
                .computeIfAbsent(status, key -> new LongAdder())
                .increment();
        if (isUnwelcome(status) && unwelcome.size() < SHOWN) {
            unwelcome.add(what + " " + status + ": " + body);
        }
    }

    /** A queue may be gone (404) or its message be taken (409); a bad request, a failure or silence is a defect. */
    private static boolean isUnwelcome(int status) {
        return status == 0 || status == 400 || status >= 500;
    }

    Queue<String> unwelcome() {
        return unwelcome;
    }

    /** Operations that no answer of success was seen for. */
    Map<String, Map<Integer, LongAdder>> withoutSuccess() {
        Map<String, Map<Integer, LongAdder>> without = new TreeMap<>(counts);
        without.values().removeIf(statuses -> statuses.keySet().stream().anyMatch(s -> s >= 200 && s < 300));
        return without;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        counts.forEach((what, statuses) -> text.append(String.format("  %-14s %s%n", what, statuses)));
        return text.toString();
    }
}
