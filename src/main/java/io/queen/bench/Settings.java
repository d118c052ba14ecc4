package io.queen.bench;

import java.time.Duration;
import picocli.CommandLine.Option;

/** How to measure: the options that scenarios know. */
final class Settings {
    private static final int DEFAULT_PARTITIONS = 1000;

    @Option(names = "--connections", paramLabel = "N", description = "Connections (${DEFAULT-VALUE}).")
    int connections = 64;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "Requests per second over all connections, due at even distances whatever the server does;"
                    + " without it each connection asks again as soon as it is answered.")
    double rate;

    @Option(
            names = "--duration",
            paramLabel = "T",
            defaultValue = "10s",
            description = "Time that counts (${DEFAULT-VALUE}).",
            converter = DurationConverter.class)
    Duration duration;

    @Option(
            names = "--warmup",
            paramLabel = "T",
            defaultValue = "3s",
            description = "Time before it (${DEFAULT-VALUE}).",
            converter = DurationConverter.class)
    Duration warmup;

    @Option(names = "--payload", paramLabel = "BYTES", description = "Size of a message (${DEFAULT-VALUE}).")
    int payload = 100;

    @Option(
            names = "--partitions",
            paramLabel = "N",
            description = "Partitions of a queue (1000; for the scenario partitions the most, 100000).")
    int partitions;

    @Option(
            names = "--stock",
            paramLabel = "N",
            description = "Messages in each partition before they are consumed (${DEFAULT-VALUE}).")
    int stock = 200;

    @Option(
            names = "--queue-prefix",
            paramLabel = "NAME",
            description = "How the queues are named that are made, and deleted at the end (${DEFAULT-VALUE}).")
    String prefix = "bench";

    /** At least one for each connection, so that no connection waits for a lease. */
    int partitionsOrDefault() {
        return partitions > 0 ? partitions : Math.max(DEFAULT_PARTITIONS, connections);
    }
}
