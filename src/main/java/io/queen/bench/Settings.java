package io.queen.bench;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

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
            converter = Settings.DurationConverter.class)
    Duration duration;

    @Option(
            names = "--warmup",
            paramLabel = "T",
            defaultValue = "3s",
            description = "Time before it (${DEFAULT-VALUE}).",
            converter = Settings.DurationConverter.class)
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

    /** Spans of time as people write them: 10, 10s, 500ms, 2m. */
    static final class DurationConverter implements ITypeConverter<Duration> {
        private static final Pattern SPAN = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(ms|s|m|)");

        @Override
        public Duration convert(String text) {
            Matcher matcher = SPAN.matcher(text);
            if (!matcher.matches()) {
                throw new TypeConversionException("'" + text + "' is not a span of time like 10s, 500ms or 2m");
            }
            double number = Double.parseDouble(matcher.group(1));
            double millis = switch (matcher.group(2)) {
                case "ms" -> number;
                case "m" -> number * 60_000;
                default -> number * 1000;
            };
            return Duration.ofMillis(Math.round(millis));
        }
    }
}
