package io.queen.sidecar;

import io.quarkus.arc.All;
import io.queen.config.QueenConfig;
import io.queen.database.ConnectionBudget;
import io.queen.database.Database;
import io.queen.message.UuidV7;
import io.queen.runtime.EventLoopScoped;
import io.queen.runtime.EventLoops;
import io.queen.runtime.Loop;
import io.smallrye.mutiny.Uni;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * All that one event loop sends to PostgreSQL for messages. A request is taken, put into a batch, sent and answered on the
 * loop it came in on, over connections that belong to that loop: no lock, no shared queue, no change of thread. What the
 * operations are is the business of the packages that bring them.
 *
 * <p>The sidecar works on a context of its own, not on that of a request; answers return to the context of the request.
 */
@EventLoopScoped
public class Sidecar {
    private final Slots slots;
    private final LockWatch watch;
    private final UuidV7 ids = new UuidV7();
    private final Map<Operation, BatchQueue<?, ?>> queues = new EnumMap<>(Operation.class);

    Sidecar(
            QueenConfig config,
            Database database,
            Loop loop,
            EventLoops loops,
            @All List<BatchOperation<?, ?>> operations,
            SidecarMetrics metrics,
            HeldWarnings warnings) {
        slots = new Slots(
                database,
                loop,
                loops.share(ConnectionBudget.of(config).sidecar()),
                Slots.stuckMillis(config.database()),
                operations);
        watch = new LockWatch(loop, LockStore::held, warnings, LockWatch.patienceMillis(config.database()));
        BatchLimits limits = BatchLimits.of(config.sidecar());
        for (BatchOperation<?, ?> operation : operations) {
            BatchLimits own = operation.alone() ? limits.single() : limits;
            OperationMetrics figures = metrics.of(operation.kind());
            queues.put(operation.kind(), new BatchQueue<>(operation, own, figures, loop, watch));
        }
        Dispatcher dispatcher = new Dispatcher(slots, watch, List.copyOf(queues.values()));
        loop.later(() -> slots.open(dispatcher::run));
    }

    /** The answer comes on the context of the caller. */
    @SuppressWarnings("unchecked") // a queue is made for the operation that has its kind
    public <Q, A> Uni<A> submit(BatchOperation<Q, A> operation, Q request) {
        return ((BatchQueue<Q, A>) queues.get(operation.kind())).submit(request);
    }

    /** A new id, for a message or a lease: later than all that this sidecar gave before. */
    public UuidV7 ids() {
        return ids;
    }

    /** Done when the connections are open, or PostgreSQL is known to be away. */
    public Uni<Void> ready() {
        return slots.settled();
    }

    /** Closes the connections; called at the end, on the loop. */
    void close() {
        watch.forget();
        slots.close();
    }
}
