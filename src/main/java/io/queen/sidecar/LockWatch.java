package io.queen.sidecar;

import io.queen.database.Connection;
import io.queen.runtime.LoopExecutor;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Watches what transactions outside hold, for all operations of one sidecar: as long as anything is held one statement
 * asks about all of it, soon at first, later four times a second, on a connection that it has for just that. Nobody waits
 * in PostgreSQL meanwhile. What is held stays known while nobody waits for it, so that a new request does not hold
 * up the list it would be in.
 *
 * <p>Touched by its own event loop only.
 */
public final class LockWatch {
    private static final long FIRST_PAUSE_MS = 50;
    private static final long MAX_PAUSE_MS = 250;

    private final Vertx vertx;
    private final LoopExecutor loop;
    private final HeldWarnings warnings;
    private final long patienceMillis;
    private final HeldLocks held = new HeldLocks();
    private final List<LockWait<?, ?>> waits = new ArrayList<>();
    private Runnable pump = () -> {};
    private long pause = FIRST_PAUSE_MS;
    private boolean asleep;
    private boolean due;
    private boolean asking;

    /** @param patienceMillis how long a request may wait, from its arrival */
    LockWatch(Vertx vertx, LoopExecutor loop, HeldWarnings warnings, long patienceMillis) {
        this.vertx = vertx;
        this.loop = loop;
        this.warnings = warnings;
        this.patienceMillis = patienceMillis;
    }

    void attach(Runnable runner) {
        pump = runner;
    }

    void add(LockWait<?, ?> wait) {
        waits.add(wait);
    }

    /** Nothing is known to be held. */
    boolean isIdle() {
        return held.isEmpty();
    }

    LockKey firstHeld(Collection<LockKey> keys) {
        return held.firstOf(keys);
    }

    boolean outOfPatience(QueuedRequest<?, ?> pending) {
        return pending.arrived() - oldest() < 0;
    }

    /** Finds out which of the keys are held, then goes on; when that can't be found out it goes on as well. */
    void look(Connection connection, Set<LockKey> keys, Runnable next) {
        if (keys.isEmpty()) {
            next.run();
            return;
        }
        LockStore.held(connection, keys)
                .subscribe()
                .with(
                        found -> {
                            found(found);
                            next.run();
                        },
                        failure -> next.run());
    }

    private void found(Map<LockKey, String> found) {
        assert loop.onLoop();
        if (!found.isEmpty()) {
            held.found(found, millis());
            pause = FIRST_PAUSE_MS;
            sleep();
        }
    }

    private void sleep() {
        if (!asleep && !due && !asking && !held.isEmpty()) {
            asleep = true;
            vertx.setTimer(pause, ignored -> loop.execute(this::wake));
            pause = Math.min(2 * pause, MAX_PAUSE_MS);
        }
    }

    private void wake() {
        asleep = false;
        due = !held.isEmpty();
        long oldest = oldest();
        waits.forEach(wait -> wait.giveUp(oldest));
        pump.run();
    }

    /** It is time to ask, and needs a connection for that. */
    boolean wantsLink() {
        return due;
    }

    void ask(Slot link) {
        due = false;
        asking = true;
        List<LockKey> keys = held.next();
        Connection connection = link.connection();
        LockStore.held(connection, keys).subscribe().with(found -> answered(link, keys, found), failure -> {
            if (BatchFailureDecision.connectionLost(failure)) {
                link.abandon(connection);
            }
            done(link);
        });
    }

    private void answered(Slot link, List<LockKey> keys, Map<LockKey, String> found) {
        List<HeldLocks.Held> stay = held.asked(keys, found);
        long now = millis();
        stay.forEach(one -> warnings.held(one, now - one.since()));
        waits.forEach(LockWait::lookAgain);
        done(link);
    }

    private void done(Slot link) {
        assert loop.onLoop();
        asking = false;
        link.release();
        sleep();
        pump.run();
    }

    /** PostgreSQL is away, or this server goes: whatever is held will not be when it is back. */
    void forget() {
        held.clear();
        due = false;
    }

    private long oldest() {
        return System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    }

    private static long millis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }
}
