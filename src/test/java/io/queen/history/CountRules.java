package io.queen.history;

import io.queen.history.Tables.Stored;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** 7: a cycle is applied once and whole. Its state counts what was pushed, and the sink has what it emitted, in that order. */
final class CountRules {
    private final Tables tables;
    private final List<Violation> violations = new ArrayList<>();

    private CountRules(Tables tables) {
        this.tables = tables;
    }

    static List<Violation> check(Plan plan, Tables tables) {
        CountRules rules = new CountRules(tables);
        plan.counts()
                .forEach((source, sink) -> tables.lanes().keySet().stream()
                        .filter(lane -> Plan.queue(lane).equals(source))
                        .forEach(lane -> rules.lane(lane, sink + "/" + Plan.partition(lane))));
        return rules.violations;
    }

    private void lane(String lane, String sink) {
        Map<String, Long> pushed = new HashMap<>();
        for (Stored message : tables.lane(lane)) {
            pushed.merge(Counting.key(message.transactionId()), 1L, Long::sum);
        }
        Map<String, Long> counted = new HashMap<>(tables.states().getOrDefault(lane, Map.of()));
        long emitted = counted.getOrDefault(Counting.EMITTED, 0L);
        counted.remove(Counting.EMITTED);
        Set<String> keys = new TreeSet<>(pushed.keySet());
        keys.addAll(counted.keySet());
        for (String key : keys) {
            long expected = pushed.getOrDefault(key, 0L);
            long found = counted.getOrDefault(key, 0L);
            if (found != expected) {
                String name = found < expected ? "Not counted" : "Counted twice";
                violations.add(new Violation(7, name, lane + " " + key + ": " + found + " of " + expected));
            }
        }
        emissions(sink, emitted, counted);
    }

    /** They are numbered from one on, without a gap, and the last of each key tells its count. */
    private void emissions(String sink, long emitted, Map<String, Long> counted) {
        Map<String, Long> last = new HashMap<>();
        long number = 0;
        for (Stored message : tables.lane(sink)) {
            String[] parts = message.payload()
                    .substring(1, message.payload().length() - 1)
                    .split("\\|", -1);
            if (Long.parseLong(parts[0]) != ++number) {
                violations.add(new Violation(
                        7, "Emitted twice, never or out of order", sink + " at " + number + " " + message));
                return;
            }
            last.put(parts[1], Long.parseLong(parts[2]));
        }
        Map<String, Long> shown = new HashMap<>();
        counted.forEach((key, count) -> shown.put(Counting.shown(key), count));
        if (number != emitted || !last.equals(shown)) {
            violations.add(new Violation(
                    7,
                    "State and sink differ",
                    sink + " has " + number + " of " + emitted + ", " + last + " and " + shown));
        }
    }
}
