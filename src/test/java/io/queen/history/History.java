package io.queen.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Everything that was done, written down by all who did something. */
final class History {
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();

    static History of(List<? extends Event> events) {
        History history = new History();
        events.forEach(history::add);
        return history;
    }

    <T extends Event> T add(T event) {
        events.add(event);
        return event;
    }

    int size() {
        return events.size();
    }

    /** The events of one kind, by their start. */
    <T extends Event> List<T> of(Class<T> kind) {
        List<T> found = new ArrayList<>();
        for (Event event : events) {
            if (kind.isInstance(event)) {
                found.add(kind.cast(event));
            }
        }
        found.sort(Comparator.comparingLong(Event::start));
        return found;
    }
}
