package io.queen.history;

import io.queen.history.Event.Broken;
import io.queen.history.Event.Probed;
import java.util.ArrayList;
import java.util.List;

/**
 * What was answered is seen at once, by everybody (8). A pop may answer empty when PostgreSQL can't be reached, by
 * design: an answer that says so, or one that overlaps a fault until all servers served again, proves nothing.
 */
final class ProbeRules {
    private ProbeRules() {}

    static List<Violation> check(List<Probed> probes, List<Broken> faults) {
        List<Violation> violations = new ArrayList<>();
        for (Probed probe : probes) {
            if (!probe.found() && probe.said() == null && faults.stream().noneMatch(probe::overlaps)) {
                violations.add(new Violation(8, "Not seen", probe.toString()));
            }
        }
        return violations;
    }
}
