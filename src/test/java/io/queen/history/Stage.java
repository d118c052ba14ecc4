package io.queen.history;

import java.util.concurrent.atomic.AtomicInteger;

/** How far a run is: load, then only consuming, then the end. And how often something broke. */
final class Stage {
    private enum Name {
        LOAD,
        DRAIN,
        OVER
    }

    private final AtomicInteger disturbances = new AtomicInteger();
    private volatile Name name = Name.LOAD;

    boolean loading() {
        return name == Name.LOAD;
    }

    boolean over() {
        return name == Name.OVER;
    }

    void drain() {
        name = Name.DRAIN;
    }

    void end() {
        name = Name.OVER;
    }

    /** Something begins or ends after which a request of before may still be on its way. */
    void disturbed() {
        disturbances.incrementAndGet();
    }

    int disturbances() {
        return disturbances.get();
    }
}
