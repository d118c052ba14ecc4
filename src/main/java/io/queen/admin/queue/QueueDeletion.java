package io.queen.admin.queue;

import io.quarkus.runtime.StartupEvent;
import io.queen.database.Schema;
import io.queen.metrics.Complaints;
import io.queen.pause.PauseKeeper;
import io.queen.pop.ready.PartitionNews;
import io.queen.push.QueueRules;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Deletes queues. Their messages are removed afterwards, a small portion at a time, so that a deletion answers at once
 * whatever the queue held. What a stopped server leaves behind is taken up at the next deletion or start.
 */
@Singleton
final class QueueDeletion {
    private static final int PORTION = 5000;

    private final QueueStore store;
    private final Schema schema;
    private final QueueRules rules;
    private final PartitionNews news;
    private final PauseKeeper pauses;
    private final Complaints complaints;

    QueueDeletion(
            QueueStore store,
            Schema schema,
            QueueRules rules,
            PartitionNews news,
            PauseKeeper pauses,
            Complaints complaints) {
        this.store = store;
        this.schema = schema;
        this.rules = rules;
        this.news = news;
        this.pauses = pauses;
        this.complaints = complaints;
    }

    void takeUp(@Observes StartupEvent event) {
        schema.onReady(this::purge);
    }

    /** Deletes the queue and all that belongs to it; false when there was none. */
    Uni<Boolean> delete(String name) {
        return store.delete(name).call(pauses::lookAfterDeletion).invoke(existed -> {
            rules.forget(name);
            news.queueDeleted(name);
            if (existed) {
                purge();
            }
        });
    }

    private void purge() {
        store.purge(PORTION)
                .subscribe()
                .with(
                        removed -> {
                            if (removed == PORTION) {
                                purge();
                            }
                        },
                        failure -> complaints.failed("Messages of deleted queues are not removed", failure));
    }
}
