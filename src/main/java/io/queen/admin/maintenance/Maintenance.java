package io.queen.admin.maintenance;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.queen.database.Database;
import io.queen.database.Schema;
import io.queen.metrics.Complaints;
import io.queen.pop.ready.ReadyIndex;
import io.queen.runtime.MaintenanceFlags;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
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
    private final ReadyIndex rings;
    private final Vertx vertx;
    private final Complaints complaints;
    /** Counts changes made here: an answer that was asked for before such a change is out of date. */
    private final AtomicLong changes = new AtomicLong();

    private final AtomicBoolean asking = new AtomicBoolean();
    private volatile long timer = -1;

    public Maintenance(
            Database database,
            Schema schema,
            MaintenanceFlags flags,
            ReadyIndex rings,
            Vertx vertx,
            Complaints complaints) {
        this.complaints = complaints;
        this.database = database;
        this.schema = schema;
        this.flags = flags;
        this.rings = rings;
        this.vertx = vertx;
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
        schema.whenReady().subscribe().with(ready -> timer = vertx.setPeriodic(EVERY_MS, ignored -> poll()));
    }

    void stop(@Observes ShutdownEvent event) {
        vertx.cancelTimer(timer);
    }

    /** The modes as the database has them. */
    public Uni<MaintenanceModes> get() {
        return look();
    }

    public Uni<MaintenanceModes> setPush(boolean enabled) {
        return MaintenanceStore.setPush(database.general(), enabled).invoke(this::changed);
    }

    public Uni<MaintenanceModes> setPop(boolean enabled) {
        return MaintenanceStore.setPop(database.general(), enabled).invoke(this::changed);
    }

    private void changed(MaintenanceModes modes) {
        changes.incrementAndGet();
        apply(modes);
    }

    /** One look at a time: a slow database is not asked faster than it answers. */
    private void poll() {
        if (asking.compareAndSet(false, true)) {
            look().onTermination()
                    .invoke(() -> asking.set(false))
                    .subscribe()
                    .with(modes -> {}, failure -> complaints.failed("Maintenance modes stay as they are", failure));
        }
    }

    private Uni<MaintenanceModes> look() {
        return Uni.createFrom().deferred(() -> {
            long before = changes.get();
            return MaintenanceStore.get(database.general()).invoke(modes -> {
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
            rings.wakeAll();
        }
    }

    private static String text(boolean on) {
        return on ? "on" : "off";
    }
}
