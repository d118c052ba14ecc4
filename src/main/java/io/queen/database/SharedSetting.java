package io.queen.database;

import io.queen.runtime.PeriodicTask;
import io.queen.runtime.PeriodicTasks;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Something that all servers of the database share, as this server knows it: read before the port opens, then again and
 * again. While the database is away it stays as it was last.
 */
public final class SharedSetting<T> {
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final Schema schema;
    private final Supplier<Uni<T>> read;
    private final Consumer<T> apply;
    private final PeriodicTask task;
    private long asked;
    private long applied;

    /**
     * @param complaint what it means when it can't be read
     * @param apply takes what was read, one at a time
     */
    public SharedSetting(
            Schema schema,
            PeriodicTasks tasks,
            long everyMillis,
            String complaint,
            Supplier<Uni<T>> read,
            Consumer<T> apply) {
        this.schema = schema;
        this.read = read;
        this.apply = apply;
        this.task = tasks.every(everyMillis, complaint, this::look);
    }

    /** To be called at the start of the server, after that of the schema. */
    public void start() {
        if (schema.ready()) {
            look().ifNoItem()
                    .after(LIMIT)
                    .fail()
                    .onFailure()
                    .recoverWithNull()
                    .await()
                    .indefinitely();
        }
        schema.onReady(task::start);
    }

    /** What the database has; this server knows it when this is done. */
    public Uni<T> look() {
        return Uni.createFrom().deferred(() -> {
            long number = next();
            return read.get().invoke(found -> apply(number, found));
        });
    }

    /** Looks soon, one look at a time: a slow database is not asked faster than it answers. */
    public void poll() {
        task.runNow();
    }

    /** This is what the database has since a change made here. */
    public void changed(T now) {
        apply(next(), now);
    }

    private synchronized long next() {
        return ++asked;
    }

    /** An answer that was asked for before another one that is known already is out of date. */
    private synchronized void apply(long number, T found) {
        if (number >= applied) {
            applied = number;
            apply.accept(found);
        }
    }
}
