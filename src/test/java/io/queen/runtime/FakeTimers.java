package io.queen.runtime;

import java.util.PriorityQueue;

/** Time that passes when the test says so. Used by one thread. */
public final class FakeTimers implements Timers {
    private final PriorityQueue<Timer> pending = new PriorityQueue<>();
    private long now;
    private long count;

    private record Timer(long due, long number, Runnable task) implements Comparable<Timer> {
        @Override
        public int compareTo(Timer other) {
            return due == other.due ? Long.compare(number, other.number) : Long.compare(due, other.due);
        }
    }

    @Override
    public Runnable after(long millis, Runnable task) {
        Timer timer = new Timer(now + millis, count++, task);
        pending.add(timer);
        return () -> pending.remove(timer);
    }

    public int pending() {
        return pending.size();
    }

    public void pass(long millis) {
        long end = now + millis;
        while (!pending.isEmpty() && pending.peek().due() <= end) {
            Timer next = pending.poll();
            now = next.due();
            next.task().run();
        }
        now = end;
    }
}
