package io.queen.history;

import java.util.List;
import java.util.Random;

/** Consumes from one queue and pushes to another, both in one transaction. */
final class Mover extends Worker {
    private final String name;
    private final List<String> targetLanes;
    private final int leaseSeconds;
    private int number;

    Mover(
            Session session,
            Stage stage,
            Random random,
            String name,
            String group,
            String source,
            List<String> targetLanes,
            int leaseSeconds) {
        super(session, stage, random, group, List.of(source));
        this.name = name;
        this.targetLanes = targetLanes;
        this.leaseSeconds = leaseSeconds;
    }

    @Override
    void handle(Batch batch) {
        if (stage.loading() && percent(3)) {
            // Too late: another has the messages by now, and this transaction must not be applied.
            think(leaseSeconds * 1000 + 500);
        }
        String lane = targetLanes.get(random.nextInt(targetLanes.size()));
        List<String> ids =
                batch.transactionIds().stream().map(id -> name + "-" + ++number).toList();
        session.move(anyServer(), batch, lane, ids);
    }
}
