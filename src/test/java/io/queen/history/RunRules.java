package io.queen.history;

import io.queen.history.Event.Popped;
import io.queen.history.Tables.Consumer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The messages of a pop follow each other without a gap (2), and all of them are stored (1). */
final class RunRules {
    private RunRules() {}

    static List<Violation> check(Consumer consumer, List<Popped> pops, Map<String, Integer> places) {
        List<Violation> violations = new ArrayList<>();
        for (Popped pop : pops) {
            List<Integer> run = new ArrayList<>();
            pop.transactionIds().forEach(id -> run.add(places.get(id)));
            if (run.contains(null)) {
                violations.add(new Violation(1, "Delivered, but not stored", consumer + " " + pop + " is " + run));
            } else if (!followEachOther(run)) {
                violations.add(new Violation(2, "Not in order", consumer + " " + pop + " is " + run));
            }
        }
        return violations;
    }

    private static boolean followEachOther(List<Integer> run) {
        for (int i = 1; i < run.size(); i++) {
            if (run.get(i) != run.get(i - 1) + 1) {
                return false;
            }
        }
        return true;
    }
}
