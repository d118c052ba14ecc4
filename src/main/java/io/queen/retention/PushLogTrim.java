package io.queen.retention;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.queen.database.Schema;
import io.queen.metrics.Complaints;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.ArrayDeque;
import java.util.Deque;

/** Keeps the push log short: what is older than a minute no server asks for any more. */
@Singleton
final class PushLogTrim {
    private static final long EVERY_MS = 10_000;
    /** Marks that are kept: six of ten seconds each, twice what a ring trusts its own mark. */
    private static final int MARKS = 6;

    private final Vertx vertx;
    private final Schema schema;
    private final TrimStore store;
    private final Complaints complaints;
    private volatile long timer = -1;
    private final Deque<String> marks = new ArrayDeque<>();

    PushLogTrim(Vertx vertx, Schema schema, TrimStore store, Complaints complaints) {
        this.complaints = complaints;
        this.vertx = vertx;
        this.schema = schema;
        this.store = store;
    }

    void start(@Observes StartupEvent event) {
        schema.whenReady().subscribe().with(ready -> timer = vertx.setPeriodic(EVERY_MS, ignored -> trim()));
    }

    void stop(@Observes ShutdownEvent event) {
        vertx.cancelTimer(timer);
    }

    private void trim() {
        store.trim(marks.size() < MARKS ? null : marks.pollFirst())
                .subscribe()
                .with(marks::addLast, failure -> complaints.failed("The push log is not trimmed", failure));
    }
}
