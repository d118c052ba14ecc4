package io.queen.pop;

import io.queen.ack.Acks;
import io.queen.message.Claim;
import io.queen.message.ErrorCode;
import io.queen.message.PopRequest;
import io.queen.message.PopResult;
import io.queen.message.PopTarget;
import io.queen.message.QueenException;
import io.queen.pop.ready.Pauses;
import io.queen.pop.ready.ReadyIndex;
import io.queen.pop.ready.Waiter;
import io.queen.runtime.EventLoopScoped;
import io.queen.runtime.Loop;
import io.queen.runtime.MaintenanceFlags;
import io.queen.sidecar.Sidecar;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.UniEmitter;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * The pops of one event loop: tried at once through the sidecar, and those that may wait tried again on news. Touched by
 * its own event loop only.
 */
@EventLoopScoped
public class LongPolls {
    /** A lease or delay that ends sooner than this is waited for exactly; a later one is seen by a probe. */
    private static final long EXACT_MILLIS = 1100;

    private final Sidecar sidecar;
    private final PopOperation operation;
    private final Acks acks;
    private final ReadyIndex index;
    private final Pauses pauses;
    private final MaintenanceFlags flags;
    private final PopCounts counts;
    private final Loop loop;
    private final Set<LongPoll> waiting = new HashSet<>();
    private boolean ending;

    LongPolls(
            Sidecar sidecar,
            PopOperation operation,
            Acks acks,
            ReadyIndex index,
            Pauses pauses,
            MaintenanceFlags flags,
            PopCounts counts,
            Loop loop) {
        this.sidecar = sidecar;
        this.operation = operation;
        this.acks = acks;
        this.index = index;
        this.pauses = pauses;
        this.flags = flags;
        this.counts = counts;
        this.loop = loop;
    }

    /**
     * Messages for the request, after at most {@code waitMillis}, 0 to try once; what it claims for a client that has left
     * is given back. The answer comes on the context of the caller.
     */
    public Uni<PopResult> pop(PopRequest request, long waitMillis, ClientGone gone) {
        Executor caller = loop.caller();
        counts.came(request);
        return Uni.createFrom()
                .<PopResult>emitter(emitter -> {
                    LongPoll poll = new LongPoll(request, waitMillis, emitter);
                    gone.then(poll::abandon);
                    poll.start();
                })
                .emitOn(caller)
                .invoke(result -> counts.answered(request, result));
    }

    /** The server stops: pops that wait are answered now, and none waits any more. */
    void end() {
        ending = true;
        List.copyOf(waiting).forEach(LongPoll::expire);
    }

    /** Tries the pop once. */
    Uni<PopResult> attempt(PopRequest request) {
        return sidecar.submit(operation, request.withLeaseId(sidecar.ids().next()));
    }

    /** Gives back what was claimed for a client that has left. */
    void release(List<Claim> claims) {
        acks.release(claims);
    }

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
     * released. A waiter brings it back to the event loop.
     */
    final class LongPoll {
        private final PopRequest request;
        private final long deadlineNanos;
        private final UniEmitter<? super PopResult> answer;
        private final Executor caller = loop.caller();
        /** Not null while it waits. */
        private Waiter waiter;
        /** Ends the wait for the deadline; null while there is none. */
        private Runnable deadlineTimer;

        private long seen;
        private boolean woken;
        private boolean over;
        /** What the last try found; null before the first. */
        private PopResult found;

        LongPoll(PopRequest request, long waitMillis, UniEmitter<? super PopResult> answer) {
            this.request = request;
            this.deadlineNanos = loop.nanos() + waitMillis * 1_000_000;
            this.answer = answer;
        }

        void start() {
            if (over) {
                return;
            }
            seen = index.waitList(request).news();
            if (flags.pop()) {
                finish(() -> answer.complete(PopResult.empty(-1)));
            } else if (pauses.holds(request)) {
                tried(PopResult.absent(PopResult.Absence.PAUSED));
            } else {
                attempt(request).subscribe().with(this::tried, this::failed);
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
                counts.retried(!result.isEmpty());
            }
            if (over) {
                release(result.claims());
                return;
            }
            found = result;
            if (result.isEmpty() && remainingMillis() > 0 && !ending) {
                park();
            } else {
                finish(this::answerFound);
            }
        }

        /** A database that is away is no error of the pop: consumers of some clients stop for good at one. */
        private void failed(Throwable cause) {
            if (cause instanceof QueenException known && known.code() == ErrorCode.DATABASE_UNAVAILABLE) {
                tried(PopResult.absent(PopResult.Absence.NO_DATABASE));
            } else if (!over) {
                finish(() -> answer.fail(cause));
            }
        }

        private void park() {
            Waiter entry = new Waiter(caller, this::retry);
            if (!index.park(request, found.absence() == PopResult.Absence.PAUSED, entry, seen)) {
                caller.execute(this::start);
                return;
            }
            waiter = entry;
            waiting.add(this);
            counts.parked(request, 1);
            long due = found.dueMillis();
            if (due >= 0 && due < EXACT_MILLIS && !(request.target() instanceof PopTarget.Queue)) {
                loop.after(due, entry::wake);
            }
            if (deadlineTimer == null) {
                deadlineTimer = loop.after(remainingMillis(), () -> {
                    deadlineTimer = null;
                    expire();
                });
            }
        }

        /** The deadline, or the end of the server. What the last try found is the answer: nothing, or no database. */
        private void expire() {
            if (!over && waiter != null && waiter.leave()) {
                leave();
                finish(this::answerFound);
            }
        }

        /** The client has gone; an answer that was on its way did not reach it. */
        void abandon() {
            if (over && found != null) {
                release(found.claims());
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
                waiting.remove(this);
                counts.parked(request, -1);
            }
        }

        private void finish(Runnable last) {
            over = true;
            if (deadlineTimer != null) {
                deadlineTimer.run();
            }
            last.run();
        }

        /** What was found, and when that is nothing because an operator holds it back, so. */
        private void answerFound() {
            boolean paused = found.isEmpty() && index.isPaused(request);
            answer.complete(paused ? PopResult.absent(PopResult.Absence.PAUSED) : found);
        }

        private long remainingMillis() {
            return (deadlineNanos - loop.nanos()) / 1_000_000;
        }
    }
}
