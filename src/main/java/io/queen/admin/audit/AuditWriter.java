package io.queen.admin.audit;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.queen.database.DatabaseFailure;
import io.queen.database.Schema;
import io.queen.metrics.Complaints;
import io.queen.runtime.PeriodicTask;
import io.queen.runtime.PeriodicTasks;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Brings acts to the table, after the caller has been answered: at once when none is on its way, else together with those
 * that come meanwhile. No act waits for it or fails by it. While PostgreSQL is away they wait here, up to a number; beyond
 * it the log alone has them. Called by any thread: short synchronised sections, nothing waits inside.
 */
@Singleton
final class AuditWriter {
    private static final int MAX_WAITING = 10_000;
    private static final int BATCH = 500;
    private static final long RETRY_MS = 1000;
    private static final Duration LAST_WRITE = Duration.ofSeconds(2);
    private static final String LOST = "Acts of operators are in the log, but not in queen.audit";

    private final AuditStore store;
    private final Schema schema;
    private final Complaints complaints;
    private final PeriodicTask writing;
    private final Deque<Act> waiting = new ArrayDeque<>();

    AuditWriter(AuditStore store, Schema schema, Complaints complaints, PeriodicTasks tasks) {
        this.store = store;
        this.schema = schema;
        this.complaints = complaints;
        this.writing = tasks.every(RETRY_MS, "Acts of operators can't be written to queen.audit", this::write);
    }

    void start(@Observes StartupEvent event) {
        schema.onReady(writing::start);
    }

    /** Before the pool is closed. */
    void stop(@Observes @Priority(1) ShutdownEvent event) {
        writing.stop();
        if (schema.ready()) {
            write().ifNoItem()
                    .after(LAST_WRITE)
                    .fail()
                    .onFailure()
                    .recoverWithNull()
                    .await()
                    .indefinitely();
        }
    }

    void add(Act act) {
        if (!keep(act)) {
            complaints.failed(LOST, new IllegalStateException("too many wait to be written"));
        } else if (schema.ready()) {
            writing.runNow();
        }
    }

    private synchronized boolean keep(Act act) {
        return waiting.size() < MAX_WAITING && waiting.add(act);
    }

    private Uni<Void> write() {
        List<Act> batch = batch();
        if (batch.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return store.add(batch)
                .onFailure(DatabaseFailure::isBadData)
                .recoverWithItem(failure -> {
                    complaints.failed(LOST, failure);
                    return null;
                })
                .invoke(done -> written(batch))
                .flatMap(done -> write());
    }

    private synchronized List<Act> batch() {
        return waiting.stream().limit(BATCH).toList();
    }

    /** The last write, at the end of the server, may meet one that is under way. */
    private synchronized void written(List<Act> batch) {
        for (Act act : batch) {
            if (act.equals(waiting.peekFirst())) {
                waiting.removeFirst();
            }
        }
    }
}
