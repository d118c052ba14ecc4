package io.queen.pop.ready;

import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** What an operator holds back, as this server heard last. Read by every pop: one look into a map, no lock. */
@Singleton
public final class Pauses {
    /** Stands for the whole queue: no group has this name. */
    private static final String WHOLE = "";

    private volatile Map<String, Set<String>> groups = Map.of();

    public boolean isEmpty() {
        return groups.isEmpty();
    }

    public boolean holds(String queue, String group) {
        Set<String> held = groups.get(queue);
        return held != null && (held.contains(WHOLE) || held.contains(group));
    }

    /** Whether a pop that names its queue gets nothing. */
    public boolean holds(PopRequest request) {
        if (request.target() instanceof PopTarget.Queue queue) {
            return holds(queue.queue(), request.consumerGroup());
        }
        return request.target() instanceof PopTarget.Partition one && holds(one.queue(), request.consumerGroup());
    }

    public void replace(Collection<Pause> pauses) {
        Map<String, Set<String>> fresh = new HashMap<>();
        for (Pause pause : pauses) {
            fresh.computeIfAbsent(pause.queue(), name -> new HashSet<>())
                    .add(pause.group() == null ? WHOLE : pause.group());
        }
        groups = fresh;
    }
}
