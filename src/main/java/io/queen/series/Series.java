package io.queen.series;

import io.queen.database.Connection;
import io.queen.database.Database;
import io.queen.message.TimeRange;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;

/** What happened over time, as JSON text. Null for a queue, namespace, task, host or worker is any. */
@Singleton
public final class Series {
    private final Connection connection;

    Series(Database database) {
        this.connection = database.general();
    }

    public Uni<String> status(TimeRange range, String queue, String namespace, String task) {
        return SeriesStore.status(connection, range, queue, namespace, task);
    }

    /** Messages created per {@code minute}, {@code hour} or {@code day}. */
    public Uni<String> created(TimeRange range, String interval, String queue, String namespace, String task) {
        return SeriesStore.created(connection, range, interval, queue, namespace, task);
    }

    public Uni<String> system(TimeRange range, String hostname, String worker) {
        return SeriesStore.system(connection, range, hostname, worker);
    }

    public Uni<String> workers(TimeRange range, String hostname, String worker) {
        return SeriesStore.workers(connection, range, hostname, worker);
    }

    public Uni<String> queueLag(TimeRange range, String queue) {
        return SeriesStore.queueLag(connection, range, queue);
    }

    public Uni<String> queueOps(TimeRange range, String queue) {
        return SeriesStore.queueOps(connection, range, queue);
    }

    public Uni<String> parked(TimeRange range, String queue) {
        return SeriesStore.parked(connection, range, queue);
    }

    public Uni<String> retention(TimeRange range, String queue) {
        return SeriesStore.retention(connection, range, queue);
    }

    public Uni<String> postgres() {
        return SeriesStore.postgres(connection);
    }
}
