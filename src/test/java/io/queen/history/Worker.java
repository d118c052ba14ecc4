package io.queen.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * A consumer of a group. Most batches it completes; of others one fails, is to be tried again or is dead; some it
 * renews, some it leaves half done or forgets, and their lease runs out. While the run drains it is well-behaved.
 */
class Worker extends Actor {
    private static final int MAX_BATCH = 6;

    final String group;
    private final List<String> targets;

    /** @param targets queues, or partitions as {@code queue/partition} */
    Worker(Session session, Stage stage, Random random, String group, List<String> targets) {
        super(session, stage, random);
        this.group = group;
        this.targets = targets;
    }

    @Override
    void step() {
        String target = targets.get(random.nextInt(targets.size()));
        String several = percent(10) ? "&partitions=3" : "";
        String parameters = "&batch=" + (1 + random.nextInt(MAX_BATCH)) + "&wait=true&timeout=300" + several;
        Catch popped = session.pop(anyServer(), target, group, parameters);
        popped.batches().forEach(this::handle);
        if (popped.outcome() != Outcome.APPLIED) {
            think(20);
        }
    }

    void handle(Batch batch) {
        int fate = stage.loading() ? random.nextInt(100) : 99;
        if (fate < 10) {
            oneIs("failed", batch);
        } else if (fate < 14) {
            oneIs("retry", batch);
        } else if (fate < 17) {
            oneIs("dlq", batch);
        } else if (fate < 22) {
            complete(batch, random.nextInt(batch.size()));
        } else if (fate < 30) {
            session.renew(anyServer(), batch.leaseId(), 1 + random.nextInt(3));
            think(random.nextInt(200));
            complete(batch, batch.size());
        } else if (fate < 45) {
            oneByOne(batch);
        } else {
            complete(batch, batch.size());
        }
    }

    /** One is bad; what comes behind it is said to be completed, and must not be. */
    void oneIs(String status, Batch batch) {
        List<String> statuses = new ArrayList<>(Collections.nCopies(batch.size(), "completed"));
        statuses.set(random.nextInt(statuses.size()), status);
        session.ack(anyServer(), batch, statuses);
    }

    /** The first {@code count}; the others are left to their lease. */
    private void complete(Batch batch, int count) {
        if (count > 0) {
            session.ack(anyServer(), batch, Collections.nCopies(count, "completed"));
        }
    }

    private void oneByOne(Batch batch) {
        for (int i = 0; i < batch.size(); i++) {
            if (!session.ack(anyServer(), batch.only(i), List.of("completed"))) {
                return;
            }
        }
    }
}
