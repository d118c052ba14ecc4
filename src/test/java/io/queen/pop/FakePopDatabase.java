package io.queen.pop;

import io.queen.message.Claim;
import io.queen.message.PartitionName;
import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import io.queen.message.PoppedMessage;
import io.queen.pop.ready.ReadyQuestions;
import io.smallrye.mutiny.Uni;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** Partitions in memory, as a batch of pops sees them in the database: one group, no clock. */
final class FakePopDatabase implements PopStatements, LeaseStatements, ReadyQuestions {
    static final int PAYLOAD_BYTES = 10;

    /** What is stored of a partition. Messages have the numbers from 1 to {@code head}. */
    static final class Partition {
        final UUID id = UUID.randomUUID();
        final PartitionName name;
        final Set<Long> removed = new HashSet<>();
        long head;
        long cursor;
        UUID lease;
        boolean locked;

        Partition(PartitionName name) {
            this.name = name;
        }
    }

    /** What was asked, in order; statements of the state machine only. */
    final List<String> calls = new ArrayList<>();

    final List<PartitionName> forgotten = new ArrayList<>();
    final Map<PartitionName, UUID> known = new HashMap<>();
    final List<Claim> released = new ArrayList<>();
    final List<Cut> shortened = new ArrayList<>();
    final Map<String, List<String>> queuesByNamespace = new HashMap<>();
    private final Map<UUID, Partition> partitions = new LinkedHashMap<>();
    int page = 100;
    RuntimeException failure;
    /** What happens between the look for partitions and the statement that leases. */
    Runnable beforeTake = () -> {};

    Partition add(String queue, String name, int messages) {
        Partition partition = new Partition(new PartitionName(queue, name));
        partition.head = messages;
        partitions.put(partition.id, partition);
        known.put(partition.name, partition.id);
        return partition;
    }

    void delete(Partition partition) {
        partitions.remove(partition.id);
    }

    @Override
    public Uni<Map<PartitionName, UUID>> find(Collection<PartitionName> names) {
        calls.add("find");
        Map<PartitionName, UUID> found = new HashMap<>(known);
        found.keySet().retainAll(names);
        return Uni.createFrom().item(found);
    }

    @Override
    public void forget(PartitionName partition) {
        forgotten.add(partition);
        known.remove(partition);
        partitions.values().stream()
                .filter(one -> one.name.equals(partition))
                .forEach(one -> known.put(partition, one.id));
    }

    @Override
    public Uni<List<String>> queues(PopTarget.Filter filter) {
        calls.add("queues");
        return Uni.createFrom().item(queuesByNamespace.getOrDefault(filter.namespace(), List.of()));
    }

    @Override
    public Uni<Void> take(List<Candidate> candidates, boolean again, long maxBytes) {
        calls.add("take " + candidates.size());
        beforeTake.run();
        if (failure != null) {
            return Uni.createFrom().failure(failure);
        }
        Map<PopAttempt, List<Claim>> claims = new HashMap<>();
        for (Candidate candidate : candidates) {
            List<Claim> before = claims.computeIfAbsent(candidate.attempt(), key -> new ArrayList<>());
            decide(candidate, again, before);
            if (candidate.claim() != null) {
                before.add(candidate.claim());
            }
        }
        candidates.stream()
                .filter(candidate -> candidate.claim() != null)
                .forEach(candidate -> read(candidate, maxBytes));
        return Uni.createFrom().voidItem();
    }

    private void decide(Candidate candidate, boolean again, List<Claim> before) {
        Partition partition = partitions.get(candidate.partitionId());
        PopRequest request = candidate.request();
        long left = request.batch()
                - before.stream()
                        .mapToLong(claim -> claim.lastSeq() - claim.firstSeq())
                        .sum();
        if (partition == null) {
            candidate.refused(Candidate.Outcome.GONE, -1);
        } else if (partition.locked) {
            candidate.refused(Candidate.Outcome.LOCKED, -1);
        } else if (partition.lease != null && !(again && partition.lease.equals(request.leaseId()))) {
            candidate.refused(Candidate.Outcome.LEASED, 60_000);
        } else if (partition.head == partition.cursor) {
            candidate.refused(Candidate.Outcome.EMPTY, -1);
        } else if (left == 0 || before.size() == request.partitions()) {
            candidate.refused(Candidate.Outcome.FREE, -1);
        } else {
            long last = Math.min(partition.head, partition.cursor + left);
            claim(candidate, partition, last);
        }
    }

