package io.queen.testing;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Holds a server that starts in the middle of its migration, at the table of migrations, and cuts its sessions there. */
public final class HeldStart implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final String WAITING = "select pid from pg_stat_activity"
            + " where application_name = 'queen-schema' and wait_event_type = 'Lock'"
            + " and datname = current_database()";

    private final Sql holder;
    private final Sql other;
    private final Set<Object> cut = new HashSet<>();

    /** On a schema that is in place. */
    public HeldStart(Supplier<Sql> database) {
        this.other = database.get();
        this.holder = database.get().begin();
        holder.run("lock table queen.flyway_schema_history in access exclusive mode");
    }

    /** Waits until the server stands at the table, and cuts the session in which it does. */
    public void cut() {
        await().atMost(LIMIT).pollInterval(Duration.ofMillis(20)).until(this::cutOne);
    }

    private boolean cutOne() {
        boolean found = false;
        for (Map<String, Object> session : other.rows(WAITING)) {
            found |= cut.add(session.get("pid"));
            other.run("select pg_terminate_backend(?)", session.get("pid"));
        }
        return found;
    }

    /** Lets it go on. */
    public void release() {
        holder.close();
    }

    @Override
    public void close() {
        release();
        other.close();
    }
}
