package io.queen.consumer;

import io.quarkus.runtime.StartupEvent;
import io.queen.consumer.ConsumerStore.Note;
import io.queen.database.Schema;
import io.queen.message.PopTarget;
import io.queen.pop.ready.ReadyIndex;
import io.queen.runtime.PeriodicTasks;
import io.queen.runtime.ServerId;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells the database which consumers pop through this server, so that every server can say whether a group has any: what is
 * new within a second, all that lasts every ten; one statement, of a thousand rows at most. Nothing is taken back: what is
 * not told again is not believed any more, also when this server was killed.
 */
@Singleton
final class ConsumerReport {
    private static final long EVERY_MS = 1000;
    private static final long AGAIN_NANOS = 10_000_000_000L;
    private static final int BELIEVED_SECONDS = 30;
    private static final int PORTION = 1000;
    /** Groups at queues that are told of at most: any number of names can be made up, for any number of queues. */
    private static final int MOST = 10_000;

    private record Key(String queue, String group) {}

    private record Told(long nanos, boolean waiting, Collection<String> holders) {}

    private final PeriodicTasks tasks;
    private final Schema schema;
    private final ConsumerStore store;
    private final ReadyIndex index;
    private final Consumers consumers;
    private final String server;
    private final Map<Key, Told> told = new ConcurrentHashMap<>();

    ConsumerReport(
            PeriodicTasks tasks,
            Schema schema,
            ConsumerStore store,
            ReadyIndex index,
            Consumers consumers,
            ServerId server) {
        this.tasks = tasks;
        this.schema = schema;
        this.store = store;
        this.index = index;
        this.consumers = consumers;
        this.server = server.value();
    }

    void start(@Observes StartupEvent event) {
        schema.onReady(tasks.every(EVERY_MS, "Consumers are not told to the database", this::tell)::start);
    }

    private Uni<Void> tell() {
        long now = System.nanoTime();
        List<Note> due = due(present(now), now);
        return due.isEmpty()
                ? Uni.createFrom().voidItem()
                : store.note(server, BELIEVED_SECONDS, due).invoke(() -> told(due, now));
    }

    private void told(List<Note> notes, long now) {
        for (Note note : notes) {
            told.put(new Key(note.queue(), note.group()), new Told(now, note.waiting() > 0, note.holders()));
        }
    }

    private Map<Key, Note> present(long now) {
        Map<Key, Note> present = new HashMap<>();
        consumers.eachWaiting((place, count) -> note(present, place, count, List.of()));
        consumers.eachSeen(now, (place, holders) -> note(present, place, 0, holders));
        return present;
    }

    private void note(Map<Key, Note> present, Consumers.Place place, int waiting, Iterable<String> holders) {
        for (String queue : queues(place)) {
            Key key = new Key(queue, place.group());
            Note before = present.get(key);
            if (before == null && present.size() >= MOST) {
                return;
            }
            Collection<String> seen = before == null ? new TreeSet<>() : before.holders();
            holders.forEach(seen::add);
            present.put(
                    key, new Note(queue, place.group(), before == null ? waiting : before.waiting() + waiting, seen));
        }
    }

    /** A pop by namespace and task counts at all queues that its last look found. */
    private Set<String> queues(Consumers.Place place) {
        return place.target() instanceof PopTarget.Filter filter
                ? index.of(filter, place.group()).queues()
                : Set.of(((PopTarget.Queue) place.target()).queue());
    }

    private List<Note> due(Map<Key, Note> present, long now) {
        told.keySet().retainAll(present.keySet());
        List<Note> due = new ArrayList<>();
        for (Map.Entry<Key, Note> entry : present.entrySet()) {
            if (due.size() < PORTION && isDue(told.get(entry.getKey()), entry.getValue(), now)) {
                due.add(entry.getValue());
            }
        }
        return due;
    }

    private static boolean isDue(Told before, Note note, long now) {
        return before == null
                || now - before.nanos() >= AGAIN_NANOS
                || (note.waiting() > 0 && !before.waiting())
                || !before.holders().containsAll(note.holders());
    }
}
