package io.queen.schedule;

import com.fasterxml.jackson.core.JsonGenerator;
import io.queen.web.TimeFormat;
import java.io.IOException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Writes schedules. */
final class ScheduleAnswer {
    private static final int NEXT_RUNS = 5;

    private ScheduleAnswer() {}

    /** With its payload, and the times that come next, paused or not. */
    static void writeWhole(JsonGenerator json, Schedule schedule) throws IOException {
        json.writeStartObject();
        writeFields(json, schedule);
        json.writeFieldName("payload");
        json.writeRawValue(schedule.payload());
        if (schedule.headers() != null) {
            json.writeFieldName("headers");
            json.writeRawValue(schedule.headers());
        }
        json.writeArrayFieldStart("nextRuns");
        Timing timing = schedule.timing();
        Instant next = schedule.nextAt() == null ? null : schedule.nextAt().toInstant();
        for (int i = 0; i < NEXT_RUNS && next != null; i++) {
            json.writeString(TimeFormat.millis(next.atOffset(ZoneOffset.UTC)));
            next = timing.next(next);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    static void write(JsonGenerator json, Schedule schedule) throws IOException {
        json.writeStartObject();
        writeFields(json, schedule);
        json.writeEndObject();
    }

    private static void writeFields(JsonGenerator json, Schedule schedule) throws IOException {
        json.writeStringField("name", schedule.name());
        json.writeStringField("queue", schedule.queue());
        json.writeStringField("partition", schedule.partition());
        if (schedule.cron() == null) {
            json.writeNumberField("intervalSeconds", schedule.intervalSeconds());
            time(json, "start", schedule.start());
        } else {
            json.writeStringField("cron", schedule.cron());
            json.writeStringField("timeZone", schedule.timeZone());
        }
        json.writeStringField("missed", schedule.missed().text());
        json.writeBooleanField("paused", schedule.paused());
        time(json, "nextRunAt", schedule.paused() ? null : schedule.nextAt());
        time(json, "lastDueAt", schedule.lastDueAt());
        time(json, "lastRunAt", schedule.lastRunAt());
        json.writeStringField("lastError", schedule.lastError());
        json.writeStringField("producerSub", schedule.producerSub());
        time(json, "createdAt", schedule.createdAt());
        time(json, "updatedAt", schedule.updatedAt());
    }

    private static void time(JsonGenerator json, String field, OffsetDateTime time) throws IOException {
        json.writeStringField(field, time == null ? null : TimeFormat.millis(time));
    }
}
