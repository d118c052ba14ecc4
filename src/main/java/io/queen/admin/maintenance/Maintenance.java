package io.queen.admin.maintenance;

import io.quarkus.runtime.StartupEvent;
import io.queen.database.Database;
import io.queen.database.Schema;
import io.queen.pop.ready.ReadyIndex;
import io.queen.runtime.MaintenanceFlags;
import io.queen.runtime.PeriodicTasks;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jboss.logging.Logger;

/**
 * Keeps the maintenance flags of this server as the database has them: at once when they are changed here, within a second
 * or two when they are changed through another server. While the database is away they stay as they were last.
 */
@Singleton
public final class Maintenance {
    private static final Logger LOG = Logger.getLogger(Maintenance.class);
    private static final long EVERY_MS = 1000;
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final Database database;
    private final Schema schema;
    private final MaintenanceFlags flags;
    private final ReadyIndex index;
    private final PeriodicTasks tasks;
    /** Counts changes made here: an answer that was asked for before such a change is out of date. */
    private final AtomicLong changes = new AtomicLong();

    public Maintenance(
            Database database, Schema schema, MaintenanceFlags flags, ReadyIndex index, PeriodicTasks tasks) {
        this.database = database;
        this.schema = schema;
        this.flags = flags;
        this.index = index;
        this.tasks = tasks;
    }

    /**
     * After the schema (1) and the sidecars (2), which need connections first: a server that starts in maintenance is in
     * it when its port opens.
     */
    void start(@Observes @Priority(3) StartupEvent event) {
        if (schema.ready()) {
            look().ifNoItem()
                    .after(LIMIT)
                    .fail()
                    .onFailure()
                    .recoverWithNull()
                    .await()
                    .indefinitely();
        }
        schema.onReady(tasks.every(EVERY_MS, "Maintenance modes stay as they are", this::look)::start);
    }

    /** The modes as the database has them. */
    public Uni<MaintenanceModes> get() {
        return look();
    }

    public Uni<MaintenanceModes> setPush(boolean enabled) {
        return MaintenanceStore.setPush(database, enabled).invoke(this::changed);
    }

    public Uni<MaintenanceModes> setPop(boolean enabled) {
        return MaintenanceStore.setPop(database, enabled).invoke(this::changed);
    }

    private void changed(MaintenanceModes modes) {
        changes.incrementAndGet();
        apply(modes);
    }

    private Uni<MaintenanceModes> look() {
        return Uni.createFrom().deferred(() -> {
            long before = changes.get();
            return MaintenanceStore.get(database).invoke(modes -> {
                if (changes.get() == before) {
                    apply(modes);
                }
            });
        });
    }

    private synchronized void apply(MaintenanceModes modes) {
        boolean stopsPops = modes.pop() && !flags.pop();
        if (modes.push() != flags.push() || modes.pop() != flags.pop()) {
            LOG.infof("Maintenance: push %s, pop %s", text(modes.push()), text(modes.pop()));
        }
        flags.set(modes.push(), modes.pop());
        if (stopsPops) {
            index.wakeAll();
        }
    }

    private static String text(boolean on) {
        return on ? "on" : "off";
    }
}
