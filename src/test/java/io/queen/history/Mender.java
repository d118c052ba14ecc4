package io.queen.history;

import java.util.List;
import java.util.Random;

/** A consumer that gives up many messages, and has them given back to its group now and then. */
final class Mender extends Worker {
    private final String queue;

    Mender(Session session, Stage stage, Random random, String group, String queue, List<String> targets) {
        super(session, stage, random, group, targets);
        this.queue = queue;
    }

    @Override
    void step() {
        if (stage.loading() && percent(5)) {
            session.redrive(anyServer(), group, queue);
        }
        super.step();
    }

    @Override
    void handle(Batch batch) {
        if (stage.loading() && percent(20)) {
            oneIs("dlq", batch);
        } else {
            super.handle(batch);
        }
    }
}
