package io.queen.pop;

import io.queen.ack.AckStore;
import io.queen.database.Connection;
import io.queen.message.Claim;
import io.queen.message.PartitionName;
import io.queen.message.PopRequest;
import io.queen.message.PopResult;
import io.queen.message.PopTarget;
import io.queen.message.PoppedMessage;
import io.queen.pop.PopState.Fetching;
import io.queen.pop.PopState.Leasing;
import io.queen.pop.PopState.Pending;
import io.queen.pop.PopState.Resolving;
import io.queen.pop.PopState.Terminal;
import io.queen.pop.PopStore.StoredMessage;
import io.queen.pop.Resolver.Candidate;
import io.queen.pop.ready.PopMetrics;
import io.queen.pop.ready.ReadyPartitions;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The pops that travel together, from PENDING to their ends. A round resolves, leases and fetches for all that are not
 * done; who got nothing although there was something to try goes through another one.
 */
final class PopBatch {
    /** How often others may be at all its candidates until a pop gives up for now. */
    private static final int MAX_CONTESTED = 16;
    /** Rounds in vain until a pop has all that a ring offers looked at together: much of it may be stale. */
    private static final int PATIENCE = 2;

    private record Held(UUID partition, String group) {}

    /** A claim of which messages up to {@code read} were read, and more are there. */
    private record Cut(Claim claim, long read) {}

    /** What is not needed of the leases: those that found nothing, and the ends of those that were cut off. */
    private record Leftovers(List<Claim> unused, List<Cut> cut) {
        void add(Claim claim, long read) {
            if (read == 0) {
                unused.add(claim);
            } else {
                cut.add(new Cut(claim, read));
            }
        }
    }

    private final Connection connection;
    private final Resolver resolver;
    private final PopMetrics metrics;
    private final boolean again;
    private final long maxBytes;
    private final PopState[] states;
    private final Map<Integer, List<Candidate>> candidates = new HashMap<>();

    PopBatch(
            Connection connection,
            List<PopRequest> requests,
            Resolver resolver,
            PopMetrics metrics,
            boolean again,
            long maxBytes) {
        this.maxBytes = maxBytes;
        this.connection = connection;
        this.resolver = resolver;
        this.metrics = metrics;
        this.again = again;
        this.states = requests.stream().map(Pending::new).toArray(PopState[]::new);
    }

    Uni<List<PopResult>> run() {
        return round().onFailure().invoke(this::giveBack);
    }

    /** PENDING → LEASING for pops that name a partition, EMPTY if it does not exist, RESOLVING for the others. */
    private Uni<Void> start() {
        Set<PartitionName> lanes = new HashSet<>();
        boolean pending = false;
        for (PopState state : states) {
            pending |= state instanceof Pending;
            if (state instanceof Pending && state.request().target() instanceof PopTarget.Partition one) {
                lanes.add(new PartitionName(one.queue(), one.partition()));
            }
        }
        return pending
                ? resolver.find(lanes).invoke(this::depart).replaceWithVoid()
                : Uni.createFrom().voidItem();
    }

    private void depart(Map<PartitionName, UUID> found) {
        for (int i = 0; i < states.length; i++) {
            if (!(states[i] instanceof Pending pending)) {
                continue;
            }
            if (pending.request().target() instanceof PopTarget.Partition one) {
                UUID id = found.get(new PartitionName(one.queue(), one.partition()));
                go(i, id == null ? pending.empty() : pending.lease(id));
            } else {
                go(i, pending.resolve());
            }
        }
    }

    private Uni<List<PopResult>> round() {
        return start().flatMap(done -> resolve()).flatMap(done -> take()).flatMap(done -> {
            for (PopState state : states) {
                if (!(state instanceof Terminal)) {
                    return round();
                }
            }
            return Uni.createFrom().item(results());
        });
    }

    private List<PopResult> results() {
        List<PopResult> results = new ArrayList<>(states.length);
        for (PopState state : states) {
            results.add(((Terminal) state).result());
        }
        return results;
    }

    /** RESOLVING → LEASING with what the rings offer, or EMPTY. */
    private Uni<Void> resolve() {
        List<PopRequest> looking = new ArrayList<>();
        List<PopRequest> inVain = new ArrayList<>();
        for (PopState state : states) {
            if (state instanceof Resolving resolving) {
                looking.add(state.request());
                if (resolving.rounds() >= PATIENCE) {
                    inVain.add(state.request());
                }
            }
        }
        return looking.isEmpty()
                ? Uni.createFrom().voidItem()
                : resolver.sift(inVain)
                        .flatMap(done -> resolver.prepare(looking))
                        .invoke(this::offer);
    }

