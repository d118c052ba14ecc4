package io.queen.pop.ready;

import io.quarkus.runtime.StartupEvent;
import io.queen.database.Database;
import io.queen.database.Schema;
import io.queen.runtime.PeriodicTasks;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Looks into the push log for ready partitions that no pop asked for in a while, so that what they know never grows older than the
 * log: the next pop, however late, need not scan the queue again.
 */
@Singleton
final class ReadyIndexRefresher {
    private static final long EVERY_MS = 10_000;
    private static final int AT_ONCE = 500;

    private final PeriodicTasks tasks;
    private final Schema schema;
    private final Database database;
    private final ReadyIndex index;

    ReadyIndexRefresher(PeriodicTasks tasks, Schema schema, Database database, ReadyIndex index) {
        this.tasks = tasks;
        this.schema = schema;
        this.database = database;
        this.index = index;
    }

    void start(@Observes StartupEvent event) {
        schema.onReady(tasks.every(EVERY_MS, "What partitions have news is not looked up", this::keep)::start);
    }

    private Uni<Void> keep() {
        return ask(index.aging(EVERY_MS, System.nanoTime()), 0);
    }

    /** Asks for some after the others, from that one on, by the time of each question. */
    private Uni<Void> ask(List<ReadyPartitions> aging, int from) {
        if (from >= aging.size()) {
            return Uni.createFrom().voidItem();
        }
        long now = System.nanoTime();
        List<ReadyPartitions> some = aging.subList(from, Math.min(from + AT_ONCE, aging.size())).stream()
                .filter(ready -> ready.question(now).mark() != null)
                .toList();
        List<ReadyQuestions.Question> questions =
                some.stream().map(ready -> ready.question(now)).toList();
        return ReadyStore.on(database)
                .changesSince(questions)
                .invoke(answers -> {
                    for (int i = 0; i < some.size(); i++) {
                        some.get(i).answer(questions.get(i), answers.get(i), now, System.nanoTime());
                    }
                })
                .flatMap(done -> ask(aging, from + AT_ONCE));
    }
}
