package io.queen.runtime;

import jakarta.inject.Singleton;

/** Whether pushes and pops are held back, as an operator said last. Read by every push and pop: volatile, no lock. */
@Singleton
public final class MaintenanceFlags {
    private volatile boolean push;
    private volatile boolean pop;

    /** Pushes go to the file buffer, the database is left alone. */
    public boolean push() {
        return push;
    }

    /** Pops answer empty at once. */
    public boolean pop() {
        return pop;
    }

    public void set(boolean push, boolean pop) {
        this.push = push;
        this.pop = pop;
    }
}
