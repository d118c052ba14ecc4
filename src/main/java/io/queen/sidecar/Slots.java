package io.queen.sidecar;

import io.queen.database.Connection;
import io.queen.database.Database;
import io.queen.database.DatabaseFailure;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.runtime.LoopExecutor;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The connections of one sidecar, opened on its event loop and answered on it. A lost one is opened again, sooner at
 * first and more slowly later. When none is left and none can be opened PostgreSQL is away: the owner is told, and asks
 * {@link #unavailable} until one is back.
 */
public final class Slots {
    /**
     * A list waits no longer than this for a lock; then it is found out who has to wait for it, and the others go on
     * ({@link BatchFailureDecision#SET_ASIDE}). Long enough for pushes of several servers to one partition to take turns, which wait
     * for each other's commits; a list takes its locks before it writes, so one that gives up has cost little.
     */
    private static final int LOCK_TIMEOUT_MS = 100;

    private static final long STAGGER_MS = 1000;
    private static final long LOOK_FOR_STUCK_MS = 5000;
    private static final long FIRST_DELAY_MS = 50;
    private static final long MAX_DELAY_MS = 1000;
    /** Until a further connection is asked for again when PostgreSQL has too many: each refusal costs it a process. */
    private static final long LIMITED_DELAY_MS = 10_000;

    private final Vertx vertx;
    private final Database database;
    private final LoopExecutor loop;
    private final long stuckAfterNanos;
    private final List<Slot> links = new ArrayList<>();
    private final Set<Connection> rehearsing = new HashSet<>();
    private final List<UniEmitter<? super Void>> arrivals = new ArrayList<>();
    private Runnable onChange = () -> {};
    private QueenException unavailable;
    private boolean closed;
    private long stuckTimer = -1;

    /** @param stuckMillis how long a list may be under way at most, 0 for ever */
    Slots(Vertx vertx, Database database, LoopExecutor loop, int count, long stuckMillis) {
        this.stuckAfterNanos = stuckMillis * 1_000_000;
        this.vertx = vertx;
        this.database = database;
        this.loop = loop;
        for (int i = 0; i < count; i++) {
            links.add(new Slot(this::lost));
        }
        database.messagesLack(this);
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
            stuckTimer = vertx.setPeriodic(LOOK_FOR_STUCK_MS, ignored -> loop.execute(this::abandonStuck));
        }
        connect(links.get(0), FIRST_DELAY_MS);
        for (int i = 1; i < links.size(); i++) {
            Slot link = links.get(i);
            vertx.setTimer(i * STAGGER_MS, ignored -> loop.execute(() -> connect(link, FIRST_DELAY_MS)));
        }
    }

    /** A connection nobody uses, or null. */
    Slot free() {
        for (Slot link : links) {
            if (link.free()) {
                return link;
            }
        }
        return null;
    }

    /** What to tell callers while PostgreSQL is away; null while it is there. */
    QueenException unavailable() {
        return unavailable;
    }

    int size() {
        return links.size();
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

    /** Also those that are not open yet: left to themselves they would end with their loop, and nobody could close them. */
    void close() {
        closed = true;
        vertx.cancelTimer(stuckTimer);
        rehearsing.forEach(Connection::abandon);
        for (Slot link : links) {
            if (link.up()) {
                link.connection().close();
            }
        }
    }

    private boolean isSettled() {
        return unavailable != null || links.stream().anyMatch(Slot::up);
    }

    /** PostgreSQL does not answer: nobody waits for it any longer, and nobody is sent there. */
    private void silenced() {
        away(new IOException("it does not answer"));
        links.stream().filter(Slot::up).forEach(link -> link.connection().abandon());
    }

    /** PostgreSQL ends statements after a time; a list that is longer under way waits on a connection that is dead. */
    private void abandonStuck() {
        links.stream()
                .filter(link -> link.up() && link.busyNanos() > stuckAfterNanos)
                .forEach(link -> link.connection().abandon());
    }

    private void connect(Slot link, long delay) {
        if (!closed) {
            database.open("queen-sidecar", LOCK_TIMEOUT_MS)
                    .subscribe()
                    .with(
                            opened -> loop.execute(() -> rehearse(link, opened, delay)),
                            failure -> loop.execute(() -> refused(link, failure, delay)));
        }
    }

    private void rehearse(Slot link, Connection opened, long delay) {
        if (closed) {
            opened.abandon();
            return;
        }
        rehearsing.add(opened);
        StatementWarmUp.run(opened)
                .onTermination()
                .invoke(() -> rehearsing.remove(opened))
                .subscribe()
                .with(done -> opened(link, opened), failure -> {
                    if (!closed) {
                        opened.close();
                        refused(link, failure, delay);
                    }
                });
    }

    private void opened(Slot link, Connection opened) {
        opened.onClose(() -> loop.execute(() -> lost(link, opened)));
        link.opened(opened);
        unavailable = null;
        database.isBack();
        database.messagesHave(this);
        changed();
    }

    /** The connection is dead: told by its close handler, or by who used it, whichever comes first. */
    private void lost(Slot link, Connection dead) {
        if (link.lose(dead) && !closed) {
            dead.close();
            if (noneIsUp()) {
                database.messagesLack(this);
            }
            connect(link, FIRST_DELAY_MS);
        }
    }

    private void refused(Slot link, Throwable failure, long delay) {
        if (closed) {
            return;
        }
        boolean limit = DatabaseFailure.isConnectionLimit(failure);
        boolean needed = !limit || database.messagesRefused(this, failure);
        if (noneIsUp()) {
            unreachable(failure, limit);
        }
        long pause = needed ? delay : LIMITED_DELAY_MS;
        vertx.setTimer(pause, ignored -> loop.execute(() -> connect(link, Math.min(delay * 2, MAX_DELAY_MS))));
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

    /** The database may not be used, or not yet: nobody has tried to reach it. */
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
        return links.stream().noneMatch(Slot::up);
    }

    private void changed() {
        if (isSettled()) {
            arrivals.forEach(emitter -> emitter.complete(null));
            arrivals.clear();
        }
        onChange.run();
    }
}
