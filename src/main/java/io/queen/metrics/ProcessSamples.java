package io.queen.metrics;

import jakarta.inject.Singleton;
import java.util.Map;

/** CPU and memory of the process; CPU in hundredths of a percent of one core since the last look. */
@Singleton
final class ProcessSamples implements SampleSource {
    /** A share of 1 in hundredths of a percent. */
    private static final double SCALE = 10_000;

    private ProcessStats last = ProcessStats.read();
    private long lastNanos = System.nanoTime();

    @Override
    public synchronized Map<String, Double> sample() {
        ProcessStats now = ProcessStats.read();
        long nanos = System.nanoTime();
        double micros = Math.max(1, (nanos - lastNanos) / 1000.0);
        Map<String, Double> values = Map.of(
                "cpuUser",
                (now.userMicros() - last.userMicros()) / micros * SCALE,
                "cpuSystem",
                (now.systemMicros() - last.systemMicros()) / micros * SCALE,
                "rssBytes",
                (double) now.residentBytes(),
                "virtualBytes",
                (double) now.virtualBytes());
        last = now;
        lastNanos = nanos;
        return values;
    }
}
