package io.queen.schedule;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.queen.message.PushResult;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What this server fired, and how late. */
@Singleton
final class ScheduleMetrics {
    /** What became of due times. */
    enum Result {
        QUEUED,
        /** Stored before. */
        DUPLICATE,
        /** The queue was full. */
        REFUSED,
        /** A try that failed, of one due time or several. */
        FAILED,
        /** Left out, one or several at once. */
        MISSED
    }

    private final Map<Result, Counter> fired = new EnumMap<>(Result.class);
    private final Timer late;

    ScheduleMetrics(MeterRegistry registry) {
        for (Result result : Result.values()) {
            fired.put(
                    result,
                    Counter.builder("queen.schedules.fired")
                            .description("Due times of schedules, by what became of them")
                            .tag("result", result.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
        late = Timer.builder("queen.schedules.late")
                .description("From a due time of a schedule to its message")
                .register(registry);
    }

    void count(Result result) {
        fired.get(result).increment();
    }

    void fired(List<PushResult> results, Duration lateBy) {
        for (PushResult result : results) {
            switch (result.status()) {
                case QUEUED -> count(Result.QUEUED);
                case DUPLICATE -> count(Result.DUPLICATE);
                default -> count(Result.REFUSED);
            }
        }
        if (!results.isEmpty()) {
            late.record(lateBy.isNegative() ? Duration.ZERO : lateBy);
        }
    }
}
