package io.queen.pop.ready;

import io.quarkus.runtime.StartupEvent;
import io.queen.database.Database;
import io.queen.database.Schema;
import io.queen.runtime.PeriodicTasks;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks into the push log for rings that no pop asked for in a while, so that what they know never grows older than the
 * log: the next pop, however late, need not sweep the queue again.
 */
@Singleton
final class ReadyIndexRefresher {
    private static final long EVERY_MS = 10_000;
    private static final int AT_ONCE = 500;

    private final PeriodicTasks tasks;
    private final Schema schema;
    private final Database database;
    private final ReadyIndex rings;

    ReadyIndexRefresher(PeriodicTasks tasks, Schema schema, Database database, ReadyIndex rings) {
        this.tasks = tasks;
        this.schema = schema;
        this.database = database;
        this.rings = rings;
    }

    /** A ring with what to ask for it. */
    record Kept(String queue, String group, ReadyPartitions ring, ReadyPartitions.Question question) {}

    void start(@Observes StartupEvent event) {
        schema.onReady(tasks.every(EVERY_MS, "What partitions have news is not looked up", this::keep)::start);
    }

    private Uni<Void> keep() {
        long now = System.nanoTime();
        List<Kept> aging = rings.aging(EVERY_MS, now);
        return ask(aging, 0, now);
    }

    /** Asks for some after the other, from that one on. */
    private Uni<Void> ask(List<Kept> aging, int from, long now) {
        if (from >= aging.size()) {
            return Uni.createFrom().voidItem();
        }
        List<Kept> some = aging.subList(from, Math.min(from + AT_ONCE, aging.size()));
        return ask(some, now).flatMap(done -> ask(aging, from + AT_ONCE, now));
    }

    private Uni<Void> ask(List<Kept> some, long now) {
        List<ReadyStore.Question> questions = new ArrayList<>(some.size());
        for (Kept kept : some) {
            questions.add(new ReadyStore.Question(
                    kept.queue(), kept.group(), kept.question().mark(), null, 0));
        }
        return ReadyStore.news(database, questions)
                .invoke(answers -> {
                    for (int i = 0; i < some.size(); i++) {
                        Kept kept = some.get(i);
                        kept.ring().answer(kept.question(), answers.get(i), now, System.nanoTime());
                    }
                })
                .replaceWithVoid();
    }
}
