package io.queen.schedule;

import io.queen.message.PartitionName;
import io.queen.message.PushItem;
import io.queen.web.TimeFormat;
import java.time.Instant;
import java.time.OffsetDateTime;

/**
 * A schedule as the database has it. Either {@code cron} and {@code timeZone} are there, or {@code intervalSeconds} and
 * {@code start}.
 *
 * @param headers null for none
 * @param nextAt the first time that has not been fired; null when none comes any more
 * @param lastDueAt the newest time that was fired, and when that was; null for none yet
 * @param lastError why the last try failed; null when it did not
 * @param producerSub whoever made it; null when that is not known
 * @param version changes with every change that is not a run
 */
record Schedule(
        String name,
        String queue,
        String partition,
        String payload,
        String headers,
        String cron,
        String timeZone,
        Integer intervalSeconds,
        OffsetDateTime start,
        Missed missed,
        boolean paused,
        OffsetDateTime nextAt,
        OffsetDateTime lastDueAt,
        OffsetDateTime lastRunAt,
        String lastError,
        String producerSub,
        long version,
        OffsetDateTime createdAt,
        OffsetDateTime updatedAt) {

    Timing timing() {
        return cron == null ? Timing.interval(start.toInstant(), intervalSeconds) : Timing.cron(cron, timeZone);
    }

    /** Where its messages go. */
    PartitionName target() {
        return new PartitionName(queue, partition);
    }

    /** The message of a due time: the same id, however often it is sent. */
    PushItem item(Instant due) {
        return item(due.toString());
    }

    /** The message of a run that was asked for. Its id has parts of a second, and is that of no due time. */
    PushItem itemNow(OffsetDateTime now) {
        return item(TimeFormat.micros(now));
    }

    private PushItem item(String time) {
        String transactionId = "schedule:" + name + ":" + time;
        return new PushItem(target(), transactionId, null, payload, producerSub, headers, null);
    }

    int bytes() {
        return payload.length() + (headers == null ? 0 : headers.length());
    }
}
