package io.queen.pop.ready;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.queen.database.Database;
import io.queen.database.Schema;
import io.queen.metrics.Complaints;
import io.queen.pop.PopStore;
import io.vertx.core.Vertx;
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

    private final Vertx vertx;
    private final Schema schema;
    private final Database database;
    private final ReadyIndex rings;
    private final Complaints complaints;
    private volatile long timer = -1;

    ReadyIndexRefresher(Vertx vertx, Schema schema, Database database, ReadyIndex rings, Complaints complaints) {
        this.complaints = complaints;
        this.vertx = vertx;
        this.schema = schema;
        this.database = database;
        this.rings = rings;
    }

    /** A ring with what to ask for it. */
    record Kept(String queue, String group, ReadyPartitions ring, ReadyPartitions.Question question) {}

    void start(@Observes StartupEvent event) {
        schema.whenReady().subscribe().with(ready -> timer = vertx.setPeriodic(EVERY_MS, ignored -> keep()));
    }

    void stop(@Observes ShutdownEvent event) {
        vertx.cancelTimer(timer);
    }

    private void keep() {
        long now = System.nanoTime();
        List<Kept> aging = rings.aging(EVERY_MS, now);
        for (int start = 0; start < aging.size(); start += AT_ONCE) {
            ask(aging.subList(start, Math.min(start + AT_ONCE, aging.size())), now);
        }
    }

    private void ask(List<Kept> some, long now) {
        List<PopStore.Question> questions = new ArrayList<>(some.size());
        for (Kept kept : some) {
            questions.add(new PopStore.Question(
                    kept.queue(), kept.group(), kept.question().mark(), null, 0));
        }
        PopStore.news(database.general(), questions)
                .subscribe()
                .with(
                        answers -> {
                            for (int i = 0; i < some.size(); i++) {
                                Kept kept = some.get(i);
                                kept.ring().answer(kept.question(), answers.get(i), now, System.nanoTime());
                            }
                        },
                        failure -> complaints.failed("What partitions have news is not looked up", failure));
    }
}
