package io.queen.consumer;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.queen.consumer.ConsumerStore.Note;
import io.queen.database.Database;
import io.queen.database.Schema;
import io.queen.message.PopTarget;
import io.queen.metrics.Complaints;
import io.queen.pop.ready.ReadyIndex;
import io.queen.runtime.ServerId;
import io.vertx.core.Vertx;
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
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Tells the database who pops through this server, so that every server can say of a group whether somebody is there: what
 * is new within a second, all that lasts every ten; one statement, of a thousand rows at most. Nobody takes anything back:
 * what is not told again is not believed any more, also when this server was killed.
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

    private final Vertx vertx;
    private final Schema schema;
    private final Database database;
    private final ReadyIndex rings;
    private final Consumers consumers;
    private final Complaints complaints;
    private final String server;
    private final Map<Key, Told> told = new ConcurrentHashMap<>();
    private final AtomicBoolean telling = new AtomicBoolean();
    private volatile long timer = -1;

    ConsumerReport(
            Vertx vertx,
            Schema schema,
            Database database,
            ReadyIndex rings,
            Consumers consumers,
            Complaints complaints,
            ServerId server) {
        this.complaints = complaints;
        this.vertx = vertx;
        this.schema = schema;
        this.database = database;
        this.rings = rings;
        this.consumers = consumers;
        this.server = server.value();
    }

    void start(@Observes StartupEvent event) {
        schema.whenReady().subscribe().with(ready -> timer = vertx.setPeriodic(EVERY_MS, ignored -> tell()));
    }

    void stop(@Observes ShutdownEvent event) {
        vertx.cancelTimer(timer);
    }

    private void tell() {
        if (telling.compareAndSet(false, true)) {
            long now = System.nanoTime();
            List<Note> due = due(present(now), now);
            if (due.isEmpty()) {
                telling.set(false);
            } else {
                send(due, now);
            }
        }
    }

    private void send(List<Note> notes, long now) {
        ConsumerStore.note(database.general(), server, BELIEVED_SECONDS, notes)
                .onTermination()
                .invoke(() -> telling.set(false))
                .subscribe()
                .with(
                        done -> notes.forEach(note -> told.put(
                                new Key(note.queue(), note.group()),
                                new Told(now, note.waiting() > 0, note.holders()))),
                        failure -> complaints.failed("Consumers are not told to the database", failure));
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
        return place.target() instanceof PopTarget.Matching target
                ? rings.matching(target, place.group()).queues()
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
