package io.queen.admin.queue;

import io.quarkus.runtime.StartupEvent;
import io.queen.database.Database;
import io.queen.database.Schema;
import io.queen.metrics.Complaints;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Removes the messages of deleted queues, a small portion at a time, so that a deletion answers at once whatever the
 * queue held. What a stopped server leaves behind is taken up at the next deletion or start.
 */
@Singleton
final class Purge {
    private static final int PORTION = 5000;

    private final Database database;
    private final Schema schema;
    private final Complaints complaints;

    Purge(Database database, Schema schema, Complaints complaints) {
        this.complaints = complaints;
        this.database = database;
        this.schema = schema;
    }

    void takeUp(@Observes StartupEvent event) {
        schema.whenReady().subscribe().with(ready -> start());
    }

    void start() {
        QueueStore.purge(database.general(), PORTION)
                .subscribe()
                .with(
                        removed -> {
                            if (removed == PORTION) {
                                start();
                            }
                        },
                        failure -> complaints.failed("Messages of deleted queues are not removed", failure));
    }
}
