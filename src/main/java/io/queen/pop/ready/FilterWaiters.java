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
    private final PopTarget.Filter filter;
    private final String group;
    private final WaitList waitList;
    private final Predicate<String> paused;
    private volatile Set<String> queues = Set.of();

    /** @param paused whether pops of the queue with that name get nothing */
    FilterWaiters(PopTarget.Filter filter, String group, WaitList waitList, Predicate<String> paused) {
        this.filter = filter;
        this.group = group;
        this.waitList = waitList;
        this.paused = paused;
    }

    String group() {
        return group;
    }

    WaitList waitList() {
        return waitList;
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

    /** News of a paused queue wake no pop. */
    void news(String queue) {
        if (has(queue) && !paused.test(queue)) {
            waitList.wakeOne();
        }
    }

    boolean has(String queue) {
        return queues.contains(queue) || isNamedSo(queue);
    }

    /** Whether its name is {@code namespace.task}, or begins so. Asked for every push: no text is made. */
    private boolean isNamedSo(String queue) {
        int first = queue.indexOf('.');
        int namespaceEnd = first < 0 ? queue.length() : first;
        int second = queue.indexOf('.', namespaceEnd + 1);
        int taskStart = Math.min(namespaceEnd + 1, queue.length());
        return isPiece(filter.namespace(), queue, 0, namespaceEnd)
                && isPiece(filter.task(), queue, taskStart, second < 0 ? queue.length() : second);
    }

    private static boolean isPiece(String wanted, String queue, int start, int end) {
        return wanted == null || (wanted.length() == end - start && queue.startsWith(wanted, start));
    }
}
