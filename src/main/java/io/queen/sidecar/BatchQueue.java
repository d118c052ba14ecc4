package io.queen.sidecar;

import io.queen.database.Connection;
import io.queen.database.DatabaseFailure;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.runtime.LoopExecutor;
import io.smallrye.mutiny.Uni;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The requests of one operation in one sidecar, on their way into lists.
 *
 * <pre>
 *   submit ─┬─ none is in flight ──▶ fresh ── end of this turn of the loop ──▶ ready ──▶ sent ──▶ answered
 *           ├─ one is in flight ───▶ gathering ── 5 ms, a quarter of a list, or the list is back ──▶ ready
 *           └─ it needs what is held outside ──▶ LockWait ── that is free ──▶ ready
 * </pre>
 *
 * <p>While none of its lists is in flight a request waits for nothing but the others that the loop reads in the same
 * turn. While one is, requests gather, because a few small lists cost PostgreSQL far more than one: they leave when it
 * comes back, when they are many enough to be worth a second connection, and at the tick, so that a list that is held up
 * holds up nobody else. In the other mode (not eager) every request waits for the tick: it exists to be measured against.
 *
 * <p>Touched by its own event loop only.
 */
public final class BatchQueue<Q, A> {
    /** What part of a full list is worth a further connection. */
    private static final int WORTHWHILE_PART = 4;

    private final BatchOperation<Q, A> work;
    private final SidecarLimits limits;
    private final OperationMetrics metrics;
    private final LoopExecutor loop;
    private final BatchCutter cutter;
    private final LockWatch watch;
    private final LockWait<Q, A> locks;
    private final BatchWindow<QueuedRequest<Q, A>> gathering;
    private final Deque<List<QueuedRequest<Q, A>>> ready = new ArrayDeque<>();
    private List<QueuedRequest<Q, A>> fresh = new ArrayList<>();
    private Dispatcher pump;
    private int waiting;
    private int waitingItems;
    private int inFlight;
    private int passedOver;

    BatchQueue(
            BatchOperation<Q, A> work,
            SidecarLimits limits,
            OperationMetrics metrics,
            LoopExecutor loop,
            LockWatch watch) {
        this.work = work;
        this.limits = limits;
        this.metrics = metrics;
        this.loop = loop;
        this.cutter = new BatchCutter(limits.maxItems(), limits.maxBytes());
        this.gathering = new BatchWindow<>(limits.maxItems(), limits.window(), loop, this::gathered);
        this.watch = watch;
        this.locks = new LockWait<>(work, limits, watch, metrics, this::freed);
    }

    void attach(Dispatcher owner) {
        pump = owner;
    }

    /** The answer comes on the context of the caller. */
    Uni<A> submit(Q request) {
        return Uni.createFrom().emitter(emitter -> enqueue(QueuedRequest.of(request, work, emitter)));
    }

    private void enqueue(QueuedRequest<Q, A> pending) {
        assert loop.onLoop();
        if (pump.unavailable() != null) {
            pending.fail(pump.unavailable());
        } else if (!locks.takes(pending)) {
            admit(pending);
        }
    }

    private void admit(QueuedRequest<Q, A> pending) {
        if (waiting >= limits.maxWaiting()) {
            metrics.refused();
            pending.fail(new QueenException(ErrorCode.OVERLOADED, "Too many requests are waiting, try again soon"));
        } else {
            waits(List.of(pending));
            place(pending);
        }
    }

    private void place(QueuedRequest<Q, A> pending) {
        if (!limits.eager() || !leavesAtOnce()) {
            gathering.add(pending);
            if (worthAnotherList()) {
                pump.run();
            }
            return;
        }
        fresh.add(pending);
        if (fresh.size() == 1) {
            loop.later(this::flush);
        }
    }

    private boolean leavesAtOnce() {
        return !fresh.isEmpty() || (ready.isEmpty() && inFlight == 0 && pump.hasFreeLink());
    }

    private boolean worthAnotherList() {
        return limits.eager() && waitingItems >= limits.maxItems() / WORTHWHILE_PART;
    }

    private void flush() {
        List<QueuedRequest<Q, A>> turn = fresh;
        fresh = new ArrayList<>();
        gathered(turn);
    }

    private void gathered(List<QueuedRequest<Q, A>> list) {
        ready.addAll(cutter.cut(list));
        pump.run();
    }

    /** Whether fewer lists than allowed are in flight. */
    boolean mayStart() {
        return inFlight < limits.maxInFlight();
    }

    boolean hasList() {
        if (ready.isEmpty() && limits.eager() && waiting > fresh.size() && (inFlight == 0 || worthAnotherList())) {
            pump.quietly(gathering::close);
        }
        return !ready.isEmpty();
    }

    /** How often others went first although this queue had a list. */
    int passedOver() {
        return passedOver;
    }

    void passOver() {
        passedOver++;
    }

