package io.queen.bench;

import java.util.List;

/** All rounds of one scenario on one server. */
record Result(String scenario, Target target, List<Round> rounds) {
    Counts counts() {
        return Counts.inTurn(rounds.stream().map(Round::counts).toList());
    }

    Figures spent() {
        return Figures.sum(rounds.stream().map(Round::spent).toList());
    }

    long missed() {
        return rounds.stream().mapToLong(Round::missed).sum();
    }

    /** A figure divided by the messages; null when it is not known. */
    Double perMessage(Long figure) {
        long messages = counts().messages();
        return figure == null || messages == 0 ? null : (double) figure / messages;
    }
}
