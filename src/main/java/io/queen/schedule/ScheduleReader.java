package io.queen.schedule;

import com.fasterxml.jackson.core.JsonToken;
import io.queen.message.PushItem;
import io.queen.message.QueenException;
import io.queen.push.ExtraFields;
import io.queen.web.FieldRules;
import io.queen.web.JsonBody;
import io.queen.web.TimeParser;
import java.io.IOException;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;

/** The body of a schedule. What is null is as if it was not there, but for the payload, which may be null. */
final class ScheduleReader {
    private static final String UTC = "UTC";
    private static final int MAX_INTERVAL = 366 * 24 * 60 * 60;

    private String queue;
    private String partition = PushItem.DEFAULT_PARTITION;
    private String payload = "null";
    private String headers;
    private String cron;
    private String timeZone;
    private Integer intervalSeconds;
    private OffsetDateTime start;
    private Missed missed = Missed.LAST;
    private Boolean paused;

    private ScheduleReader() {}

    /**
     * What a caller wants. Either {@code cron} and {@code timeZone} are there, or {@code intervalSeconds}.
     *
     * @param start null to let it be as it is, or to begin now
     * @param paused null to let it be as it is
     */
    record Wanted(
            String queue,
            String partition,
            String payload,
            String headers,
            String cron,
            String timeZone,
            Integer intervalSeconds,
            OffsetDateTime start,
            Missed missed,
            Boolean paused) {}

    static Wanted read(byte[] bytes) {
        return JsonBody.read(bytes, body -> new ScheduleReader().object(body));
    }

    private Wanted object(JsonBody body) throws IOException {
        if (body.current() != JsonToken.START_OBJECT) {
            throw QueenException.missing("queue");
        }
        for (String name = body.nextField(); name != null; name = body.nextField()) {
            if (name.equals("payload")) {
                payload = body.raw("payload");
            } else if (body.isNull()) {
                known(name, body);
            } else {
                field(name, body);
            }
        }
        return wanted();
    }

    /** A null says nothing, but its name may be wrong. */
    private static void known(String name, JsonBody body) throws IOException {
        switch (name) {
            case "queue", "partition", "headers", "cron", "timeZone", "intervalSeconds", "start", "missed", "paused" ->
                body.skip();
            default -> body.unknown("", name);
        }
    }

    private void field(String name, JsonBody body) throws IOException {
        switch (name) {
            case "queue" -> queue = body.name(name);
            case "partition" -> partition = body.name(name);
            case "headers" -> headers = ExtraFields.headers(body, name);
            case "cron" -> cron = body.string(name).trim();
            case "timeZone" -> timeZone = body.name(name);
            case "intervalSeconds" -> intervalSeconds = FieldRules.integer(scalar(body), name, 1, MAX_INTERVAL);
            case "start" -> start = TimeParser.parse(body.string(name), name).truncatedTo(ChronoUnit.SECONDS);
            case "missed" -> missed = missed(body.string(name));
            case "paused" -> paused = FieldRules.bool(scalar(body), name);
            default -> body.unknown("", name);
        }
    }

    private static String scalar(JsonBody body) throws IOException {
        String text = body.scalar();
        body.skip();
        return text;
    }

    private static Missed missed(String text) {
        Missed found = Missed.of(text);
        if (found == null) {
            throw QueenException.invalid("missed", "must be none, last or all");
        }
        return found;
    }

    private Wanted wanted() {
        if (queue == null) {
            throw QueenException.missing("queue");
        }
        if ((cron == null) == (intervalSeconds == null)) {
            throw QueenException.invalid("cron", "or intervalSeconds must be given, and not both");
        }
        if (cron == null && timeZone != null) {
            throw QueenException.invalid("timeZone", "goes with cron only");
        }
        if (cron != null && start != null) {
            throw QueenException.invalid("start", "goes with intervalSeconds only");
        }
        String zone = cron != null && timeZone == null ? UTC : timeZone;
        return new Wanted(queue, partition, payload, headers, cron, zone, intervalSeconds, start, missed, paused);
    }
}
