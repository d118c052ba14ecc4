package io.queen.pop;

import io.queen.message.PopTarget;
import java.util.Collection;
import java.util.Set;

/**
 * Where pops by namespace and task wait. They hear of news in the queues that the last look found, and in queues whose
 * names say that they belong; a new queue of another name is found by the next look.
 */
final class Matching {
    private final PopTarget.Matching target;
    private final Parking parking;
    private volatile Set<String> queues = Set.of();

    Matching(PopTarget.Matching target, Parking parking) {
        this.target = target;
        this.parking = parking;
    }

    Parking parking() {
        return parking;
    }

    void found(Collection<String> names) {
        queues = Set.copyOf(names);
    }

    void news(String queue) {
        if (queues.contains(queue) || saysSo(queue)) {
            parking.wakeOne();
        }
    }

    private boolean saysSo(String queue) {
        String[] pieces = queue.split("\\.", 3);
        String task = pieces.length > 1 ? pieces[1] : "";
        return (target.namespace() == null || target.namespace().equals(pieces[0]))
                && (target.task() == null || target.task().equals(task));
    }
}