    private void offer() {
        for (int i = 0; i < states.length; i++) {
            if (states[i] instanceof Resolving resolving) {
                List<Candidate> taken =
                        resolving.contested() < MAX_CONTESTED ? resolver.take(resolving.request()) : List.of();
                if (taken.isEmpty()) {
                    go(i, resolving.empty(resolver.dueMillis(resolving.request())));
                } else {
                    candidates.put(i, taken);
                    go(
                            i,
                            resolving.lease(
                                    taken.stream().map(Candidate::partition).toList()));
                }
            }
        }
    }

    /** LEASING → FETCHING → COMPLETED for what could be claimed: one call claims and reads. */
    private Uni<Void> take() {
        LeaseCall call = call();
        if (call.size() == 0) {
            return Uni.createFrom().voidItem();
        }
        long start = System.nanoTime();
        return PopStore.take(connection, call, again, maxBytes)
                .invoke(() -> metrics.time("leasing", System.nanoTime() - start))
                .map(taken -> fetched(call, leased(call, taken.outcomes()), taken.messages()))
                .flatMap(left -> release(left.unused()).flatMap(done -> shorten(left.cut())));
    }

    /** The candidates of all pops that are LEASING. A partition that another pop of the batch tries is not tried twice. */
    private LeaseCall call() {
        LeaseCall call = new LeaseCall();
        Set<Held> tried = new HashSet<>();
        for (int i = 0; i < states.length; i++) {
            if (states[i] instanceof Leasing leasing) {
                addCandidates(call, tried, i, leasing);
            }
        }
        return call;
    }

    private void addCandidates(LeaseCall call, Set<Held> tried, int number, Leasing leasing) {
        int before = call.size();
        for (UUID partition : leasing.candidates()) {
            if (tried.add(new Held(partition, leasing.request().consumerGroup()))) {
                call.add(number, leasing.request(), partition);
            } else {
                putBack(number, partition);
            }
        }
        if (call.size() == before) {
            go(number, candidates.remove(number) == null ? leasing.empty(-1) : leasing.outrun());
        }
    }

    /**
     * LEASING → FETCHING with what was claimed, else EMPTY, or RESOLVING again when other partitions may do. Gives the
     * claims by candidate, null for those that were not to be had.
     */
    private Claim[] leased(LeaseCall call, List<LeaseOutcome> outcomes) {
        Claim[] claimed = new Claim[call.size()];
        Map<Integer, List<Claim>> claims = new HashMap<>();
        Map<Integer, Long> due = new HashMap<>();
        Set<Integer> gone = new HashSet<>();
        Set<Integer> settled = new HashSet<>();
        for (int i = 0; i < call.size(); i++) {
            int number = call.request(i);
            LeaseOutcome outcome = outcomes.get(i);
            if (outcome.kind() != LeaseOutcome.Kind.LOCKED) {
                settled.add(number);
            }
            PopRequest request = states[number].request();
            settle(number, call.partitionId(i), outcome);
            if (outcome.kind() == LeaseOutcome.Kind.CLAIMED) {
                claimed[i] = claim(call.partitionId(i), request, outcome);
                claims.computeIfAbsent(number, key -> new ArrayList<>()).add(claimed[i]);
            } else if (outcome.kind() == LeaseOutcome.Kind.GONE
                    && request.target() instanceof PopTarget.Partition one) {
                resolver.forget(new PartitionName(one.queue(), one.partition()));
                gone.add(number);
            }
            due.put(number, outcome.dueMillis() == null ? -1 : outcome.dueMillis());
        }
        gone.forEach(number -> go(number, ((Leasing) states[number]).restart()));
        due.keySet().removeAll(gone);
        due.forEach((number, millis) ->
                afterLease(number, claims.getOrDefault(number, List.of()), millis, settled.contains(number)));
        return claimed;
    }

    private void afterLease(int number, List<Claim> claims, long dueMillis, boolean settled) {
        Leasing leasing = (Leasing) states[number];
        boolean fromRing = candidates.remove(number) != null;
        if (!claims.isEmpty()) {
            go(number, leasing.fetch(claims));
        } else if (fromRing) {
            go(number, settled ? leasing.again() : leasing.outrun());
        } else {
            go(number, leasing.empty(dueMillis));
        }
    }

    private static Claim claim(UUID partition, PopRequest request, LeaseOutcome outcome) {
        return new Claim(
                partition,
                outcome.queue(),
                outcome.partition(),
                request.consumerGroup(),
                outcome.firstSeq(),
                outcome.lastSeq(),
                outcome.leaseId(),
                outcome.retryCount());
    }

