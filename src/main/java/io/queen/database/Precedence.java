package io.queen.database;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Messages first. Each event loop needs one connection to serve any. While one of them has none, no connection is
 * opened for anything else, and when PostgreSQL refuses it one, because a limit is reached, all connections for anything
 * else are closed. They are opened again with what the event loops leave. Shared by all threads: short synchronised sections, what runs outside of them does not wait.
 */
final class Precedence {
    private final Set<Object> without = new HashSet<>();
    private final List<Runnable> waiting = new ArrayList<>();
    private final List<Runnable> onYield = new CopyOnWriteArrayList<>();
    private boolean limited;

    /** That loop has no connection. */
    synchronized void lacks(Object loop) {
        without.add(loop);
    }

    /** That loop has one. */
    void has(Object loop) {
        List<Runnable> next = new ArrayList<>();
        synchronized (this) {
            without.remove(loop);
            if (without.isEmpty()) {
                limited = false;
                next.addAll(waiting);
                waiting.clear();
            }
        }
        next.forEach(Runnable::run);
    }

    /** Whether every loop has one. */
    synchronized boolean served() {
        return without.isEmpty();
    }

    /** Whether PostgreSQL has refused one to a loop that has none. */
    synchronized boolean limited() {
        return limited;
    }

    /** Runs the action when every loop has one: now, or later on the thread of the last. */
    void whenServed(Runnable action) {
        synchronized (this) {
            if (!without.isEmpty()) {
                waiting.add(action);
                return;
            }
        }
        action.run();
    }

    /** What closes connections that are not for messages, when these are needed. */
    void onYield(Runnable action) {
        onYield.add(action);
    }

    /** That loop was refused one; true when it has none, and the others were told to give way. */
    boolean refused(Object loop) {
        synchronized (this) {
            if (!without.contains(loop)) {
                return false;
            }
            limited = true;
        }
        onYield.forEach(Runnable::run);
        return true;
    }
}
