package io.queen.history;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Somebody who does something over and over, on a thread of its own. */
abstract class Actor implements Runnable {
    final Session session;
    final Stage stage;
    final Random random;

    Actor(Session session, Stage stage, Random random) {
        this.session = session;
        this.stage = stage;
        this.random = random;
    }

    abstract void step();

    boolean goesOn() {
        return !stage.over();
    }

    @Override
    public final void run() {
        while (goesOn()) {
            step();
        }
    }

    int anyServer() {
        return random.nextInt(Installation.SERVERS);
    }

    /** Thinks for a moment, as producers and consumers do. */
    void think(int millis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    boolean percent(int chance) {
        return random.nextInt(100) < chance;
    }
}
