package io.queen.retention;

import io.quarkus.runtime.StartupEvent;
import io.queen.database.Schema;
import io.queen.runtime.PeriodicTasks;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.ArrayDeque;
import java.util.Deque;

/** Keeps the push log short: no server asks for what is older than a minute. */
@Singleton
final class PushLogTrim {
    private static final long EVERY_MS = 10_000;
    /** Marks that are kept: six of ten seconds each, twice as long as ready partitions trust their own mark. */
    private static final int MARKS = 6;

    private final PeriodicTasks tasks;
    private final Schema schema;
    private final RetentionStore store;
    private final Deque<String> marks = new ArrayDeque<>();

    PushLogTrim(PeriodicTasks tasks, Schema schema, RetentionStore store) {
        this.tasks = tasks;
        this.schema = schema;
        this.store = store;
    }

    void start(@Observes StartupEvent event) {
        schema.onReady(tasks.every(EVERY_MS, "The push log is not trimmed", this::trim)::start);
    }

    private Uni<String> trim() {
        return store.trimPushLog(marks.size() < MARKS ? null : marks.pollFirst())
                .invoke(marks::addLast);
    }
}
