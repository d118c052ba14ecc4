package io.queen.schedule;

import io.netty.channel.EventLoop;
import io.quarkus.runtime.StartupEvent;
import io.queen.database.Schema;
import io.queen.message.PushResult;
import io.queen.message.QueenException;
import io.queen.metrics.Complaints;
import io.queen.metrics.MessageCounting;
import io.queen.pop.ready.PartitionNews;
import io.queen.runtime.EventLoops;
import io.queen.runtime.MaintenanceFlags;
import io.queen.runtime.PeriodicTask;
import io.queen.runtime.PeriodicTasks;
import io.queen.schedule.ScheduleMetrics.Result;
import io.queen.schedule.ScheduleStore.Look;
import io.queen.sidecar.Sidecar;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Looks for schedules that are due, by the clock of the database, and fires them in portions. All servers do, and share the
 * work by chance: each takes due schedules in a random order and wakes a moment after the due time that is its own; what
 * another was faster with costs a call that does nothing.
 *
 * <p>The due times are computed on a worker thread, the messages go the way of a push, through the sidecars.
 */
@Singleton
final class Firing {
    /** Schedules of one look, and characters of their payloads: what is in memory at a time. */
    private static final int PORTION = 500;

    private static final long PORTION_BYTES = 8_000_000;
    /** Due times of one schedule that one call makes up for, and characters of their messages. */
    private static final int TIMES = 100;

    private static final int TIMES_BYTES = 1_000_000;
    /** Until the next look at the latest: what another server has changed is seen by then. */
    private static final long LOOK_MS = 2000;
    /** Between two portions. */
    private static final long PAUSE_MS = 20;
    /** When others were faster with all of a portion. */
    private static final long OTHERS_MS = 200;
    /** Servers that sleep until the same moment wake one after the other. */
    private static final int SPREAD_MS = 50;

    /** What takes longer is not waited for. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final String COMPLAINT = "A schedule can't be fired";

    private final ScheduleStore store;
    private final FireOperation operation;
    private final Sidecar sidecar;
    private final EventLoops loops;
    private final Vertx vertx;
    private final MaintenanceFlags flags;
    private final PartitionNews news;
    private final MessageCounting counting;
    private final ScheduleMetrics metrics;
    private final Complaints complaints;
    private final Schema schema;
    private final PeriodicTask task;
    private final Set<String> underWay = ConcurrentHashMap.newKeySet();

    Firing(
            ScheduleStore store,
            FireOperation operation,
            Sidecar sidecar,
            EventLoops loops,
            Vertx vertx,
            MaintenanceFlags flags,
            PartitionNews news,
            MessageCounting counting,
            ScheduleMetrics metrics,
            Complaints complaints,
            Schema schema,
            PeriodicTasks tasks) {
        this.store = store;
        this.operation = operation;
        this.sidecar = sidecar;
        this.loops = loops;
        this.vertx = vertx;
        this.flags = flags;
        this.news = news;
        this.counting = counting;
        this.metrics = metrics;
        this.complaints = complaints;
        this.schema = schema;
        this.task =
                tasks.paced(LOOK_MS, "Schedules are not fired", this::run).sayingWhenBack("Schedules are fired again");
    }

    /** A schedule with what is due of it; {@code due} is null when that can't be told, because of {@code flaw}. */
    private record Planned(Schedule schedule, DueTimes due, Throwable flaw) {}

    void start(@Observes StartupEvent event) {
        schema.onReady(task::start);
    }

    /** Something was changed here, which may be due sooner than anything before. */
    void changed() {
        task.runNow();
    }

    /** Gives the milliseconds until the next. While pushes are held back nothing is fired: it is as after an outage. */
    private Uni<Long> run() {
        if (flags.push()) {
            return Uni.createFrom().item(LOOK_MS);
        }
        return store.look().flatMap(look -> {
            long until = look.first() == null
                    ? LOOK_MS
                    : Duration.between(look.now(), look.first()).toMillis();
            return until > 0
                    ? Uni.createFrom().item(Math.min(LOOK_MS, until + spread()))
                    : portion(look, System.nanoTime());
        });
    }

