package io.queen.pop;

import io.queen.message.ErrorCode;
import io.queen.message.PopRequest;
import io.queen.message.PopResult;
import io.queen.message.PopTarget;
import io.queen.message.QueenException;
import io.queen.pop.ready.ReadyIndex;
import io.queen.pop.ready.Timers;
import io.queen.pop.ready.Waiter;
import java.util.function.Consumer;

/**
 * One pop from its first try to its answer.
 *
 * <pre>
 *   trying ──▶ answered           found something, must not wait, or pop maintenance is on
 *     ▲ │
 *     │ ▼
 *   waiting ──▶ answered empty    the deadline
 * </pre>
 *
 * <p>A pop of what is paused is not tried: it waits as if there were nothing, until it is resumed.
 *
 * <p>A client that leaves while it waits is forgotten; for one that leaves while it is being tried, what was claimed is
 * released. Touched by its own event loop only; a waiter brings it back there.
 */
final class LongPoll {
    /** A lease or delay that ends sooner than this is waited for exactly; a later one is seen by a probe. */
    private static final long EXACT_MILLIS = 1100;

    private final LongPolls polls;
    private final ReadyIndex index;
    private final Timers timers;
    private final PopRequest request;
    private final long deadlineNanos;
    private final Consumer<PopResult> answer;
    private final Consumer<Throwable> failure;
    /** Not null while it waits. */
    private Waiter waiter;

    private long deadlineTimer = -1;
    private long seen;
    private boolean woken;
    private boolean over;
    /** What the last try found; null before the first. */
    private PopResult found;

    LongPoll(
            LongPolls polls,
            ReadyIndex index,
            Timers timers,
            PopRequest request,
            long waitMillis,
            Consumer<PopResult> answer,
            Consumer<Throwable> failure) {
        this.polls = polls;
        this.index = index;
        this.timers = timers;
        this.request = request;
        this.deadlineNanos = timers.nanos() + waitMillis * 1_000_000;
        this.answer = answer;
        this.failure = failure;
    }

    void start() {
        if (over) {
            return;
        }
        seen = index.waitList(request).news();
        if (polls.inMaintenance()) {
            finish(() -> answer.accept(PopResult.empty(-1)));
        } else {
            polls.attempt(request).subscribe().with(this::tried, this::failed);
        }
    }

    private void retry() {
        if (over) {
            // The client left after it was woken: the news are for the next one.
            index.waitList(request).wakeOne();
            return;
        }
        leave();
        woken = true;
        start();
    }

    private void tried(PopResult result) {
        if (woken) {
            polls.retried(!result.isEmpty());
        }
        if (over) {
            polls.release(result.claims());
            return;
        }
        found = result;
        if (result.isEmpty() && remainingMillis() > 0 && !polls.isEnding()) {
            park();
        } else {
            finish(() -> answer.accept(polls.explained(request, result)));
        }
    }

    /** A database that is away is no error of the pop: consumers of some clients stop for good at one. */
    private void failed(Throwable cause) {
        if (cause instanceof QueenException known && known.code() == ErrorCode.DATABASE_UNAVAILABLE) {
            tried(PopResult.absent(PopResult.Absence.NO_DATABASE));
        } else if (!over) {
            finish(() -> failure.accept(cause));
        }
    }

    private void park() {
        Waiter entry = new Waiter(polls::later, this::retry);
        if (!index.park(request, found.absence() == PopResult.Absence.PAUSED, entry, seen)) {
            polls.later(this::start);
            return;
        }
        waiter = entry;
        polls.joined(this, request);
        long due = found.dueMillis();
        if (due >= 0 && due < EXACT_MILLIS && !(request.target() instanceof PopTarget.Queue)) {
            timers.after(due, entry::wake);
        }
        if (deadlineTimer == -1) {
            deadlineTimer = timers.after(remainingMillis(), () -> polls.later(this::deadline));
        }
    }

    private void deadline() {
        deadlineTimer = -1;
        expire();
    }

    /** The deadline, or the end of the server. What the last try found is the answer: nothing, or no database. */
    void expire() {
        if (!over && waiter != null && waiter.leave()) {
            leave();
            finish(() -> answer.accept(polls.explained(request, found)));
        }
    }

    /** The client has gone; an answer that was on its way did not reach it. */
    void abandon() {
        if (over && found != null) {
            polls.release(found.claims());
        } else if (!over) {
            if (waiter != null) {
                waiter.leave();
                leave();
            }
            finish(() -> {});
        }
    }

    private void leave() {
        if (waiter != null) {
            waiter = null;
            polls.left(this, request);
        }
    }

    private void finish(Runnable last) {
        over = true;
        if (deadlineTimer != -1) {
            timers.cancel(deadlineTimer);
        }
        last.run();
    }

    private long remainingMillis() {
        return (deadlineNanos - timers.nanos()) / 1_000_000;
    }
}
