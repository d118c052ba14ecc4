package io.queen.admin.queue;

import io.queen.database.Database;
import io.queen.pause.PauseKeeper;
import io.queen.pop.PopMachine;
import io.queen.push.QueueRules;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonObject;
import jakarta.inject.Singleton;

/** Configures and deletes queues. */
@Singleton
public final class Queues {
    private final Database database;
    private final QueueRules rules;
    private final PopMachine machine;
    private final Purge purge;
    private final PauseKeeper pauses;

    Queues(Database database, QueueRules rules, PopMachine machine, Purge purge, PauseKeeper pauses) {
        this.pauses = pauses;
        this.machine = machine;
        this.database = database;
        this.rules = rules;
        this.purge = purge;
    }

    /** Creates the queue or replaces its whole configuration. */
    public Uni<QueueIds> configure(String name, String namespace, String task, QueueOptions options) {
        return QueueStore.configure(database.general(), name, namespace, task, json(options))
                .invoke(() -> rules.forget(name));
    }

    /** Deletes the queue and all that belongs to it; false when there was none. */
    public Uni<Boolean> delete(String name) {
        return QueueStore.delete(database.general(), name)
                .call(pauses::lookAfterDeletion)
                .invoke(existed -> {
                    rules.forget(name);
                    machine.forget(name);
                    if (existed) {
                        purge.start();
                    }
                });
    }

    private static JsonObject json(QueueOptions options) {
        return new JsonObject()
                .put("leaseTime", options.leaseTime())
                .put("retryLimit", options.retryLimit())
                .put("retryDelay", options.retryDelay())
                .put("maxSize", options.maxSize())
                .put("ttl", options.ttl())
                .put("deadLetterQueue", options.deadLetterQueue())
                .put("dlqAfterMaxRetries", options.dlqAfterMaxRetries())
                .put("priority", options.priority())
                .put("delayedProcessing", options.delayedProcessing())
                .put("windowBuffer", options.windowBuffer())
                .put("retentionSeconds", options.retentionSeconds())
                .put("completedRetentionSeconds", options.completedRetentionSeconds())
                .put("retentionEnabled", options.retentionEnabled())
                .put("encryptionEnabled", options.encryptionEnabled())
                .put("maxWaitTimeSeconds", options.maxWaitTimeSeconds());
    }
}
