package io.queen.database;

import java.util.List;

/** Which of the hosts is believed to be the primary. The next one is tried when it can't be reached or is a standby. */
final class Hosts {
    private final List<DatabaseAddress.Host> all;
    private volatile int current;

    Hosts(List<DatabaseAddress.Host> all) {
        this.all = all;
    }

    int size() {
        return all.size();
    }

    DatabaseAddress.Host current() {
        return all.get(current);
    }

    /** That one is not it; said by many at once, believed once. */
    synchronized void pass(DatabaseAddress.Host host) {
        if (current().equals(host)) {
            current = (current + 1) % all.size();
        }
    }
}
