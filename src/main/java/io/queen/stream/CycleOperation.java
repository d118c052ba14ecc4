package io.queen.stream;

import io.queen.database.Connection;
import io.queen.database.DatabaseFailure;
import io.queen.message.AckResult;
import io.queen.message.PushResult;
import io.queen.push.PushOperation;
import io.queen.push.PushOperation.Prepared;
import io.queen.push.PushRequest;
import io.queen.sidecar.BatchOperation;
import io.queen.sidecar.LockKey;
import io.queen.sidecar.Operation;
import io.queen.stream.CycleStore.Answer;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Cycles: those of different source partitions are one call of {@code cycle_list_v1}, those of the same one after the
 * other. The database knows cycles that it has applied, so a batch may be run again whatever became of it before: after a lost
 * connection, and when it is taken apart because one of its cycles is refused.
 */
@Singleton
final class CycleOperation implements BatchOperation<Cycle, CycleResult> {
    private static final int MAX_TRIES = 3;

    private final PushOperation pushing;

    CycleOperation(PushOperation pushing) {
        this.pushing = pushing;
    }

    @Override
    public Operation kind() {
        return Operation.CYCLE;
    }

    @Override
    public int items(Cycle cycle) {
        return cycle.items();
    }

    @Override
    public long bytes(Cycle cycle) {
        return cycle.bytes();
    }

    @Override
    public Set<LockKey> locks(Cycle cycle) {
        Set<LockKey> keys = new HashSet<>(pushing.locks(cycle.pushes()));
        keys.add(new LockKey.OfCycle(cycle.queryId(), cycle.partitionId()));
        if (cycle.ack() != null) {
            keys.add(new LockKey.OfConsumer(cycle.partitionId(), cycle.group()));
        }
        return keys;
    }

    @Override
    public Uni<List<CycleResult>> run(Connection connection, List<Cycle> cycles, boolean again) {
        Map<UUID, CycleResult> results = new HashMap<>();
        return rounds(connection, cycles, results)
                .map(done ->
                        cycles.stream().map(cycle -> results.get(cycle.id())).toList());
    }

    /** One call for the first cycle of each partition, then the others. */
    private Uni<Void> rounds(Connection connection, List<Cycle> cycles, Map<UUID, CycleResult> results) {
        if (cycles.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        Set<UUID> partitions = new HashSet<>();
        List<Cycle> now = new ArrayList<>();
        List<Cycle> later = new ArrayList<>();
        cycles.forEach(cycle -> (partitions.add(cycle.partitionId()) ? now : later).add(cycle));
        return attempt(connection, now, results, MAX_TRIES).flatMap(done -> rounds(connection, later, results));
    }

    private Uni<Void> attempt(Connection connection, List<Cycle> cycles, Map<UUID, CycleResult> results, int tries) {
        if (cycles.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        List<PushRequest> pushes = cycles.stream().map(Cycle::pushes).toList();
        return pushing.prepare(connection, pushes)
                .flatMap(prepared -> CycleStore.apply(connection, prepared.call(), prepared.limited(), cycles)
                        .flatMap(answer -> {
                            if (answer.push().missing()) {
                                pushing.forget(pushes);
                                return tries == 1
                                        ? Uni.createFrom().failure(PushOperation.deletedAgainAndAgain())
                                        : attempt(connection, cycles, results, tries - 1);
                            }
                            return applied(connection, cycles, prepared, answer, results, tries);
                        })
                        .onFailure(failure -> cycles.size() == 1 && DatabaseFailure.isRefusal(failure))
                        .recoverWithItem(failure -> {
                            results.put(
                                    cycles.get(0).id(), CycleResult.refused(DatabaseFailure.refusal(failure), null));
                            return null;
                        }));
    }

    /** Answers those that are done; the rest of the list, if it was not applied for the sake of some, is tried again. */
    private Uni<Void> applied(
            Connection connection,
            List<Cycle> cycles,
            Prepared prepared,
            Answer answer,
            Map<UUID, CycleResult> results,
            int tries) {
        List<Cycle> before = new ArrayList<>();
        List<Cycle> rest = new ArrayList<>();
        for (int i = 0; i < cycles.size(); i++) {
            if (answer.done()[i]) {
                before.add(cycles.get(i));
                results.put(cycles.get(i).id(), doneBefore(cycles.get(i), answer, i));
            } else if (answer.errors()[i] != null) {
                results.put(cycles.get(i).id(), CycleResult.refused(answer.errors()[i], answer.queues()[i]));
            } else {
                rest.add(cycles.get(i));
            }
        }
        if (rest.size() == cycles.size()) {
            List<List<PushResult>> pushed = prepared.batch().results(answer.push());
            for (int i = 0; i < cycles.size(); i++) {
                results.put(cycles.get(i).id(), done(cycles.get(i), answer, i, pushed.get(i)));
            }
            return Uni.createFrom().voidItem();
        }
        return pushedBefore(connection, before, results).flatMap(told -> attempt(connection, rest, results, tries));
    }

    private static CycleResult done(Cycle cycle, Answer answer, int at, List<PushResult> pushed) {
        AckResult ack = new AckResult(
                null,
                answer.queues()[at],
                answer.partitions()[at],
                answer.released()[at],
                answer.dead()[at],
                answer.pending()[at]);
        return new CycleResult(null, answer.queues()[at], pushed, cycle.ack() == null ? null : ack);
    }

    /** Of a cycle that was applied by an earlier call: what was pushed is looked up, the rest follows from the request. */
    private static CycleResult doneBefore(Cycle cycle, Answer answer, int at) {
        boolean dead = CycleStore.isDead(cycle.ack());
        AckResult ack =
                new AckResult(null, answer.queues()[at], answer.partitions()[at], cycle.release() || dead, dead, true);
        return new CycleResult(null, answer.queues()[at], List.of(), cycle.ack() == null ? null : ack);
    }

    private Uni<Void> pushedBefore(Connection connection, List<Cycle> cycles, Map<UUID, CycleResult> results) {
        if (cycles.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        return pushing.prepare(connection, cycles.stream().map(Cycle::pushes).toList())
                .flatMap(prepared ->
                        CycleStore.stored(connection, prepared.call()).map(prepared.batch()::results))
                .invoke(pushed -> {
                    for (int i = 0; i < cycles.size(); i++) {
                        CycleResult known = results.get(cycles.get(i).id());
                        results.put(
                                cycles.get(i).id(), new CycleResult(null, known.queue(), pushed.get(i), known.ack()));
                    }
                })
                .replaceWithVoid();
    }

    @Override
    public Uni<Void> warmUp(Connection connection) {
        UUID none = new UUID(0, 0);
        PushRequest nothing = new PushRequest(List.of(), new UUID[0], 0, false);
        Cycle cycle = new Cycle(none, none, none, "", List.of(), 0, nothing, null, 0, true);
        return run(connection, List.of(cycle), false).replaceWithVoid();
    }
}