    private static void claim(Candidate candidate, Partition partition, long last) {
        PopRequest request = candidate.request();
        UUID lease = request.autoAck() ? null : request.leaseId();
        Claim claim = new Claim(
                partition.id,
                partition.name.queue(),
                partition.name.partition(),
                request.consumerGroup(),
                partition.cursor,
                last,
                lease,
                0);
        partition.lease = lease;
        candidate.claimed(claim, 60_000, partition.head > last);
        partition.cursor = lease == null ? last : partition.cursor;
    }

    private void read(Candidate candidate, long maxBytes) {
        Claim claim = candidate.claim();
        long bytes = 0;
        for (long seq = claim.firstSeq() + 1; seq <= claim.lastSeq(); seq++) {
            if (!partitions.get(claim.partitionId()).removed.contains(seq)) {
                if (bytes > 0 && bytes + PAYLOAD_BYTES > maxBytes) {
                    return;
                }
                bytes += PAYLOAD_BYTES;
                candidate.read(message(claim, seq));
            }
        }
    }

    static PoppedMessage message(Claim claim, long seq) {
        return new PoppedMessage(
                claim,
                seq,
                new UUID(0, seq),
                "t" + seq,
                null,
                "\"12345678\"",
                false,
                null,
                OffsetDateTime.now(ZoneOffset.UTC),
                null,
                null);
    }

    @Override
    public Uni<Void> release(List<Claim> claims) {
        released.addAll(claims);
        claims.forEach(claim -> {
            partitions.get(claim.partitionId()).lease = null;
            partitions.get(claim.partitionId()).cursor = claim.lastSeq();
        });
        return Uni.createFrom().voidItem();
    }

    @Override
    public Uni<Void> shorten(List<Cut> cuts) {
        shortened.addAll(cuts);
        return Uni.createFrom().voidItem();
    }

    @Override
    public Uni<Void> rest(List<Claim> claims, int seconds) {
        return Uni.createFrom().voidItem();
    }

    @Override
    public Uni<Void> deadLetter(List<PoppedMessage> messages, List<String> errors) {
        return Uni.createFrom().voidItem();
    }

    /** A scan goes by name, and a mark is followed by no changes. */
    @Override
    public Uni<List<Answer>> changesSince(List<Question> questions) {
        questions.forEach(question -> calls.add(
                question.mark() == null ? "scan " + question.queue() + " after " + question.scanAfter() : "changes"));
        return Uni.createFrom().item(questions.stream().map(this::answer).toList());
    }

    private Answer answer(Question question) {
        if (question.mark() != null) {
            return new Answer(List.of(), null, "m");
        }
        List<Partition> all = partitions.values().stream()
                .filter(one -> one.name.queue().equals(question.queue()))
                .sorted((one, other) -> one.name.partition().compareTo(other.name.partition()))
                .filter(one ->
                        question.scanAfter() == null || one.name.partition().compareTo(question.scanAfter()) > 0)
                .toList();
        List<Partition> some = all.subList(0, Math.min(page, all.size()));
        boolean more = all.size() > some.size();
        return new Answer(found(some, one -> one.head > one.cursor), more ? last(some) : null, "m");
    }

    private static String last(List<Partition> some) {
        return some.get(some.size() - 1).name.partition();
    }

    private static List<Found> found(List<Partition> some, Predicate<Partition> has) {
        return some.stream()
                .filter(has)
                .map(one -> new Found(one.id, one.lease == null ? 0 : 60_000))
                .toList();
    }

    @Override
    public Uni<List<Found>> checkPartitions(String group, UUID[] ids) {
        calls.add("check " + ids.length);
        List<Partition> some = IntStream.range(0, ids.length)
                .mapToObj(i -> partitions.get(ids[i]))
                .filter(one -> one != null)
                .toList();
        return Uni.createFrom().item(found(some, one -> one.head > one.cursor));
    }
}
