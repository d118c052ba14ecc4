package io.queen.history;

import io.queen.history.Event.Broken;
import io.queen.history.Event.Popped;
import io.queen.history.Tables.Consumer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a group that is auto-acked got of one partition: each message at most once, and all of it if nothing broke. */
final class CarelessRules {
    private CarelessRules() {}

    static List<Violation> check(
            Consumer consumer, List<Popped> pops, boolean anythingUnknown, List<Broken> faults, Tables tables) {
        Map<String, Integer> places = tables.places(consumer.lane());
        List<Violation> violations = new ArrayList<>(RunRules.check(consumer, pops, places));
        Set<String> got = new HashSet<>();
        for (Popped pop : pops) {
            for (String id : pop.transactionIds()) {
                if (!got.add(id)) {
                    violations.add(
                            new Violation(4, "Auto-acked and delivered again", consumer + " " + id + " in " + pop));
                }
            }
        }
        Set<String> missing = new HashSet<>(places.keySet());
        missing.removeAll(got);
        if (!missing.isEmpty() && faults.isEmpty() && !anythingUnknown) {
            violations.add(new Violation(1, "Never delivered", consumer + " " + missing));
        }
        return violations;
    }
}
