package io.queen.sidecar;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.queen.config.QueenConfig;
import io.queen.database.Connection;
import io.queen.database.Database;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.message.UuidV7;
import io.queen.metrics.Complaints;
import io.queen.push.PushOperation;
import io.queen.push.PushRequest;
import io.queen.runtime.EventLoopScoped;
import io.queen.runtime.Loop;
import io.queen.tracing.Tracing;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.PreDestroy;
import java.util.List;
import java.util.Set;

/** A sidecar with pushes only, put together like the real one, that notes where its batches are sent and come back. */
@EventLoopScoped
public class LoopProbe {
    private final UuidV7 ids = new UuidV7();
    private final Slots slots;
    private final BatchQueue<PushRequest, List<PushResult>> pushes;

    LoopProbe(QueenConfig config, Database database, Loop loop, PushOperation operation) {
        OperationMetrics metrics =
                new OperationMetrics(new SimpleMeterRegistry(), Operation.PUSH, new Complaints(), Tracing.OFF);
        slots = new Slots(database, loop, 1, 0, List.of(operation));
        LockWatch watch = new LockWatch(loop, LockStore::held, new HeldWarnings(), 1000);
        pushes = new BatchQueue<>(new Noting(operation), BatchLimits.of(config.sidecar()), metrics, loop, watch);
        Dispatcher dispatcher = new Dispatcher(slots, watch, List.of(pushes));
        loop.later(() -> slots.open(dispatcher::run));
    }

    @PreDestroy
    void close() {
        slots.close();
    }

    Uni<List<PushResult>> push(PushItem item) {
        return pushes.submit(PushRequest.of(List.of(item), ids));
    }

    /** The real operation, with a note before and after, on the way of each request of the batch. */
    private record Noting(PushOperation operation) implements BatchOperation<PushRequest, List<PushResult>> {
        @Override
        public Operation kind() {
            return operation.kind();
        }

        @Override
        public int items(PushRequest request) {
            return operation.items(request);
        }

        @Override
        public long bytes(PushRequest request) {
            return operation.bytes(request);
        }

        @Override
        public Set<LockKey> locks(PushRequest request) {
            return operation.locks(request);
        }

        @Override
        public Uni<List<List<PushResult>>> run(Connection connection, List<PushRequest> requests, boolean again) {
            requests.forEach(request -> LoopResource.note(key(request), "sent"));
            return operation
                    .run(connection, requests, again)
                    .invoke(() -> requests.forEach(request -> LoopResource.note(key(request), "returned")));
        }

        private static String key(PushRequest request) {
            return request.items().get(0).transactionId();
        }
    }
}
