package io.queen.pop;

import io.queen.message.PartitionName;
import io.queen.message.PopRequest;
import io.queen.message.PopResult;
import io.queen.pop.PopState.Fetching;
import io.queen.pop.PopState.Leasing;
import io.queen.pop.PopState.Pending;
import io.queen.pop.PopState.Resolving;
import io.queen.pop.PopState.Terminal;
import io.queen.pop.ready.PopMetrics;
import io.smallrye.mutiny.Uni;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The pops that travel together, from PENDING to their ends. A round resolves, leases and fetches for all that are not
 * done, by one statement each; a pop that got nothing although there was something to try goes through another one.
 */
final class PopBatch {
    /** No two pops of a batch try the same. */
    private record Tried(UUID partitionId, String group) {}

    private final PopStatements statements;
    private final LeaseStatements leases;
    private final Resolver resolver;
    private final PopMetrics metrics;
    private final List<PopAttempt> attempts;
    private final boolean again;
    private final long maxBytes;

    /** @param again the batch was sent before and the connection died: leases it took then are its own */
    PopBatch(
            PopStatements statements,
            LeaseStatements leases,
            Resolver resolver,
            PopMetrics metrics,
            List<PopRequest> requests,
            boolean again,
            long maxBytes) {
        this.statements = statements;
        this.leases = leases;
        this.resolver = resolver;
        this.metrics = metrics;
        this.attempts = requests.stream()
                .map(request -> new PopAttempt(request, metrics))
                .toList();
        this.again = again;
        this.maxBytes = maxBytes;
    }

    /** One result per request, in order. */
    Uni<List<PopResult>> run() {
        return round().onFailure().invoke(() -> attempts.forEach(PopAttempt::fail));
    }

    private Uni<List<PopResult>> round() {
        return begin().flatMap(done -> resolve()).flatMap(done -> take()).flatMap(done -> {
            boolean over = attempts.stream().allMatch(attempt -> attempt.is(Terminal.class));
            return over
                    ? Uni.createFrom()
                            .item(attempts.stream().map(PopAttempt::result).toList())
                    : round();
        });
    }

    private List<PopAttempt> in(Class<? extends PopState> state) {
        return attempts.stream().filter(attempt -> attempt.is(state)).toList();
    }

    private Uni<Void> begin() {
        List<PopAttempt> pending = in(Pending.class);
        Set<PartitionName> named = pending.stream()
                .map(PopAttempt::partition)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        if (named.isEmpty()) {
            pending.forEach(attempt -> attempt.begin(null));
            return Uni.createFrom().voidItem();
        }
        return statements
                .find(named)
                .invoke(ids -> pending.forEach(attempt -> attempt.begin(ids.get(attempt.partition()))))
                .replaceWithVoid();
    }

    private Uni<Void> resolve() {
        List<PopAttempt> resolving = in(Resolving.class);
        if (resolving.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        List<PopAttempt> inVain =
                resolving.stream().filter(PopAttempt::isOutOfPatience).toList();
        return resolver.check(inVain)
                .flatMap(done -> resolver.prepare(resolving))
                .invoke(() -> resolving.forEach(attempt -> attempt.offer(resolver)));
    }

    /** LEASING → FETCHING → COMPLETED for what could be claimed: one call claims and reads. */
    private Uni<Void> take() {
        List<Candidate> tried = new ArrayList<>();
        Set<Tried> known = new HashSet<>();
        for (PopAttempt attempt : in(Leasing.class)) {
            for (Candidate candidate : attempt.candidates()) {
                if (known.add(
                        new Tried(candidate.partitionId(), attempt.request().consumerGroup()))) {
                    tried.add(candidate);
                } else {
                    candidate.putBack();
                }
            }
        }
        if (tried.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        long start = System.nanoTime();
        return statements.take(tried, again, maxBytes).flatMap(done -> {
            metrics.leased(System.nanoTime() - start);
            return taken(tried);
        });
    }

    private Uni<Void> taken(List<Candidate> tried) {
        long now = System.nanoTime();
        for (Candidate candidate : tried) {
            candidate.report(now);
            if (candidate.isGone() && candidate.attempt().partition() != null) {
                statements.forget(candidate.attempt().partition());
            }
        }
        in(Leasing.class).forEach(PopAttempt::leased);
        in(Fetching.class).forEach(PopAttempt::fetched);
        return leases.giveBackUnread(tried);
    }
}
