package io.queen.history;

import java.util.Random;

/** Takes messages without a lease: each at most once. */
final class CarelessConsumer extends Actor {
    private final String group;
    private final String queue;

    CarelessConsumer(Session session, Stage stage, Random random, String group, String queue) {
        super(session, stage, random);
        this.group = group;
        this.queue = queue;
    }

    @Override
    void step() {
        String parameters = "&autoAck=true&wait=true&timeout=300&batch=" + (1 + random.nextInt(20));
        if (session.pop(anyServer(), queue, group, parameters).outcome() != Outcome.APPLIED) {
            think(20);
        }
    }
}
