package io.queen.sidecar;

import io.queen.config.QueenConfig;
import io.queen.message.Ack;
import io.queen.message.AckResult;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.message.Renewal;
import io.queen.message.RenewalResult;
import io.queen.message.Transaction;
import io.queen.message.TransactionResult;
import io.queen.message.UuidV7;
import io.queen.store.Database;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import jakarta.annotation.PreDestroy;
import java.util.List;

/**
 * All that one event loop does with messages. A request is taken, put into a list, sent to PostgreSQL and answered on
 * the loop it came in on, over connections that belong to that loop: no lock, no shared queue, no change of thread.
 *
 * <p>The sidecar works on a context of its own, not on that of a request; answers return to the context of the request.
 */
@EventLoopScoped
public class Sidecar {
    private final Links links;
    private final UuidV7 ids = new UuidV7();
    private final ListQueue<PushRequest, List<PushResult>> pushes;
    private final ListQueue<List<Ack>, List<AckResult>> acks;
    private final ListQueue<Renewal, RenewalResult> renewals;
    private final ListQueue<TransactionWork.Request, TransactionResult> transactions;

    Sidecar(
            QueenConfig config,
            Database database,
            Vertx vertx,
            EventLoops loops,
            PushPreparation preparation,
            SidecarMetrics metrics) {
        VertxInternal internal = (VertxInternal) vertx;
        ContextInternal current = (ContextInternal) Vertx.currentContext();
        LoopExecutor loop = new LoopExecutor(internal.createEventLoopContext(
                current.nettyEventLoop(), null, Thread.currentThread().getContextClassLoader()));
        SidecarLimits limits = SidecarLimits.of(config.sidecar());
        links = new Links(vertx, database, loop, loops.share(config.sidecar().poolSize()));
        pushes = new ListQueue<>(new PushWork(preparation), limits, metrics.of(Operation.PUSH), loop);
        acks = new ListQueue<>(new AckWork(), limits, metrics.of(Operation.ACK), loop);
        renewals = new ListQueue<>(new RenewWork(), limits, metrics.of(Operation.RENEW), loop);
        transactions = new ListQueue<>(
                new TransactionWork(preparation), limits.single(), metrics.of(Operation.TRANSACTION), loop);
        Pump pump = new Pump(links, List.of(acks, renewals, transactions, pushes));
        loop.later(() -> links.open(pump::run));
    }

    @PreDestroy
    void close() {
        links.close();
    }

    /** Stores the items, all or none; one result per item, in order. */
    public Uni<List<PushResult>> push(List<PushItem> items) {
        return pushes.submit(PushRequest.of(items, ids));
    }

    /** Applies the acks; one result per ack, in order. */
    public Uni<List<AckResult>> ack(List<Ack> list) {
        return acks.submit(list);
    }

    public Uni<RenewalResult> renew(Renewal renewal) {
        return renewals.submit(renewal);
    }

    /** Applies all operations or none. */
    public Uni<TransactionResult> transaction(Transaction transaction) {
        return transactions.submit(TransactionWork.Request.of(transaction, ids));
    }

    /** Done when the connections are open, or PostgreSQL is known to be away. */
    Uni<Void> ready() {
        return links.settled();
    }
}
