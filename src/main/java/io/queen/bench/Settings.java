package io.queen.bench;

import java.time.Duration;

/**
 * How to measure.
 *
 * @param payload bytes of JSON in a message
 * @param rate requests per second over all connections; 0 for as many as the server takes
 * @param partitions 0 for what the scenario thinks right
 * @param stock messages in each partition before a scenario that consumes
 * @param prefix how the names of the queues start
 */
record Settings(
        int payload,
        int connections,
        double rate,
        Duration warmup,
        Duration duration,
        int partitions,
        int stock,
        String prefix) {
    private static final int DEFAULT_PARTITIONS = 1000;

    /** At least one for each connection, so that nobody waits for a lease. */
    int partitionsOrDefault() {
        return partitions > 0 ? partitions : Math.max(DEFAULT_PARTITIONS, connections);
    }
}
