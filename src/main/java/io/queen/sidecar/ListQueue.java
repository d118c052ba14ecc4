package io.queen.sidecar;

import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.store.Connection;
import io.queen.store.DatabaseFailure;
import io.smallrye.mutiny.Uni;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The requests of one operation in one sidecar, on their way into lists.
 *
 * <pre>
 *   submit ─┬─ a connection is free ──▶ fresh ── end of this turn of the loop ──▶ ready ──▶ sent ──▶ answered
 *           └─ enough are in flight ──▶ gathering ── n, 5 ms, or a free connection ──▶ ready
 * </pre>
 *
 * <p>While a connection is free a request waits for nothing but the others that the loop reads in the same turn. While
 * enough lists are in flight, requests gather; when a list comes back, all that has gathered leaves at once. In the
 * other mode (not eager) every request waits for the tick: it exists to be measured against.
 *
 * <p>Touched by its own event loop only.
 */
final class ListQueue<Q, A> {
    private final Work<Q, A> work;
    private final SidecarLimits limits;
    private final OperationMetrics metrics;
    private final LoopExecutor loop;
    private final ListCutter cutter;
    private final Gathering<Pending<Q, A>> gathering;
    private final Deque<List<Pending<Q, A>>> ready = new ArrayDeque<>();
    private List<Pending<Q, A>> fresh = new ArrayList<>();
    private Pump pump;
    private int waiting;
    private int inFlight;
    private int passedOver;

    ListQueue(Work<Q, A> work, SidecarLimits limits, OperationMetrics metrics, LoopExecutor loop) {
        this.work = work;
        this.limits = limits;
        this.metrics = metrics;
        this.loop = loop;
        this.cutter = new ListCutter(limits.maxItems(), limits.maxBytes());
        this.gathering = new Gathering<>(limits.maxItems(), limits.window(), loop, this::gathered);
    }

    void attach(Pump owner) {
        pump = owner;
    }

    /** The answer comes on the context of the caller. */
    Uni<A> submit(Q request) {
        return Uni.createFrom().emitter(emitter -> enqueue(Pending.of(request, work, emitter)));
    }

    private void enqueue(Pending<Q, A> pending) {
        assert loop.onLoop();
        if (pump.unavailable() != null) {
            pending.fail(pump.unavailable());
        } else if (waiting >= limits.maxWaiting()) {
            metrics.refused();
            pending.fail(new QueenException(ErrorCode.OVERLOADED, "Too many requests are waiting, try again soon"));
        } else {
            waiting++;
            metrics.waiting(1);
            place(pending);
        }
    }

    private void place(Pending<Q, A> pending) {
        if (!limits.eager() || !leavesAtOnce()) {
            gathering.add(pending);
            return;
        }
        fresh.add(pending);
        if (fresh.size() == 1) {
            loop.later(this::flush);
        }
    }

    private boolean leavesAtOnce() {
        return !fresh.isEmpty() || (ready.isEmpty() && mayStart() && pump.hasFreeLink());
    }

    private void flush() {
        List<Pending<Q, A>> turn = fresh;
        fresh = new ArrayList<>();
        gathered(turn);
    }

    private void gathered(List<Pending<Q, A>> list) {
        ready.addAll(cutter.cut(list));
        pump.run();
    }

    /** Whether fewer lists than allowed are in flight. */
    boolean mayStart() {
        return inFlight < limits.maxInFlight();
    }

    boolean hasList() {
        if (ready.isEmpty() && limits.eager() && waiting > fresh.size()) {
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

    void send(Link link) {
        List<Pending<Q, A>> list = ready.poll();
        passedOver = 0;
        waiting -= list.size();
        inFlight++;
        metrics.sent(list.size());
        long start = System.nanoTime();
        List<Q> requests = new ArrayList<>(list.size());
        boolean again = false;
        for (Pending<Q, A> pending : list) {
            requests.add(pending.request());
            again |= pending.again();
        }
        Connection connection = link.connection();
        boolean maybeApplied = again;
        Uni.createFrom()
                .deferred(() -> work.run(connection, requests, maybeApplied))
                .subscribe()
                .with(answers -> succeeded(link, list, answers, start), failure -> {
                    if (Recovery.connectionLost(failure)) {
                        link.abandon(connection);
                    }
                    failed(link, list, failure, start);
                });
    }

    private void succeeded(Link link, List<Pending<Q, A>> list, List<A> answers, long start) {
        int items = 0;
        for (int i = 0; i < list.size(); i++) {
            items += work.items(list.get(i).request(), answers.get(i));
            list.get(i).answer(answers.get(i));
        }
        back(link, list, items, start);
        pump.run();
    }

    private void failed(Link link, List<Pending<Q, A>> list, Throwable failure, long start) {
        back(link, list, 0, start);
        metrics.failed();
        switch (Recovery.of(failure, list.size(), list.get(0).attempts())) {
            case RESEND -> again(list, true);
            case RETRY -> again(list, false);
            case ISOLATE -> list.forEach(pending -> putBack(List.of(pending)));
            case SPLIT -> split(list);
            case FAIL -> {
                Throwable told = DatabaseFailure.translate(failure);
                list.forEach(pending -> pending.fail(told));
            }
        }
        pump.run();
    }

    private void back(Link link, List<Pending<Q, A>> list, int items, long start) {
        assert loop.onLoop();
        inFlight--;
        metrics.returned(list.size(), items, System.nanoTime() - start);
        link.release();
    }

    private void again(List<Pending<Q, A>> list, boolean maybeApplied) {
        List<Pending<Q, A>> next =
                list.stream().map(pending -> pending.next(maybeApplied)).toList();
        putBack(next);
    }

    private void split(List<Pending<Q, A>> list) {
        int half = list.size() / 2;
        putBack(list.subList(half, list.size()));
        putBack(list.subList(0, half));
    }

    private void putBack(List<Pending<Q, A>> list) {
        waiting += list.size();
        metrics.waiting(list.size());
        ready.addFirst(list);
    }

    /** PostgreSQL is away: whoever waits is told now. */
    void failWaiting(Throwable failure) {
        pump.quietly(gathering::close);
        List<List<Pending<Q, A>>> lists = new ArrayList<>(ready);
        ready.clear();
        lists.forEach(list -> {
            waiting -= list.size();
            metrics.waiting(-list.size());
            list.forEach(pending -> pending.fail(failure));
        });
    }
}
