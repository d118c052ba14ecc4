package io.queen.pop;

import io.queen.message.ErrorCode;
import io.queen.message.PartitionName;
import io.queen.message.PopRequest;
import io.queen.message.PopResult;
import io.queen.message.PopTarget;
import io.queen.message.QueenException;
import io.queen.pop.ready.WaitList;
import io.queen.pop.ready.Waiter;
import java.util.function.Consumer;

/**
 * One pop from its first try to its answer.
 *
 * <pre>
 *   trying ──▶ answered           found something, must not wait, or pop maintenance is on
 *     ▲ │
 *     │ ▼
 *   parked ──▶ answered empty     the deadline
 * </pre>
 *
 * <p>A pop of what is paused is not tried: it is parked as if there were nothing, until it is resumed.
 *
 * <p>A client that leaves while it is parked is forgotten; one that leaves while it is being tried gets what was claimed
 * for it released. Touched by its own event loop only; a waiter brings it back there.
 */
final class LongPoll {
    /** A lease or delay that ends sooner than this is waited for exactly; a later one is seen by a probe. */
    private static final long EXACT_MILLIS = 1100;

    private final LongPolls waiting;
    private final PopRequest request;
    private final long deadlineNanos;
    private final Consumer<PopResult> answer;
    private final Consumer<Throwable> failure;
    private Waiter parkedAs;
    private long timer = -1;
    private long seen;
    private boolean woken;
    private boolean over;
    private PopResult answered;
    private PopResult found;

    LongPoll(
            LongPolls waiting,
            PopRequest request,
            long waitMillis,
            Consumer<PopResult> answer,
            Consumer<Throwable> failure) {
        this.waiting = waiting;
        this.request = request;
        this.deadlineNanos = System.nanoTime() + waitMillis * 1_000_000;
        this.answer = answer;
        this.failure = failure;
    }

    void start() {
        seen = parking().news();
        if (waiting.stopped()) {
            finish(() -> answer.accept(PopResult.empty(-1)));
            return;
        }
        if (waiting.isPaused(request)) {
            tried(PopResult.absent(PopResult.Absence.PAUSED));
            return;
        }
        waiting.attempt(request).subscribe().with(this::tried, this::failed);
    }

    private void retry() {
        if (over) {
            // The client left after it was woken: the news are for the next one.
            parking().wakeOne();
            return;
        }
        unpark();
        woken = true;
        start();
    }

    private void tried(PopResult result) {
        if (woken) {
            waiting.metrics().retried(!result.isEmpty());
        }
        if (over) {
            waiting.release(result.claims());
        } else if (!result.isEmpty() || remainingMillis() <= 0 || waiting.isEnding()) {
            answered = result;
            finish(() -> answer.accept(waiting.explained(request, result)));
        } else {
            park(result);
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

    private void park(PopResult result) {
        found = result;
        Waiter waiter = new Waiter(waiting.loop(), this::retry);
        if (!parkAt(waiter)) {
            waiting.loop().execute(this::retryUnparked);
            return;
        }
        parkedAs = waiter;
        waiting.parked(this, request);
        long due = result.dueMillis();
        if (due >= 0 && due < EXACT_MILLIS && !(request.target() instanceof PopTarget.Queue)) {
            parking().after(due, waiter::wake);
        }
        if (timer == -1) {
            timer = waiting.vertx()
                    .setTimer(
                            Math.max(1, remainingMillis()),
                            ignored -> waiting.loop().execute(this::deadline));
        }
    }

    /** While it is paused, what a ring has ready is not for it. */
    private boolean parkAt(Waiter waiter) {
        boolean paused = found.absence() == PopResult.Absence.PAUSED;
        if (!paused && request.target() instanceof PopTarget.Queue queue) {
            return waiting.rings().ring(queue.queue(), request.consumerGroup()).park(waiter, seen, System.nanoTime());
        }
        return parking().park(waiter, seen);
    }

    private void retryUnparked() {
        if (!over) {
            start();
        }
    }

    private void deadline() {
        timer = -1;
        expire();
    }

    /** The deadline, or the end of the server. What the last try found is the answer: nothing, or no database. */
    void expire() {
        if (!over && parkedAs != null && parkedAs.leave()) {
            unpark();
            finish(() -> answer.accept(waiting.explained(request, found)));
        }
    }

    /** The client has gone; an answer that was on its way did not reach it. */
    void abandon() {
        if (answered != null) {
            waiting.release(answered.claims());
        } else if (!over) {
            if (parkedAs != null) {
                parkedAs.leave();
                unpark();
            }
            finish(() -> {});
        }
    }

    private void unpark() {
        if (parkedAs != null) {
            parkedAs = null;
            waiting.unparked(this, request);
        }
    }

    private void finish(Runnable last) {
        over = true;
        if (timer != -1) {
            waiting.vertx().cancelTimer(timer);
        }
        last.run();
    }

    private long remainingMillis() {
        return (deadlineNanos - System.nanoTime()) / 1_000_000;
    }

    private WaitList parking() {
        if (request.target() instanceof PopTarget.Partition one) {
            return waiting.rings().parking(new PartitionName(one.queue(), one.partition()), request.consumerGroup());
        }
        if (request.target() instanceof PopTarget.Matching target) {
            return waiting.rings().matching(target, request.consumerGroup()).parking();
        }
        PopTarget.Queue queue = (PopTarget.Queue) request.target();
        return waiting.rings().ring(queue.queue(), request.consumerGroup()).parking();
    }
}
