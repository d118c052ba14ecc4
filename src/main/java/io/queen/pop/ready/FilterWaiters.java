package io.queen.pop.ready;

import io.queen.message.PopTarget;
import java.util.Collection;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Where pops by namespace and task wait. They hear of news in the queues that the last look found, and in queues whose
 * names say that they belong; a new queue of another name is found by the next look.
 */
public final class FilterWaiters {
    private final PopTarget.Matching target;
    private final WaitList parking;
    private final Predicate<String> paused;
    private volatile Set<String> queues = Set.of();

    /** @param paused whether pops of the queue with that name get nothing */
    public FilterWaiters(PopTarget.Matching target, WaitList parking, Predicate<String> paused) {
        this.target = target;
        this.parking = parking;
        this.paused = paused;
    }

    public WaitList parking() {
        return parking;
    }

    public void found(Collection<String> names) {
        queues = Set.copyOf(names);
    }

    /** Those that the last look found. */
    public Set<String> queues() {
        return queues;
    }

    /** Whether there are queues, and all of them are paused. */
    public boolean isPaused() {
        Set<String> found = queues;
        return !found.isEmpty() && found.stream().allMatch(paused);
    }

    /** News of a paused queue are for nobody. */
    public void news(String queue) {
        if (has(queue) && !paused.test(queue)) {
            parking.wakeOne();
        }
    }

    public boolean has(String queue) {
        return queues.contains(queue) || saysSo(queue);
    }

    private boolean saysSo(String queue) {
        String[] pieces = queue.split("\\.", 3);
        String task = pieces.length > 1 ? pieces[1] : "";
        return (target.namespace() == null || target.namespace().equals(pieces[0]))
                && (target.task() == null || target.task().equals(task));
    }
}
