package io.queen.schedule;

import io.queen.database.Connection;
import io.queen.database.Database;
import io.queen.message.Page;
import io.queen.push.PushStore;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;

/** Schedules in the database: looked for, fired, changed by those who know their version. */
@Singleton
final class ScheduleStore {
    private static final String COLUMNS =
            "s.cron, s.time_zone, s.interval_seconds, s.start_at, s.missed, s.paused, s.next_at,"
                    + " s.last_due_at, s.last_run_at, s.last_error, s.producer_sub, s.version, s.created_at, s.updated_at";
    private static final String WHOLE =
            "select s.name, s.queue_name, s.partition_name, s.payload, s.headers, " + COLUMNS;
    private static final String NOW = "select clock_timestamp()";
    private static final String FIND = WHOLE + " from queen.schedules s where s.name = $1";
    private static final String LIST = "select s.name, s.queue_name, s.partition_name, '', null::text, " + COLUMNS
            + " from queen.schedules s where ($1::text is null or s.queue_name = $1) and starts_with(s.name, $2)"
            + " and ($3::text[] is null or queen.is_visible_v1(s.queue_name, $3)) order by s.name limit $4 offset $5";
    private static final String LOOK = "select clock_timestamp(), (select min(s.look_at) from queen.schedules s)";
    private static final String DUE = WHOLE + " from queen.due_schedules_v1($1, $2, $3) s";
    private static final String PUT = """
            insert into queen.schedules as s (name, queue_name, partition_name, payload, headers, cron, time_zone,
                interval_seconds, start_at, missed, paused, next_at, look_at, producer_sub)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::boolean, $12::timestamptz,
                case when not $11::boolean then $12::timestamptz end, $13)
            on conflict (name) do update
            set queue_name = excluded.queue_name, partition_name = excluded.partition_name, payload = excluded.payload,
                headers = excluded.headers, cron = excluded.cron, time_zone = excluded.time_zone,
                interval_seconds = excluded.interval_seconds, start_at = excluded.start_at, missed = excluded.missed,
                paused = excluded.paused, next_at = excluded.next_at, look_at = excluded.look_at,
                producer_sub = excluded.producer_sub, version = s.version + 1, updated_at = now()
            where s.version = $14
            returning true""";
    private static final String PAUSE =
            "update queen.schedules set paused = true, look_at = null, version = version + 1,"
                    + " updated_at = now() where name = $1 and version = $2 returning true";
    private static final String RESUME =
            "update queen.schedules set paused = false, next_at = $3::timestamptz, look_at = $3::timestamptz,"
                    + " version = version + 1, updated_at = now() where name = $1 and version = $2 returning true";
    private static final String DELETE = "delete from queen.schedules where name = $1 and version = $2 returning true";
    private static final String RAN = "update queen.schedules set last_run_at = $2, last_error = $3 where name = $1";
    private static final String POSTPONE =
            "update queen.schedules set look_at = clock_timestamp() + interval '5 seconds',"
                    + " last_error = $4 where name = $1 and version = $2 and next_at = $3 and not paused";
    private static final String FIRE =
            "select * from queen.fire_schedule_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11,"
                    + " $12, $13, $14, $15, $16, $17)";

    private final Database database;

    ScheduleStore(Database database) {
        this.database = database;
    }

    /**
     * What a look finds.
     *
     * @param now by the clock of the database, which all servers share
     * @param first when the first schedule is to be looked at; null when none is
     */
    record Look(OffsetDateTime now, OffsetDateTime first) {}

    /** The answer of {@code fire_schedule_v1}; {@code fired} is false when it did nothing. */
    record Fired(boolean fired, PushStore.Answer pushed) {}

    Uni<OffsetDateTime> now() {
        return database.one(NOW, row -> row.getOffsetDateTime(0));
    }

    Uni<Look> look() {
        return database.one(LOOK, row -> new Look(row.getOffsetDateTime(0), row.getOffsetDateTime(1)));
    }

    /** Some of those to be looked at by then, in a random order. */
    Uni<List<Schedule>> due(OffsetDateTime until, int rows, long bytes) {
        return database.list(DUE, ScheduleStore::schedule, until, rows, bytes);
    }

    /** Null when there is none. */
    Uni<Schedule> find(String name) {
        return database.one(FIND, ScheduleStore::schedule, name);
    }

    /** By name, without payloads. Null for any queue, and for a caller that may see all. */
    Uni<List<Schedule>> list(String queue, String prefix, String[] visible, Page page) {
        return database.list(LIST, ScheduleStore::schedule, queue, prefix, visible, page.limit(), page.offset());
    }

    /** Creates it, or replaces the one of that version; false when there is another by now. */
    Uni<Boolean> put(Schedule schedule) {
        return changed(
                PUT,
                schedule.name(),
                schedule.queue(),
                schedule.partition(),
                schedule.payload(),
                schedule.headers(),
                schedule.cron(),
                schedule.timeZone(),
                schedule.intervalSeconds(),
                schedule.start(),
                schedule.missed().text(),
                schedule.paused(),
                schedule.nextAt(),
                schedule.producerSub(),
                schedule.version());
    }

    Uni<Boolean> pause(Schedule schedule) {
        return changed(PAUSE, schedule.name(), schedule.version());
    }

    Uni<Boolean> resume(Schedule schedule, Instant next) {
        return changed(RESUME, schedule.name(), schedule.version(), utc(next));
    }

    Uni<Boolean> delete(Schedule schedule) {
        return changed(DELETE, schedule.name(), schedule.version());
    }

    /** False when there is no longer one of that version. */
    private Uni<Boolean> changed(String sql, Object... arguments) {
        return database.<Boolean>one(sql, row -> true, arguments)
                .onItem()
                .ifNull()
                .continueWith(false);
    }

    /** It was run because a caller asked for it. */
    Uni<Void> ran(String name, OffsetDateTime at, String error) {
        return database.run(RAN, name, at, error);
    }

    /** It could not be fired: it is looked at again a few seconds later. */
    Uni<Void> postpone(Schedule schedule, String error) {
        return database.run(POSTPONE, schedule.name(), schedule.version(), schedule.nextAt(), error);
    }

    static Uni<Fired> fire(Connection connection, PushStore.Call push, Schedule schedule, DueTimes due) {
        Tuple arguments = PushStore.arguments(push)
                .addValue(schedule.name())
                .addValue(schedule.version())
                .addValue(schedule.nextAt())
                .addValue(due.times().stream().map(ScheduleStore::utc).toArray(OffsetDateTime[]::new))
                .addValue(utc(due.next()));
        return connection.query(FIRE, arguments).map(rows -> {
            Row row = rows.iterator().next();
            return new Fired(row.getBoolean(5), PushStore.answer(row, true));
        });
    }

    private static OffsetDateTime utc(Instant time) {
        return time == null ? null : time.atOffset(ZoneOffset.UTC);
    }

    private static Schedule schedule(Row row) {
        return new Schedule(
                row.getString(0),
                row.getString(1),
                row.getString(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getInteger(7),
                row.getOffsetDateTime(8),
                Missed.of(row.getString(9)),
                row.getBoolean(10),
                row.getOffsetDateTime(11),
                row.getOffsetDateTime(12),
                row.getOffsetDateTime(13),
                row.getString(14),
                row.getString(15),
                row.getLong(16),
                row.getOffsetDateTime(17),
                row.getOffsetDateTime(18));
    }
}
