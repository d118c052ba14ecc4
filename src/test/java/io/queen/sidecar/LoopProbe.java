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
import io.queen.push.PushPreparation;
import io.queen.push.PushRequest;
import io.queen.runtime.EventLoopScoped;
import io.queen.runtime.LoopExecutor;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import jakarta.annotation.PreDestroy;
import java.util.List;
import java.util.Set;

/** A sidecar with pushes only, put together like the real one, that notes where its lists are sent and come back. */
@EventLoopScoped
public class LoopProbe {
    private final UuidV7 ids = new UuidV7();
    private final Slots links;
    private final BatchQueue<PushRequest, List<PushResult>> pushes;

    LoopProbe(QueenConfig config, Database database, Vertx vertx, PushPreparation preparation) {
        ContextInternal current = (ContextInternal) Vertx.currentContext();
        LoopExecutor loop = new LoopExecutor(((VertxInternal) vertx)
                .createEventLoopContext(
                        current.nettyEventLoop(), null, getClass().getClassLoader()));
        OperationMetrics metrics = new OperationMetrics(new SimpleMeterRegistry(), Operation.PUSH, new Complaints());
        links = new Slots(vertx, database, loop, 1, 0);
        LockWatch watch = new LockWatch(vertx, loop, new HeldWarnings(), 1000);
        pushes = new BatchQueue<>(
                new Noting(new PushOperation(preparation)), SidecarLimits.of(config.sidecar()), metrics, loop, watch);
        Dispatcher pump = new Dispatcher(links, watch, List.of(pushes));
        loop.later(() -> links.open(pump::run));
    }

    @PreDestroy
    void close() {
        links.close();
    }

    Uni<List<PushResult>> push(PushItem item) {
        return pushes.submit(PushRequest.of(List.of(item), ids));
    }

    /** The real work, with a note before and after, on the way of each request of the list. */
    private record Noting(PushOperation work) implements BatchOperation<PushRequest, List<PushResult>> {
        @Override
        public int items(PushRequest request) {
            return work.items(request);
        }

        @Override
        public long bytes(PushRequest request) {
            return work.bytes(request);
        }

        @Override
        public Set<LockKey> locks(PushRequest request) {
            return work.locks(request);
        }

        @Override
        public Uni<List<List<PushResult>>> run(Connection connection, List<PushRequest> requests, boolean again) {
            requests.forEach(request -> LoopResource.note(key(request), "sent"));
            return work.run(connection, requests, again)
                    .invoke(() -> requests.forEach(request -> LoopResource.note(key(request), "returned")));
        }

        private static String key(PushRequest request) {
            return request.items().get(0).transactionId();
        }
    }
}
