package io.queen.sidecar;

import io.queen.config.QueenConfig;
import io.queen.database.Connection;
import io.queen.database.DatabaseFailure;
import io.queen.database.MessageDatabase;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.runtime.Backoff;
import io.queen.runtime.Loop;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The connections of one sidecar, opened on its event loop and answered on it. A lost one is opened again, sooner at
 * first and more slowly later. When none is left and none can be opened PostgreSQL is away: the owner is told, and asks
 * {@link #unavailable} until one is back.
 */
final class Slots implements SlotSource {
    /**
     * A batch waits no longer than this for a lock; then the requests that need it wait aside, and the others go on
     * ({@link BatchFailureDecision#WAIT_FOR_LOCK}). Long enough for pushes of several servers to one partition to take
     * turns, which wait for each other's commits; a batch takes its locks before it writes, so one that gives up has cost
     * little.
     */
    private static final int LOCK_TIMEOUT_MS = 100;

    private static final long STAGGER_MS = 1000;
    private static final long LOOK_FOR_STUCK_MS = 5000;
    private static final Backoff RECONNECT = Backoff.doubling(50, 1000);
    /** Until a further connection is asked for again when PostgreSQL has too many: each refusal costs it a process. */
    private static final long LIMITED_DELAY_MS = 10_000;

    private final MessageDatabase database;
    private final Loop loop;
    private final long stuckAfterNanos;
    private final List<BatchOperation<?, ?>> operations;
    private final List<Slot> slots = new ArrayList<>();
    private final Set<Connection> warmingUp = new HashSet<>();
    private final List<UniEmitter<? super Void>> arrivals = new ArrayList<>();
    private Runnable onChange = () -> {};
    private QueenException unavailable;
    private boolean closed;

    /** @param stuckMillis how long a batch may be in flight at most, 0 for ever */
    Slots(MessageDatabase database, Loop loop, int count, long stuckMillis, List<BatchOperation<?, ?>> operations) {
        this.database = database;
        this.loop = loop;
        this.stuckAfterNanos = TimeUnit.MILLISECONDS.toNanos(stuckMillis);
        this.operations = operations;
        for (int i = 0; i < count; i++) {
            slots.add(new Slot(this::lost, loop::nanos));
        }
        database.messagesLack(this);
    }

    /** A batch makes several statements, each of which PostgreSQL ends in time; 0 when it does not. */
    static long stuckMillis(QueenConfig.Database config) {
        return config.statementTimeout() == 0 ? 0 : 2L * config.statementTimeout();
    }

    /**
     * Opens the first at once and the others a little later, one after the other: a new connection makes PostgreSQL
     * compile and plan, and the first request should not have to wait for that. {@code listener} hears when a connection
     * comes, and when PostgreSQL goes away.
     */
    void open(Runnable listener) {
        onChange = listener;
        database.onSilence(() -> loop.execute(this::silenced));
        if (stuckAfterNanos > 0) {
            loop.after(LOOK_FOR_STUCK_MS, this::abandonStuck);
        }
        connect(slots.get(0), 0);
        for (int i = 1; i < slots.size(); i++) {
            Slot slot = slots.get(i);
            loop.after(i * STAGGER_MS, () -> connect(slot, 0));
        }
    }

    @Override
    public Slot free() {
        for (Slot slot : slots) {
            if (slot.isFree()) {
                return slot;
            }
        }
        return null;
    }

    @Override
    public QueenException unavailable() {
        return unavailable;
    }

    /** Done when a connection is open, or when it turns out that PostgreSQL is away. */
    Uni<Void> settled() {
        return Uni.createFrom().emitter(emitter -> {
            if (isSettled()) {
                emitter.complete(null);
            } else {
                arrivals.add(emitter);
            }
        });
    }

    /** Also those that warm up: left to themselves they would end with their loop, and could not be closed any more. */
    void close() {
        closed = true;
        warmingUp.forEach(Connection::abandon);
        up().forEach(slot -> slot.connection().close());
    }

    private Stream<Slot> up() {
        return slots.stream().filter(Slot::isUp);
    }

    private boolean isSettled() {
        return unavailable != null || up().findAny().isPresent();
    }

    /** PostgreSQL does not answer: requests do not wait for it any longer, and none is sent there. */
    private void silenced() {
        away(new IOException("it does not answer"));
        up().forEach(slot -> slot.connection().abandon());
    }

    /** PostgreSQL ends statements after a time; a batch that is in flight for longer waits on a dead connection. */
    private void abandonStuck() {
        if (!closed) {
            up().filter(slot -> slot.busyNanos() > stuckAfterNanos)
                    .forEach(slot -> slot.connection().abandon());
            loop.after(LOOK_FOR_STUCK_MS, this::abandonStuck);
        }
    }

    private void connect(Slot slot, int failures) {
        if (!closed) {
            database.open("queen-sidecar", LOCK_TIMEOUT_MS)
                    .subscribe()
                    .with(
                            opened -> loop.execute(() -> prepare(slot, opened, failures)),
                            failure -> loop.execute(() -> refused(slot, failure, failures)));
        }
    }

    private void prepare(Slot slot, Connection opened, int failures) {
        if (closed) {
            opened.abandon();
            return;
        }
        warmingUp.add(opened);
        warmUp(opened)
                .onTermination()
                .invoke(() -> warmingUp.remove(opened))
                .subscribe()
                .with(done -> opened(slot, opened), failure -> {
                    if (!closed) {
                        opened.close();
                        refused(slot, failure, failures);
                    }
                });
    }

    private Uni<Void> warmUp(Connection opened) {
        Uni<Void> all = Uni.createFrom().voidItem();
        for (BatchOperation<?, ?> operation : operations) {
            all = all.flatMap(done -> operation.warmUp(opened));
        }
        return all;
    }

    private void opened(Slot slot, Connection opened) {
        opened.onClose(() -> loop.execute(() -> lost(slot, opened)));
        slot.opened(opened);
        unavailable = null;
        database.isBack();
        database.messagesHave(this);
        changed();
    }

    /** The connection is dead: told by its close handler, or by the batch that it failed, whichever comes first. */
    private void lost(Slot slot, Connection dead) {
        if (slot.lose(dead) && !closed) {
            dead.close();
            if (noneIsUp()) {
                database.messagesLack(this);
            }
            connect(slot, 0);
        }
    }

    private void refused(Slot slot, Throwable failure, int failures) {
        if (closed) {
            return;
        }
        boolean limit = DatabaseFailure.isConnectionLimit(failure);
        boolean needed = !limit || database.messagesRefused(this, failure);
        if (noneIsUp()) {
            unreachable(failure, limit);
        }
        long pause = needed ? RECONNECT.millisAfter(failures + 1) : LIMITED_DELAY_MS;
        loop.after(pause, () -> connect(slot, failures + 1));
    }

    private void unreachable(Throwable failure, boolean limit) {
        boolean closed = isClosed(failure);
        boolean news = unavailable == null || (closed ? unavailable != failure : isClosed(unavailable));
        if (news && !closed && !limit) {
            database.isAway(failure);
        }
        if (news) {
            away(failure);
        }
    }

    /** The database may not be used, or not yet: it was not tried to reach it. */
    private static boolean isClosed(Throwable failure) {
        return failure instanceof QueenException && failure.getCause() == null;
    }

    private void away(Throwable failure) {
        unavailable = isClosed(failure)
                ? (QueenException) failure
                : new QueenException(ErrorCode.DATABASE_UNAVAILABLE, "PostgreSQL can't be reached", failure);
        changed();
    }

    private boolean noneIsUp() {
        return up().findAny().isEmpty();
    }

    private void changed() {
        if (isSettled()) {
            arrivals.forEach(emitter -> emitter.complete(null));
            arrivals.clear();
        }
        onChange.run();
    }
}
