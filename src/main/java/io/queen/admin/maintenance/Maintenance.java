package io.queen.admin.maintenance;

import io.quarkus.runtime.StartupEvent;
import io.queen.admin.maintenance.MaintenanceStore.Modes;
import io.queen.database.Schema;
import io.queen.database.SharedSetting;
import io.queen.pop.ready.LocalNews;
import io.queen.runtime.MaintenanceFlags;
import io.queen.runtime.PeriodicTasks;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/**
 * Keeps the maintenance flags of this server as the database has them: at once when they are changed here, within a second
 * or two when they are changed through another server.
 */
@Singleton
final class Maintenance {
    private static final Logger LOG = Logger.getLogger(Maintenance.class);
    private static final long EVERY_MS = 1000;

    private final MaintenanceStore store;
    private final MaintenanceFlags flags;
    private final LocalNews pops;
    private final SharedSetting<Modes> state;

    Maintenance(MaintenanceStore store, Schema schema, MaintenanceFlags flags, LocalNews pops, PeriodicTasks tasks) {
        this.store = store;
        this.flags = flags;
        this.pops = pops;
        this.state = new SharedSetting<>(
                schema, tasks, EVERY_MS, "Maintenance modes stay as they are", store::get, this::apply);
    }

    /**
     * After the schema (1) and the sidecars (2), which need connections first: a server that starts in maintenance is in
     * it when its port opens.
     */
    void start(@Observes @Priority(3) StartupEvent event) {
        state.start();
    }

    /** The modes as the database has them. */
    Uni<Modes> get() {
        return state.look();
    }

    Uni<Modes> setPush(boolean enabled) {
        return store.setPush(enabled).invoke(state::changed);
    }

    Uni<Modes> setPop(boolean enabled) {
        return store.setPop(enabled).invoke(state::changed);
    }

    private void apply(Modes modes) {
        boolean stopsPops = modes.pop() && !flags.pop();
        if (modes.push() != flags.push() || modes.pop() != flags.pop()) {
            LOG.infof("Maintenance: push %s, pop %s", text(modes.push()), text(modes.pop()));
        }
        flags.set(modes.push(), modes.pop());
        if (stopsPops) {
            pops.wakeAll();
        }
    }

    private static String text(boolean on) {
        return on ? "on" : "off";
    }
}