    private static int spread() {
        return 1 + ThreadLocalRandom.current().nextInt(SPREAD_MS);
    }

    private Uni<Long> portion(Look look, long lookedAt) {
        Instant now = look.now().toInstant();
        return store.due(look.now(), PORTION, PORTION_BYTES)
                .flatMap(found -> Uni.createFrom()
                        .completionStage(() -> vertx.executeBlocking(
                                        () -> found.stream()
                                                .map(each -> plan(each, now))
                                                .toList(),
                                        false)
                                .toCompletionStage()))
                .flatMap(planned -> fireAll(planned, now, lookedAt));
    }

    private static Planned plan(Schedule schedule, Instant now) {
        int limit = Math.max(1, Math.min(TIMES, TIMES_BYTES / Math.max(1, schedule.bytes())));
        try {
            Instant next = schedule.nextAt().toInstant();
            return new Planned(schedule, DueTimes.of(schedule.timing(), next, schedule.missed(), now, limit), null);
        } catch (RuntimeException e) {
            // A time zone that this server does not know, or whatever the library stumbles over: no other schedule
            // suffers.
            return new Planned(schedule, null, e);
        }
    }

    /** One that waits for a lock which is held outside of Queen does not hold up the others: it is left under way. */
    private Uni<Long> fireAll(List<Planned> planned, Instant now, long lookedAt) {
        List<Uni<Boolean>> all = new ArrayList<>();
        for (Planned one : planned) {
            if (underWay.add(one.schedule().name())) {
                EventLoop loop = loops.all().get(all.size() % loops.all().size());
                all.add(loops.on(loop, () -> attempt(one, now, lookedAt))
                        .ifNoItem()
                        .after(PATIENCE)
                        .recoverWithItem(false));
            }
        }
        return all.isEmpty()
                ? Uni.createFrom().item(OTHERS_MS)
                : Uni.join().all(all).andFailFast().map(fired -> fired.contains(true) ? PAUSE_MS : OTHERS_MS);
    }

    private Uni<Boolean> attempt(Planned planned, Instant now, long lookedAt) {
        Schedule schedule = planned.schedule();
        Uni<Boolean> fired = planned.due() == null ? failed(schedule, planned.flaw()) : fire(planned, now, lookedAt);
        return fired.onFailure()
                .recoverWithUni(failure -> failed(schedule, failure))
                .onTermination()
                .invoke(() -> underWay.remove(schedule.name()));
    }

    /** Whether this server has fired it. On an event loop. */
    private Uni<Boolean> fire(Planned planned, Instant now, long lookedAt) {
        FireOperation.Request request = FireOperation.Request.of(planned.schedule(), planned.due(), sidecar.ids());
        return sidecar.submit(operation, request).map(outcome -> {
            announce(request, outcome);
            if (outcome.fired()) {
                counting.pushed(request.pushes().items(), outcome.results());
                Instant newest = planned.due().times().isEmpty()
                        ? now
                        : planned.due().times().get(planned.due().times().size() - 1);
                metrics.fired(outcome.results(), Duration.between(newest, now).plusNanos(System.nanoTime() - lookedAt));
                if (planned.due().skipped()) {
                    metrics.count(Result.MISSED);
                }
            }
            return outcome.fired();
        });
    }

    /** Also when the call did nothing because one before it, whose answer was lost, had done it. */
    private void announce(FireOperation.Request request, FireOperation.Outcome outcome) {
        if (!outcome.fired() && !outcome.again()) {
            return;
        }
        outcome.results().stream()
                .filter(result -> result.status() == PushResult.Status.QUEUED)
                .findFirst()
                .ifPresent(result -> news.pushed(request.schedule().target(), result.partitionId()));
    }

    private Uni<Boolean> failed(Schedule schedule, Throwable failure) {
        complaints.failed(COMPLAINT, failure);
        metrics.count(Result.FAILED);
        String told = failure instanceof QueenException known
                ? known.getMessage()
                : "Something went wrong in the server, its log has more";
        return store.postpone(schedule, told).replaceWith(false);
    }
}
