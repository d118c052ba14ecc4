package io.queen.schedule;

import io.queen.message.ErrorCode;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.message.QueenException;
import io.queen.push.Pushes;
import io.queen.runtime.MaintenanceFlags;
import io.queen.schedule.ScheduleReader.Wanted;
import io.queen.security.Caller;
import io.queen.security.Right;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;

/**
 * Changes schedules. Each change is made to the version that was read and judged; when another change came first, it is read
 * again.
 */
@Singleton
final class Schedules {
    private static final int MAX_TRIES = 5;

    private final ScheduleStore store;
    private final Firing firing;
    private final Pushes pushes;
    private final MaintenanceFlags flags;

    Schedules(ScheduleStore store, Firing firing, Pushes pushes, MaintenanceFlags flags) {
        this.store = store;
        this.firing = firing;
        this.pushes = pushes;
        this.flags = flags;
    }

    /** A run that was asked for. */
    record Run(PushItem item, PushResult result) {}

    /** Creates or replaces it; whether it is new. */
    Uni<Boolean> put(String name, Wanted wanted, Caller caller) {
        return change(
                name,
                (old, now) -> {
                    if (old != null) {
                        caller.require(Right.MANAGE, old.queue());
                    }
                    return store.put(schedule(name, wanted, old, now, caller.subject()))
                            .map(done -> done ? old == null : null);
                },
                MAX_TRIES);
    }

    Uni<Boolean> pause(String name, Caller caller) {
        return changeKnown(name, caller, (old, now) -> store.pause(old));
    }

    Uni<Boolean> resume(String name, Caller caller) {
        return changeKnown(
                name,
                caller,
                (old, now) ->
                        store.resume(old, old.paused() ? afterPause(old, old.timing(), now) : instant(old.nextAt())));
    }

    Uni<Boolean> delete(String name, Caller caller) {
        return changeKnown(name, caller, (old, now) -> store.delete(old));
    }

    /** Pushes the message now, paused or not, beside its due times. On an event loop. */
    Uni<Run> run(String name, Caller caller) {
        if (flags.push()) {
            return Uni.createFrom()
                    .failure(new QueenException(ErrorCode.CONFLICT, "Pushes are held back by maintenance"));
        }
        return store.now()
                .flatMap(now -> find(name, caller, Right.MANAGE).flatMap(found -> {
                    PushItem item = found.itemNow(now);
                    return pushes.push(List.of(item))
                            .map(results -> new Run(item, results.get(0)))
                            .call(run -> store.ran(name, now, run.result().error()));
                }));
    }

    /** One that is there, and on whose queue the caller has the right. */
    Uni<Schedule> find(String name, Caller caller, Right right) {
        return store.find(name).invoke(found -> require(found, name, caller, right));
    }

    private static void require(Schedule found, String name, Caller caller, Right right) {
        if (found == null) {
            throw new QueenException(ErrorCode.SCHEDULE_NOT_FOUND, "Schedule not found: " + name);
        }
        caller.require(right, found.queue());
    }

    private Uni<Boolean> changeKnown(
            String name, Caller caller, BiFunction<Schedule, OffsetDateTime, Uni<Boolean>> change) {
        return change(
                name,
                (old, now) -> {
                    require(old, name, caller, Right.MANAGE);
                    return change.apply(old, now).map(done -> done ? true : null);
                },
                MAX_TRIES);
    }

    /** The change gives null when the version that it got is not the current one any more. */
    private Uni<Boolean> change(String name, BiFunction<Schedule, OffsetDateTime, Uni<Boolean>> change, int tries) {
        if (tries == 0) {
            return Uni.createFrom()
                    .failure(new QueenException(ErrorCode.CONFLICT, "Others change the schedule at the same time"));
        }
        return store.now()
                .flatMap(now -> store.find(name).flatMap(old -> change.apply(old, now)))
                .flatMap(done -> done == null
                        ? change(name, change, tries - 1)
                        : Uni.createFrom().item(done))
                .invoke(firing::changed);
    }

    /** What is due stays due while the times do not change: it may be put at each deployment. */
    private static Schedule schedule(String name, Wanted wanted, Schedule old, OffsetDateTime now, String producerSub) {
        OffsetDateTime start = start(wanted, old, now);
        boolean paused = wanted.paused() == null ? old != null && old.paused() : wanted.paused();
        Timing timing = wanted.cron() == null
                ? Timing.interval(start.toInstant(), wanted.intervalSeconds())
                : Timing.cron(wanted.cron(), wanted.timeZone());
        Instant next;
        if (old == null || !sameTimes(wanted, start, old)) {
            next = timing.next(now.toInstant());
        } else {
            next = old.paused() && !paused ? afterPause(old, timing, now) : instant(old.nextAt());
        }
        if (next == null) {
            throw QueenException.invalid("cron", "has no time to come");
        }
        return new Schedule(
                name,
                wanted.queue(),
                wanted.partition(),
                wanted.payload(),
                wanted.headers(),
                wanted.cron(),
                wanted.timeZone(),
                wanted.intervalSeconds(),
                start,
                wanted.missed(),
                paused,
                next.atOffset(ZoneOffset.UTC),
                null,
                null,
                null,
                producerSub,
                old == null ? 0 : old.version(),
                null,
                null);
    }

    private static OffsetDateTime start(Wanted wanted, Schedule old, OffsetDateTime now) {
        if (wanted.cron() != null || wanted.start() != null) {
            return wanted.start();
        }
        return old != null && wanted.intervalSeconds().equals(old.intervalSeconds())
                ? old.start()
                : now.truncatedTo(ChronoUnit.SECONDS);
    }

    private static boolean sameTimes(Wanted wanted, OffsetDateTime start, Schedule old) {
        return Objects.equals(wanted.cron(), old.cron())
                && Objects.equals(wanted.timeZone(), old.timeZone())
                && Objects.equals(wanted.intervalSeconds(), old.intervalSeconds())
                && Objects.equals(instant(start), instant(old.start()));
    }

    private static Instant afterPause(Schedule old, Timing timing, OffsetDateTime now) {
        return DueTimes.afterPause(timing, instant(old.nextAt()), old.missed(), now.toInstant());
    }

    private static Instant instant(OffsetDateTime time) {
        return time == null ? null : time.toInstant();
    }
}
