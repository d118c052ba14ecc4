package io.queen.pop;

import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import io.queen.pop.ready.PopMetrics;
import io.queen.pop.ready.ReadyIndex;
import io.queen.pop.ready.ReadyPartitions;
import io.queen.pop.ready.ReadyQuestions;
import io.queen.pop.ready.ReadyQuestions.Question;
import io.queen.pop.ready.ReadyStore;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Finds partitions for the pops of one batch that name none: among the ready ones of the queues they may take from. */
final class Resolver {
    private final ReadyQuestions questions;
    private final ReadyIndex index;
    private final PopMetrics metrics;
    private final FilteredQueues filtered;

    Resolver(ReadyQuestions questions, ReadyIndex index, PopMetrics metrics, FilteredQueues filtered) {
        this.questions = questions;
        this.index = index;
        this.metrics = metrics;
        this.filtered = filtered;
    }

    /** Sees to it that the index knows what there is for these pops, as far as they need it. */
    Uni<Void> prepare(List<PopAttempt> attempts) {
        long start = System.nanoTime();
        return filtered.find(attempts)
                .flatMap(done -> refill(lacking(attempts, start)))
                .invoke(() -> metrics.resolved(System.nanoTime() - start));
    }

    /**
     * Has what is said to be ready for these pops checked, many partitions at once: others may have emptied them all, and
     * to try one after the other takes too long.
     */
    Uni<Void> check(List<PopAttempt> attempts) {
        Uni<Void> all = Uni.createFrom().voidItem();
        for (PopAttempt attempt : attempts) {
            for (ReadyPartitions ready : sources(attempt.request())) {
                all = all.flatMap(done -> check(ready, attempt.request().consumerGroup()));
            }
        }
        return all;
    }

    private Uni<Void> check(ReadyPartitions ready, String group) {
        UUID[] check = ready.beginCheck(ReadyStore.PAGE, System.nanoTime());
        return check.length < 2
                ? Uni.createFrom().voidItem()
                : questions
                        .checkPartitions(group, check)
                        .invoke(found -> ready.endCheck(check, found, System.nanoTime()))
                        .replaceWithVoid();
    }

    /** Partitions to try for the pop, from the first of its queues that has some. */
    List<Candidate> take(PopAttempt attempt) {
        for (ReadyPartitions ready : sources(attempt.request())) {
            List<UUID> taken = ready.take(wanted(attempt.request()), System.nanoTime());
            if (!taken.isEmpty()) {
                return taken.stream()
                        .map(partition -> new Candidate(attempt, partition, ready))
                        .toList();
            }
        }
        return List.of();
    }

    /**
     * A pop of several partitions looks at more than it wants: some may have been emptied meanwhile and must not use up
     * its number. One of a single partition takes just that, because what it holds no other pop can have.
     */
    private static int wanted(PopRequest request) {
        return request.partitions() == 1 ? 1 : 2 * request.partitions();
    }

    /** Milliseconds until the first partition for the pop is due; -1 when none is known. */
    long dueMillis(PopRequest request) {
        return sources(request).stream()
                .mapToLong(ready -> ready.dueMillis(System.nanoTime()))
                .filter(due -> due >= 0)
                .min()
                .orElse(-1);
    }

    /** A pop that names its queue does not come here while that is paused; one of several leaves out what is. */
    private List<ReadyPartitions> sources(PopRequest request) {
        if (request.target() instanceof PopTarget.Queue queue) {
            return List.of(index.of(queue.queue(), request.consumerGroup()));
        }
        return index.of(filtered.of(request), request.consumerGroup());
    }

    /** The sources that have too little ready for a pop. */
    private List<ReadyPartitions> lacking(List<PopAttempt> attempts, long now) {
        Set<ReadyPartitions> lacking = new LinkedHashSet<>();
        for (PopAttempt attempt : attempts) {
            for (ReadyPartitions ready : sources(attempt.request())) {
                if (ready.readyCount(now) < attempt.request().partitions()) {
                    lacking.add(ready);
                }
            }
        }
        return List.copyOf(lacking);
    }

    /** Asks for changes, and page by page on where nothing is known, until something is ready. */
    private Uni<Void> refill(List<ReadyPartitions> lacking) {
        if (lacking.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        long asked = System.nanoTime();
        List<Question> asking =
                lacking.stream().map(ready -> ready.question(asked)).toList();
        return questions.changesSince(asking).flatMap(answers -> {
            List<ReadyPartitions> further = new ArrayList<>();
            for (int i = 0; i < asking.size(); i++) {
                ReadyPartitions ready = lacking.get(i);
                boolean complete = ready.answer(asking.get(i), answers.get(i), asked, System.nanoTime());
                if (!complete && !ready.hasReady()) {
                    further.add(ready);
                }
            }
            return refill(further);
        });
    }
}
