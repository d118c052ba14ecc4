package io.queen.sidecar;

import io.queen.config.QueenConfig;
import io.queen.database.Connection;
import io.queen.database.DatabaseFailure;
import io.queen.runtime.Backoff;
import io.queen.runtime.Loop;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Watches what other transactions hold, for all operations of one sidecar: as long as anything is held one statement asks
 * about all of it, soon at first, later four times a second, on a connection that it has for just that. No request waits
 * in PostgreSQL meanwhile. What is held stays known while no request waits for it, so that a new one does not hold up the
 * batch it would be in.
 *
 * <p>Touched by its own event loop only.
 */
final class LockWatch {
    private static final long MAX_PATIENCE_MS = 10_000;
    private static final Backoff PAUSE = Backoff.doubling(50, 250);

    /** Asks PostgreSQL which of the keys are held, and by which transaction: {@link LockStore#held}. */
    interface Question {
        Uni<Map<LockKey, String>> held(Connection connection, Collection<LockKey> keys);
    }

    private enum State {
        /** Nothing is known to be held. */
        IDLE,
        /** Until the next question. */
        PAUSING,
        /** It is time to ask, when a connection is free. */
        DUE,
        ASKING
    }

    private final Loop loop;
    private final Question question;
    private final HeldWarnings warnings;
    private final long patienceNanos;
    private final HeldLocks held = new HeldLocks();
    private final List<LockWaiters<?, ?>> waiters = new ArrayList<>();
    private Runnable dispatch = () -> {};
    private State state = State.IDLE;
    private int asked;

    /** How long a request may wait for a lock that another transaction holds; "for ever" is not on offer. */
    static long patienceMillis(QueenConfig.Database config) {
        return config.lockTimeout() == 0 ? MAX_PATIENCE_MS : config.lockTimeout();
    }

    /** @param patienceMillis how long a request may wait, from its arrival */
    LockWatch(Loop loop, Question question, HeldWarnings warnings, long patienceMillis) {
        this.loop = loop;
        this.question = question;
        this.warnings = warnings;
        this.patienceNanos = TimeUnit.MILLISECONDS.toNanos(patienceMillis);
    }

    void attach(Runnable dispatcher) {
        dispatch = dispatcher;
    }

    void add(LockWaiters<?, ?> some) {
        waiters.add(some);
    }

    /** Nothing is known to be held. */
    boolean isIdle() {
        return held.isEmpty();
    }

    LockKey firstHeld(Collection<LockKey> keys) {
        return held.firstOf(keys);
    }

    /** A request that arrived before then has waited long enough. */
    long oldestArrival() {
        return loop.nanos() - patienceNanos;
    }

    /** Finds out which of the keys are held, then goes on; when that can't be found out it goes on as well. */
    void look(Connection connection, Set<LockKey> keys, Runnable next) {
        if (keys.isEmpty()) {
            next.run();
            return;
        }
        question.held(connection, keys)
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
            asked = 0;
            if (state == State.IDLE) {
                pause();
            }
        }
    }

    private void pause() {
        state = State.PAUSING;
        loop.after(PAUSE.millisAfter(++asked), this::pauseIsOver);
    }

    private void pauseIsOver() {
        state = held.isEmpty() ? State.IDLE : State.DUE;
        waiters.forEach(LockWaiters::giveUp);
        dispatch.run();
    }

    /** It is time to ask, and that needs a connection. */
    boolean wantsSlot() {
        return state == State.DUE;
    }

    void ask(Slot slot) {
        state = State.ASKING;
        List<LockKey> keys = held.next();
        Connection connection = slot.connection();
        question.held(connection, keys).subscribe().with(found -> answered(slot, keys, found), failure -> {
            if (DatabaseFailure.isConnectionLoss(failure)) {
                slot.abandon(connection);
            }
            done(slot);
        });
    }

    private void answered(Slot slot, List<LockKey> keys, Map<LockKey, String> found) {
        long now = millis();
        held.asked(keys, found).forEach(still -> warnings.held(still, now - still.since()));
        waiters.forEach(LockWaiters::letGo);
        done(slot);
    }

    private void done(Slot slot) {
        assert loop.onLoop();
        slot.release();
        if (held.isEmpty()) {
            state = State.IDLE;
        } else {
            pause();
        }
        dispatch.run();
    }

    /** PostgreSQL is away, or this server goes: whatever is held will not be when it is back. */
    void forget() {
        held.clear();
        if (state == State.DUE) {
            state = State.IDLE;
        }
    }

    private long millis() {
        return TimeUnit.NANOSECONDS.toMillis(loop.nanos());
    }
}
