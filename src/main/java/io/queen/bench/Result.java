package io.queen.bench;

import io.queen.bench.Scenario.Round;
import java.util.List;

/** All rounds of one scenario on one server. */
record Result(String scenario, ServerAddress server, List<Round> rounds) {
    Counts counts() {
        return Counts.sum(rounds.stream().map(Round::counts).toList());
    }

    ResourceUsage spent() {
        return ResourceUsage.sum(rounds.stream().map(Round::spent).toList());
    }

    long missed() {
        return rounds.stream().mapToLong(Round::missed).sum();
    }
}