    void send(Slot link) {
        List<QueuedRequest<Q, A>> ripe = ready.poll();
        passedOver = 0;
        waitsNoMore(ripe);
        List<QueuedRequest<Q, A>> list = locks.without(ripe);
        metrics.waiting(list.size() - ripe.size());
        if (list.isEmpty()) {
            link.release();
            return;
        }
        inFlight++;
        metrics.sent(list.size());
        long start = System.nanoTime();
        List<Q> requests = new ArrayList<>(list.size());
        boolean again = false;
        for (QueuedRequest<Q, A> pending : list) {
            requests.add(pending.request());
            again |= pending.again();
        }
        Connection connection = link.connection();
        boolean maybeApplied = again;
        Uni.createFrom()
                .deferred(() -> work.run(connection, requests, maybeApplied))
                .subscribe()
                .with(answers -> succeeded(link, list, answers, start), failure -> {
                    if (BatchFailureDecision.connectionLost(failure)) {
                        link.abandon(connection);
                    }
                    failed(link, connection, list, failure, start);
                });
    }

    private void succeeded(Slot link, List<QueuedRequest<Q, A>> list, List<A> answers, long start) {
        int items = 0;
        for (int i = 0; i < list.size(); i++) {
            items += work.items(list.get(i).request(), answers.get(i));
            list.get(i).answer(answers.get(i));
        }
        back(link, list, items, start);
        pump.run();
    }

    private void failed(
            Slot link, Connection connection, List<QueuedRequest<Q, A>> list, Throwable failure, long start) {
        BatchFailureDecision recovery =
                BatchFailureDecision.of(failure, list.size(), list.get(0).attempts());
        if (recovery == BatchFailureDecision.SET_ASIDE) {
            locks.sort(connection, list, others -> sorted(link, list, others, failure, start));
            return;
        }
        back(link, list, 0, start);
        metrics.failed(failure);
        recover(recovery, list, failure);
        pump.run();
    }

    /** Those of the list that wait for a lock do so elsewhere now; the others go on. */
    private void sorted(
            Slot link,
            List<QueuedRequest<Q, A>> list,
            List<QueuedRequest<Q, A>> others,
            Throwable failure,
            long start) {
        back(link, list, 0, start);
        if (others.size() == list.size()) {
            BatchFailureDecision recovery =
                    BatchFailureDecision.ofUnknownLock(list.size(), watch.outOfPatience(list.get(0)));
            if (recovery == BatchFailureDecision.FAIL) {
                metrics.failed(failure);
            }
            recover(recovery, list, failure);
        } else if (!others.isEmpty()) {
            putBack(others);
        }
        pump.run();
    }

    private void recover(BatchFailureDecision recovery, List<QueuedRequest<Q, A>> list, Throwable failure) {
        switch (recovery) {
            case RESEND -> again(list, true);
            case RETRY -> again(list, false);
            case SET_ASIDE -> asideWithoutKey(list.get(0));
            case SPLIT -> split(list);
            case FAIL -> {
                Throwable told = DatabaseFailure.translate(failure);
                list.forEach(pending -> pending.fail(told));
            }
        }
    }

    /** It waits for a lock that nobody can name: behind all others, unless there is an answer for now. */
    private void asideWithoutKey(QueuedRequest<Q, A> pending) {
        work.whileLocked(pending.request()).ifPresentOrElse(pending::answer, () -> {
            waits(List.of(pending));
            ready.addLast(List.of(pending));
        });
    }

    private void freed(List<QueuedRequest<Q, A>> free) {
        List<List<QueuedRequest<Q, A>>> lists = cutter.cut(free);
        for (int i = lists.size() - 1; i >= 0; i--) {
            putBack(lists.get(i));
        }
    }

    private void back(Slot link, List<QueuedRequest<Q, A>> list, int items, long start) {
        assert loop.onLoop();
        inFlight--;
        metrics.returned(list.size(), items, System.nanoTime() - start);
        link.release();
    }

    private void again(List<QueuedRequest<Q, A>> list, boolean maybeApplied) {
        List<QueuedRequest<Q, A>> next =
                list.stream().map(pending -> pending.next(maybeApplied)).toList();
        putBack(next);
    }

    private void split(List<QueuedRequest<Q, A>> list) {
        int half = list.size() / 2;
        putBack(list.subList(half, list.size()));
        putBack(list.subList(0, half));
    }

    private void putBack(List<QueuedRequest<Q, A>> list) {
        waits(list);
        ready.addFirst(list);
    }

    private void waits(List<QueuedRequest<Q, A>> list) {
        waiting += list.size();
        waitingItems += items(list);
        metrics.waiting(list.size());
    }

    private void waitsNoMore(List<QueuedRequest<Q, A>> list) {
        waiting -= list.size();
        waitingItems -= items(list);
    }

    private static int items(List<? extends QueuedRequest<?, ?>> list) {
        int items = 0;
        for (QueuedRequest<?, ?> pending : list) {
            items += pending.items();
        }
        return items;
    }

    /** PostgreSQL is away: whoever waits is told now. */
    void failWaiting(Throwable failure) {
        locks.fail(failure);
        pump.quietly(gathering::close);
        List<List<QueuedRequest<Q, A>>> lists = new ArrayList<>(ready);
        ready.clear();
        lists.forEach(list -> {
            waitsNoMore(list);
            metrics.waiting(-list.size());
            list.forEach(pending -> pending.fail(failure));
        });
    }
}
