package io.queen.sidecar;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queen.metrics.Complaints;
import io.queen.runtime.ManualLoop;
import io.queen.tracing.Tracing;
import io.smallrye.mutiny.Uni;
import io.vertx.pgclient.PgException;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The batch engine of a sidecar on no database: operations, connections, locks and time are those of the test. */
final class Engine {
    static final Duration LONG = Duration.ofHours(1);
    static final BatchLimits LIMITS = new BatchLimits(100, 1000, LONG, 50, 2, true);
    static final long PATIENCE_MS = 1000;

    final ManualLoop loop = new ManualLoop();
    final FakeSlots slots;
    /** What other transactions hold, and which. */
    final Map<LockKey, String> held = new HashMap<>();

    private final Map<Operation, FakeOperation> operations = new EnumMap<>(Operation.class);
    private final Map<Operation, BatchQueue<FakeOperation.Job, String>> queues = new EnumMap<>(Operation.class);
    private final Map<Operation, OperationMetrics> metrics = new EnumMap<>(Operation.class);
    private final Dispatcher dispatcher;

    Engine(int slotCount, BatchLimits limits, Operation... kinds) {
        slots = new FakeSlots(slotCount, loop);
        LockWatch watch = new LockWatch(loop, (connection, keys) -> ask(keys), new HeldWarnings(), PATIENCE_MS);
        for (Operation kind : kinds) {
            operations.put(kind, new FakeOperation(kind));
            metrics.put(
                    kind,
                    new OperationMetrics(
                            new SimpleMeterRegistry(), kind, new Complaints(() -> 0, line -> {}), Tracing.OFF));
            queues.put(kind, new BatchQueue<>(operations.get(kind), limits, metrics.get(kind), loop, watch));
        }
        dispatcher = new Dispatcher(slots, watch, List.copyOf(queues.values()));
    }

    static Engine ofPushes(int slotCount, BatchLimits limits) {
        return new Engine(slotCount, limits, Operation.PUSH);
    }

    static PgException postgres(String state) {
        return new PgException("failed", "ERROR", state, null);
    }

    private Uni<Map<LockKey, String>> ask(Collection<LockKey> keys) {
        Map<LockKey, String> found = new HashMap<>(held);
        found.keySet().retainAll(keys);
        return Uni.createFrom().item(found);
    }

    FakeOperation pushes() {
        return operations.get(Operation.PUSH);
    }

    FakeOperation operation(Operation kind) {
        return operations.get(kind);
    }

    Object figure(String name) {
        return metrics.get(Operation.PUSH).values().get(name);
    }

    @CanIgnoreReturnValue
    CompletableFuture<String> push(String name) {
        return submit(Operation.PUSH, FakeOperation.Job.of(name));
    }

    @CanIgnoreReturnValue
    CompletableFuture<String> push(FakeOperation.Job job) {
        return submit(Operation.PUSH, job);
    }

    @CanIgnoreReturnValue
    CompletableFuture<String> submit(Operation kind, FakeOperation.Job job) {
        return queues.get(kind).submit(job).subscribeAsCompletionStage();
    }

    /** Pushes that arrive one after the other while the loop does nothing else. */
    List<CompletableFuture<String>> pushAll(String... names) {
        return List.of(names).stream().map(this::push).toList();
    }

    /** Connections have come, or PostgreSQL has gone. */
    void slotsChanged() {
        dispatcher.run();
        loop.turn();
    }

    void succeed(FakeOperation.Call call) {
        call.succeed();
        loop.turn();
    }

    void fail(FakeOperation.Call call, Throwable failure) {
        call.fail(failure);
        loop.turn();
    }
}
