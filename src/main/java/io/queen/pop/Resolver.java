package io.queen.pop;

import io.queen.database.Connection;
import io.queen.message.PartitionName;
import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import io.queen.pop.ready.Pauses;
import io.queen.pop.ready.PopMetrics;
import io.queen.pop.ready.ReadyIndex;
import io.queen.pop.ready.ReadyPartitions;
import io.queen.pop.ready.ReadyStore;
import io.queen.push.PartitionIdCache;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Finds partitions for the pops of one batch: by name, or from the rings of the queues they may take from. */
final class Resolver {
    /** Partitions looked at in one step of a sweep: a few milliseconds. */
    private static final int SWEEP_STEP = 2000;

    private final Connection connection;
    private final ReadyIndex rings;
    private final PartitionIdCache partitionIds;
    private final Subscriptions subscriptions;
    private final Pauses pauses;
    private final PopMetrics metrics;
    private final Map<PopTarget.Matching, List<String>> matching = new LinkedHashMap<>();

    Resolver(
            Connection connection,
            ReadyIndex rings,
            PartitionIdCache partitionIds,
            Subscriptions subscriptions,
            Pauses pauses,
            PopMetrics metrics) {
        this.pauses = pauses;
        this.subscriptions = subscriptions;
        this.connection = connection;
        this.rings = rings;
        this.partitionIds = partitionIds;
        this.metrics = metrics;
    }

    /** A partition from a ring: it must be settled there. */
    record Candidate(UUID partition, ReadyPartitions ring) {}

    Uni<Map<PartitionName, UUID>> find(Collection<PartitionName> lanes) {
        return lanes.isEmpty() ? Uni.createFrom().item(Map.of()) : partitionIds.find(connection, lanes);
    }

    void forget(PartitionName lane) {
        partitionIds.forget(lane);
    }

    /** Sees to it that the rings of these requests know what there is, as far as the requests need it. */
    Uni<Void> prepare(List<PopRequest> requests) {
        long start = System.nanoTime();
        return names(requests)
                .flatMap(done -> refill(needy(requests)))
                .invoke(() -> metrics.time("resolving", System.nanoTime() - start));
    }

    /**
     * Has what the rings of these requests offer looked at, many partitions at once: others may have emptied them all, and
     * to try one after the other takes too long. What has nothing is forgotten.
     */
    Uni<Void> sift(List<PopRequest> requests) {
        Uni<Void> all = Uni.createFrom().voidItem();
        for (PopRequest request : requests) {
            for (ReadyPartitions ring : rings(request)) {
                all = all.flatMap(done -> sift(ring, request.consumerGroup()));
            }
        }
        return all;
    }

    private Uni<Void> sift(ReadyPartitions ring, String group) {
        UUID[] suspects = ring.suspects(SWEEP_STEP, System.nanoTime());
        return suspects.length < 2
                ? Uni.createFrom().voidItem()
                : ReadyStore.sift(connection, group, suspects)
                        .invoke(news -> ring.sifted(suspects, news, System.nanoTime()))
                        .replaceWithVoid();
    }

    /** Partitions to try for the request, from the queues in their order. */
    List<Candidate> take(PopRequest request) {
        List<Candidate> candidates = new ArrayList<>();
        for (ReadyPartitions ring : rings(request)) {
            for (UUID partition : ring.take(wanted(request), System.nanoTime())) {
                candidates.add(new Candidate(partition, ring));
            }
            if (!candidates.isEmpty()) {
                break;
            }
        }
        return candidates;
    }

    /**
     * A pop of several partitions looks at more than it wants: some may have been emptied meanwhile and must not use up
     * its number. One of a single partition takes just that, because what it holds nobody else can have.
     */
    private static int wanted(PopRequest request) {
        return request.partitions() == 1 ? 1 : 2 * request.partitions();
    }

    long dueMillis(PopRequest request) {
        long due = -1;
        for (ReadyPartitions ring : rings(request)) {
            long of = ring.dueMillis(System.nanoTime());
            due = of >= 0 && (due < 0 || of < due) ? of : due;
        }
        return due;
    }

    private List<ReadyPartitions> rings(PopRequest request) {
        List<ReadyPartitions> all = new ArrayList<>();
        for (String queue : queues(request)) {
            all.add(rings.ring(queue, request.consumerGroup()));
        }
        return all;
    }

    /** A pop that names its queue does not come here while that is paused; one of several leaves out what is. */
    private List<String> queues(PopRequest request) {
        if (request.target() instanceof PopTarget.Queue queue) {
            return List.of(queue.queue());
        }
        List<String> all = matching.getOrDefault(request.target(), List.of());
        return pauses.isEmpty()
                ? all
                : all.stream()
                        .filter(queue -> !pauses.holds(queue, request.consumerGroup()))
                        .toList();
    }

    private Uni<Void> names(List<PopRequest> requests) {
        Uni<Void> all = Uni.createFrom().voidItem();
        for (PopRequest request : requests) {
            if (request.target() instanceof PopTarget.Matching target) {
                all = all.flatMap(done -> names(target)).flatMap(names -> {
                    rings.matching(target, request.consumerGroup()).found(names);
                    return subscriptions.record(connection, request, names);
                });
            }
        }
        return all;
    }

    /** Asked once in the life of a batch. */
    private Uni<List<String>> names(PopTarget.Matching target) {
        List<String> known = matching.get(target);
        return known != null
                ? Uni.createFrom().item(known)
                : PopStore.matching(connection, target.namespace(), target.task())
                        .invoke(names -> matching.put(target, names));
    }

    /** A ring to be asked about, with the names the questions need. */
    private record Asked(String queue, String group, ReadyPartitions ring) {}

    private List<Asked> needy(List<PopRequest> requests) {
        Set<Asked> needy = new LinkedHashSet<>();
        for (PopRequest request : requests) {
            for (String queue : queues(request)) {
                ReadyPartitions ring = rings.ring(queue, request.consumerGroup());
                if (ring.readyCount(System.nanoTime()) < request.partitions()) {
                    needy.add(new Asked(queue, request.consumerGroup(), ring));
                }
            }
        }
        return List.copyOf(needy);
    }

    private Uni<Void> refill(List<Asked> needy) {
        if (needy.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        long asked = System.nanoTime();
        List<ReadyPartitions.Question> questions =
                needy.stream().map(one -> one.ring().question(asked)).toList();
        List<ReadyStore.Question> calls = new ArrayList<>();
        for (int i = 0; i < needy.size(); i++) {
            ReadyPartitions.Question question = questions.get(i);
            calls.add(new ReadyStore.Question(
                    needy.get(i).queue(), needy.get(i).group(), question.mark(), question.sweepAfter(), SWEEP_STEP));
        }
        return ReadyStore.news(connection, calls).flatMap(answers -> {
            List<Asked> further = new ArrayList<>();
            for (int i = 0; i < needy.size(); i++) {
                ReadyPartitions ring = needy.get(i).ring();
                boolean complete = ring.answer(questions.get(i), answers.get(i), asked, System.nanoTime());
                if (!complete && !ring.hasReady()) {
                    further.add(needy.get(i));
                }
            }
            return refill(further);
        });
    }
}
