package io.queen.bench;

import java.util.List;

/** Something to be measured on one server, as often as asked. */
interface Scenario {
    /** One round: a warm-up, then the time that counts. */
    Round run() throws InterruptedException;

    /** Workers that make their attempts at the rate that the settings say. */
    static Round run(BenchServer server, List<Worker> workers) throws InterruptedException {
        return Load.run(server, server.settings().rate, workers, List.of(), () -> 0);
    }

    /**
     * What one round on one server gave.
     *
     * @param missed requests that were due and never sent, because the server did not keep up with the rate
     */
    record Round(Counts counts, ResourceUsage spent, long missed) {}
}
