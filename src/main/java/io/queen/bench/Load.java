package io.queen.bench;

import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets lanes run side by side, each on a connection of its own: for the warm-up, then for the time that counts. What was
 * under way at the end is waited for.
 */
final class Load implements Progress.Source {
    static final int GRACE_SECONDS = 30;
    private static final long PAUSE_NANOS = 100_000_000;

    private final Site site;
    private final Window window;
    private final Schedule schedule;
    private final Map<EventLoop, Tally> tallies = new LinkedHashMap<>();
    private final List<Wire> wires = new ArrayList<>();
    private final CountDownLatch busy;
    private volatile boolean stopped;

    private Load(Site site, Window window, double rate, int lanes) {
        this.site = site;
        this.window = window;
        this.schedule = new Schedule(window.start(), rate);
        this.busy = new CountDownLatch(lanes);
    }

    /**
     * @param lanes take turns as the schedule says
     * @param listeners run without one, until the lanes are done and {@code settled}
     */
    static Round run(Site site, double rate, List<Lane> lanes, List<Lane> listeners, Settled settled)
            throws InterruptedException {
        Load load = new Load(site, Window.startingNow(site.settings()), rate, lanes.size());
        listeners.forEach(lane -> load.start(lane, false));
        lanes.forEach(lane -> load.start(lane, true));
        try {
            return load.measure(settled);
        } finally {
            load.stopped = true;
            load.wires.forEach(Wire::close);
        }
    }

    /** Whether what was sent has also arrived; gives the number of what has not. */
    interface Settled {
        Settled AT_ONCE = () -> 0;

        long outstanding();
    }

    private void start(Lane lane, boolean scheduled) {
        Wire wire = site.open();
        wires.add(wire);
        Tally tally = tallies.computeIfAbsent(wire.loop(), loop -> new Tally(window));
        Runner runner = new Runner(lane, wire, tally, scheduled);
        wire.loop().execute(runner::next);
    }

    private Round measure(Settled settled) throws InterruptedException {
        site.progress().until(window.untilCounting(System.nanoTime()), this, "warm-up");
        Figures before = site.figures();
        site.progress().until(window.untilEnd(System.nanoTime()), this, "");
        Figures after = site.figures();
        long missed = schedule.missed(window.end());
        boolean answered = busy.await(GRACE_SECONDS, TimeUnit.SECONDS);
        long lost = site.progress().settle(settled, GRACE_SECONDS);
        return new Round(counts(answered ? 0 : busy.getCount(), lost), after.since(before), missed);
    }

    /** Gathered on the event loops, which wrote them. */
    private Counts counts(long unanswered, long lost) throws InterruptedException {
        List<Counts> parts = new ArrayList<>();
        CountDownLatch gathered = new CountDownLatch(tallies.size());
        tallies.forEach((loop, tally) -> loop.execute(() -> {
            Counts part = tally.counts();
            synchronized (parts) {
                parts.add(part);
            }
            gathered.countDown();
        }));
        gathered.await();
        Counts sum = Counts.together(parts);
        note(sum, "no answer within " + GRACE_SECONDS + " s", unanswered);
        note(sum, "message not delivered within " + GRACE_SECONDS + " s", lost);
        return sum;
    }

    private static void note(Counts counts, String reason, long count) {
        if (count > 0) {
            counts.reasons().merge(reason, count, Long::sum);
        }
    }

    @Override
    public long messages() {
        return tallies.values().stream().mapToLong(Tally::seen).sum();
    }

    @Override
    public long errors() {
        return tallies.values().stream().mapToLong(Tally::errors).sum();
    }

    /** One lane, turn after turn. */
    private final class Runner {
        private final Lane lane;
        private final Wire wire;
        private final Turn turn;
        private final boolean scheduled;
        private boolean counted;

        Runner(Lane lane, Wire wire, Tally tally, boolean scheduled) {
            this.lane = lane;
            this.wire = wire;
            this.scheduled = scheduled;
            this.turn = new Turn(tally, this::next, this::pause);
        }

        void next() {
            if (hasEnded(System.nanoTime())) {
                busy.countDown();
            } else if (!stopped) {
                lane.prepare(wire, turn, this::ready);
            }
        }

        /** However slow the server is, each connection has a turn that counts. */
        private boolean hasEnded(long time) {
            return scheduled && counted && window.isOver(time);
        }

        /** After a failure: a server that is away would be asked in a tight loop. */
        private void pause() {
            wire.later(this::next, PAUSE_NANOS);
        }

        private void ready() {
            long now = System.nanoTime();
            long due = scheduled && !window.isOver(now) ? schedule.take(now) : now;
            if (hasEnded(due)) {
                busy.countDown();
            } else if (due - now > 0) {
                wire.later(() -> go(due, true), due - now);
            } else {
                go(due, false);
            }
        }

        private void go(long due, boolean wasFree) {
            long start = Schedule.countsFrom(due, wasFree, System.nanoTime());
            counted |= window.counts(start);
            turn.begin(start);
            lane.run(wire, turn);
        }
    }
}
