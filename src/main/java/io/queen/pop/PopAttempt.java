package io.queen.pop;

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
import io.queen.pop.ready.PopMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * One pop on its way through a batch: its request, where it is, and the messages that it has got. The partitions that it
 * tries are in its state.
 */
final class PopAttempt {
    /** How often others may be at all its candidates until a pop gives up for now. */
    private static final int MAX_CONTESTED = 16;
    /** Rounds in vain until a pop has all that is said to be ready checked together: much of it may be stale. */
    private static final int PATIENCE = 2;

    private final PopRequest request;
    private final PopMetrics metrics;
    private final List<PoppedMessage> messages = new ArrayList<>();
    private PopState state = new Pending();
    /** How often it came back from candidates that were not to be had. */
    private int rounds;
    /** How often because others were at them right then. */
    private int contested;

    PopAttempt(PopRequest request, PopMetrics metrics) {
        this.request = request;
        this.metrics = metrics;
    }

    PopRequest request() {
        return request;
    }

    boolean is(Class<? extends PopState> kind) {
        return kind.isInstance(state);
    }

    PopResult result() {
        return ((Terminal) state).result();
    }

    /** The partition that it names; null when any will do. */
    PartitionName partition() {
        return request.target() instanceof PopTarget.Partition one ? one.name() : null;
    }

    /** PENDING → LEASING when it names a partition, EMPTY if that has no id, RESOLVING when any will do. */
    void begin(UUID partitionId) {
        Pending pending = (Pending) state;
        if (!(request.target() instanceof PopTarget.Partition)) {
            go(pending.resolve());
        } else if (partitionId == null) {
            go(pending.empty());
        } else {
            go(pending.lease(new Candidate(this, partitionId, null)));
        }
    }

    /** Whether it went through so many rounds in vain that what is said to be ready should be checked. */
    boolean isOutOfPatience() {
        return rounds >= PATIENCE;
    }

    /** RESOLVING → LEASING with what is ready, or EMPTY. */
    void offer(Resolver resolver) {
        Resolving resolving = (Resolving) state;
        List<Candidate> taken = contested < MAX_CONTESTED ? resolver.take(this) : List.of();
        go(taken.isEmpty() ? resolving.empty(resolver.dueMillis(request)) : resolving.lease(taken));
    }

    /** The partitions that it tries. */
    List<Candidate> candidates() {
        return ((Leasing) state).candidates();
    }

    /** LEASING → FETCHING with what was claimed, else EMPTY, or RESOLVING again when other partitions may do. */
    void leased() {
        Leasing leasing = (Leasing) state;
        List<Candidate> claimed =
                leasing.candidates().stream().filter(one -> one.claim() != null).toList();
        if (!claimed.isEmpty()) {
            go(leasing.fetch(claimed));
        } else if (!(request.target() instanceof PopTarget.Partition)) {
            rounds++;
            contested += leasing.candidates().stream().allMatch(Candidate::isContested) ? 1 : 0;
            go(leasing.again());
        } else {
            Candidate named = leasing.candidates().get(0);
            go(named.isGone() ? leasing.restart() : leasing.empty(named.dueMillis()));
        }
    }

    void add(PoppedMessage message) {
        messages.add(message);
    }

    /** FETCHING → COMPLETED, or on with what is left when the messages were removed. */
    void fetched() {
        Fetching fetching = (Fetching) state;
        if (!messages.isEmpty()) {
            go(fetching.complete(filled(fetching), messages));
        } else if (request.target() instanceof PopTarget.Partition) {
            UUID named = fetching.claimed().get(0).partitionId();
            go(fetching.lease(new Candidate(this, named, null)));
        } else {
            rounds++;
            go(fetching.again());
        }
    }

    private static List<Claim> filled(Fetching fetching) {
        return fetching.claimed().stream()
                .filter(one -> one.lastRead() > 0)
                .map(Candidate::claim)
                .toList();
    }

    /** The batch failed: what it took goes back. */
    void fail() {
        if (state instanceof Leasing leasing) {
            leasing.candidates().forEach(Candidate::putBack);
        }
        metrics.transition(state.phase(), PopMetrics.Phase.FAILED);
    }

    private void go(PopState next) {
        metrics.transition(state.phase(), next.phase());
        state = next;
    }
}
