package io.queen.admin;

import io.quarkus.runtime.StartupEvent;
import io.queen.store.Database;
import io.queen.store.QueueStore;
import io.queen.store.Schema;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/**
 * Removes the messages of deleted queues, a small portion at a time, so that a deletion answers at once whatever the
 * queue held. What a stopped server leaves behind is taken up at the next deletion or start.
 */
@Singleton
final class Purge {
    private static final Logger LOG = Logger.getLogger(Purge.class);
    private static final int PORTION = 5000;

    private final Database database;
    private final Schema schema;

    Purge(Database database, Schema schema) {
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
                        failure -> LOG.debugf("Purge put off: %s", failure.getMessage()));
    }
}
