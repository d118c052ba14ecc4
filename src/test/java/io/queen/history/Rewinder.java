package io.queen.history;

import java.util.List;
import java.util.Random;

/** A consumer whose group is sent back to the beginning of the queue now and then. */
final class Rewinder extends Worker {
    private final String queue;

    Rewinder(Session session, Stage stage, Random random, String group, String queue, List<String> targets) {
        super(session, stage, random, group, targets);
        this.queue = queue;
    }

    @Override
    void step() {
        if (stage.loading() && percent(2)) {
            session.rewind(anyServer(), group, queue);
        }
        super.step();
    }
}