    /** Tells the ring what became of a partition it offered. */
    private void settle(int number, UUID partition, LeaseOutcome outcome) {
        ReadyPartitions ring = ringOf(number, partition);
        if (ring == null) {
            return;
        }
        long now = System.nanoTime();
        switch (outcome.kind()) {
            case FREE -> ring.putBack(partition);
            case EMPTY, GONE -> ring.forget(partition);
            case LOCKED -> ring.layAside(partition, 1, now);
            case LEASED, DELAYED, WINDOW -> ring.layAside(partition, outcome.dueMillis(), now);
            case CLAIMED -> {
                if (outcome.leaseId() != null) {
                    ring.leased(partition, outcome.leaseId(), outcome.dueMillis(), now);
                } else if (outcome.more()) {
                    ring.served(partition);
                } else {
                    ring.forget(partition);
                }
            }
        }
    }

    private void putBack(int number, UUID partition) {
        ReadyPartitions ring = ringOf(number, partition);
        if (ring != null) {
            ring.putBack(partition);
        }
    }

    private ReadyPartitions ringOf(int number, UUID partition) {
        for (Candidate candidate : candidates.getOrDefault(number, List.of())) {
            if (candidate.partition().equals(partition)) {
                return candidate.ring();
            }
        }
        return null;
    }

    /** FETCHING → COMPLETED, or on with what is left when the messages were removed. */
    private Leftovers fetched(LeaseCall call, Claim[] claimed, List<StoredMessage> stored) {
        Map<Integer, List<PoppedMessage>> messages = new HashMap<>();
        long[] read = new long[claimed.length];
        for (StoredMessage message : stored) {
            int candidate = message.candidate();
            read[candidate] = message.seq();
            messages.computeIfAbsent(call.request(candidate), key -> new ArrayList<>())
                    .add(popped(claimed[candidate], message));
        }
        Map<Integer, List<Claim>> used = new HashMap<>();
        Leftovers left = new Leftovers(new ArrayList<>(), new ArrayList<>());
        for (int i = 0; i < read.length; i++) {
            Claim claim = claimed[i];
            if (read[i] > 0) {
                used.computeIfAbsent(call.request(i), key -> new ArrayList<>()).add(claim);
            }
            if (claim != null && claim.leaseId() != null && read[i] < claim.lastSeq()) {
                left.add(claim, read[i]);
            }
        }
        for (int i = 0; i < states.length; i++) {
            if (states[i] instanceof Fetching fetching) {
                afterFetch(i, fetching, used.get(i), messages.get(i));
            }
        }
        return left;
    }

    private void afterFetch(int number, Fetching fetching, List<Claim> used, List<PoppedMessage> messages) {
        if (messages != null) {
            go(number, fetching.complete(used, messages));
        } else {
            boolean named = fetching.request().target() instanceof PopTarget.Partition;
            UUID first = fetching.claims().get(0).partitionId();
            go(number, named ? fetching.lease(first) : fetching.again());
        }
    }

    private static PoppedMessage popped(Claim claim, StoredMessage message) {
        return new PoppedMessage(
                claim,
                message.seq(),
                message.id(),
                message.transactionId(),
                message.traceId(),
                message.payload(),
                message.encrypted(),
                message.producerSub(),
                message.createdAt());
    }

    /** What was claimed and turned out to be removed is given back, with the cursor behind it. */
    private Uni<Void> release(List<Claim> claims) {
        return claims.isEmpty() ? Uni.createFrom().voidItem() : AckStore.release(connection, claims, ends(claims));
    }

    private Uni<Void> shorten(List<Cut> cut) {
        List<Claim> claims = cut.stream().map(Cut::claim).toList();
        Long[] read = cut.stream().map(Cut::read).toArray(Long[]::new);
        return cut.isEmpty()
                ? Uni.createFrom().voidItem()
                : PopStore.shorten(connection, ids(claims), groups(claims), leases(claims), read);
    }

    static UUID[] ids(List<Claim> claims) {
        return claims.stream().map(Claim::partitionId).toArray(UUID[]::new);
    }

    static String[] groups(List<Claim> claims) {
        return claims.stream().map(Claim::consumerGroup).toArray(String[]::new);
    }

    static UUID[] leases(List<Claim> claims) {
        return claims.stream().map(Claim::leaseId).toArray(UUID[]::new);
    }

    private static Long[] ends(List<Claim> claims) {
        return claims.stream().map(Claim::lastSeq).toArray(Long[]::new);
    }

    private void go(int number, PopState next) {
        metrics.transition(states[number].label(), next.label(), 1);
        states[number] = next;
    }

    /** The batch failed: what it took from the rings goes back. */
    private void giveBack() {
        for (List<Candidate> taken : candidates.values()) {
            taken.forEach(candidate -> candidate.ring().putBack(candidate.partition()));
        }
        for (PopState state : states) {
            metrics.transition(state.label(), "failed", 1);
        }
    }
}
