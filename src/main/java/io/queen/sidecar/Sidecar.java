package io.queen.sidecar;

import io.queen.ack.AckOperation;
import io.queen.ack.ReleaseOperation;
import io.queen.ack.RenewOperation;
import io.queen.config.QueenConfig;
import io.queen.database.ConnectionBudget;
import io.queen.database.Database;
import io.queen.encryption.PayloadCipher;
import io.queen.encryption.UnreadablePayloads;
import io.queen.message.Ack;
import io.queen.message.AckResult;
import io.queen.message.Claim;
import io.queen.message.PartitionName;
import io.queen.message.PopRequest;
import io.queen.message.PopResult;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.message.Renewal;
import io.queen.message.RenewalResult;
import io.queen.message.Transaction;
import io.queen.message.TransactionResult;
import io.queen.message.UuidV7;
import io.queen.metrics.Complaints;
import io.queen.metrics.CounterRegistry;
import io.queen.metrics.MessageCounting;
import io.queen.pop.ClientGone;
import io.queen.pop.LongPolling;
import io.queen.pop.LongPolls;
import io.queen.pop.PayloadOpening;
import io.queen.pop.PopMachine;
import io.queen.pop.PopOperation;
import io.queen.pop.ready.PeerNotifier;
import io.queen.pop.ready.ReadyIndex;
import io.queen.push.PushOperation;
import io.queen.push.PushPreparation;
import io.queen.push.PushRequest;
import io.queen.runtime.EventLoopScoped;
import io.queen.runtime.EventLoops;
import io.queen.runtime.LoopExecutor;
import io.queen.runtime.MaintenanceFlags;
import io.queen.transaction.TransactionOperation;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * All that one event loop does with messages. A request is taken, put into a list, sent to PostgreSQL and answered on
 * the loop it came in on, over connections that belong to that loop: no lock, no shared queue, no change of thread.
 *
 * <p>The sidecar works on a context of its own, not on that of a request; answers return to the context of the request.
 */
@EventLoopScoped
public class Sidecar {
    private final Slots links;
    private final UuidV7 ids = new UuidV7();
    private final BatchQueue<PushRequest, List<PushResult>> pushes;
    private final BatchQueue<List<Ack>, List<AckResult>> acks;
    private final BatchQueue<Renewal, RenewalResult> renewals;
    private final BatchQueue<TransactionOperation.Request, TransactionResult> transactions;
    private final BatchQueue<PopRequest, PopResult> pops;
    private final BatchQueue<List<Claim>, Void> releases;
    private final LongPolls waiting;
    private final ReadyIndex rings;
    private final PeerNotifier signals;
    private final MessageCounting counting;
    private final LockWatch watch;
    private final Complaints complaints;

    Sidecar(
            QueenConfig config,
            Database database,
            Vertx vertx,
            EventLoops loops,
            PushPreparation preparation,
            PopMachine machine,
            PayloadCipher cipher,
            UnreadablePayloads unreadable,
            ReadyIndex rings,
            PeerNotifier signals,
            MaintenanceFlags flags,
            LongPolling polling,
            SidecarMetrics metrics,
            HeldWarnings warnings,
            CounterRegistry tallies,
            Complaints complaints) {
        this.complaints = complaints;
        this.counting = new MessageCounting(tallies);
        this.rings = rings;
        this.signals = signals;
        VertxInternal internal = (VertxInternal) vertx;
        ContextInternal current = (ContextInternal) Vertx.currentContext();
        LoopExecutor loop = new LoopExecutor(internal.createEventLoopContext(
                current.nettyEventLoop(), null, Thread.currentThread().getContextClassLoader()));
        SidecarLimits limits = SidecarLimits.of(config.sidecar());
        links = new Slots(
                vertx,
                database,
                loop,
                loops.share(ConnectionBudget.of(config).sidecar()),
                SidecarLimits.stuckMillis(config.database()));
        watch = new LockWatch(vertx, loop, warnings, SidecarLimits.lockPatienceMillis(config.database()));
        pushes = new BatchQueue<>(new PushOperation(preparation), limits, metrics.of(Operation.PUSH), loop, watch);
        acks = new BatchQueue<>(new AckOperation(), limits, metrics.of(Operation.ACK), loop, watch);
        renewals = new BatchQueue<>(new RenewOperation(), limits, metrics.of(Operation.RENEW), loop, watch);
        transactions = new BatchQueue<>(
                new TransactionOperation(preparation), limits.single(), metrics.of(Operation.TRANSACTION), loop, watch);
        PayloadOpening opening = new PayloadOpening(cipher, unreadable);
        pops = new BatchQueue<>(new PopOperation(machine, opening), limits, metrics.of(Operation.POP), loop, watch);
        releases = new BatchQueue<>(
                new ReleaseOperation(this::released), limits, metrics.of(Operation.RELEASE), loop, watch);
        waiting = polling.open(loop::later, flags::pop, pops::submit, this::release);
        Dispatcher pump = new Dispatcher(links, watch, List.of(acks, renewals, releases, transactions, pushes, pops));
        loop.later(() -> links.open(pump::run));
    }

    /** The server stops: pops that wait are answered. Called on the loop. */
    void endWaits() {
        waiting.end();
    }

    /** Closes the connections; called at the end, on the loop. */
    void close() {
        watch.forget();
        links.close();
    }

    /** Stores the items, all or none but for what a full queue refuses; one result per item, in order. */
    public Uni<List<PushResult>> push(List<PushItem> items) {
        return push(PushRequest.of(items, ids));
    }

    /** Stores items that were answered before: no queue is too full for them. */
    Uni<List<PushResult>> pushPromised(List<PushItem> items) {
        return push(PushRequest.of(items, ids).asPromised());
    }

    private Uni<List<PushResult>> push(PushRequest request) {
        return pushes.submit(request).invoke(results -> {
            announce(request.items(), results);
            counting.pushed(request.items(), results);
        });
    }

    /** Applies the acks; one result per ack, in order. */
    public Uni<List<AckResult>> ack(List<Ack> list) {
        return acks.submit(list).invoke(results -> {
            announceEnds(list, results);
            counting.acked(results);
        });
    }

    /**
     * Messages for the request, after at most {@code waitMillis}; what it claims for a client that has left is given
     * back.
     */
    public Uni<PopResult> pop(PopRequest request, long waitMillis, ClientGone departure) {
        return waiting.pop(request.withLeaseId(ids.next()), waitMillis, departure)
                .invoke(result -> counting.popped(request, result));
    }

    public Uni<RenewalResult> renew(Renewal renewal) {
        return renewals.submit(renewal);
    }

    /** Applies all operations or none. */
    public Uni<TransactionResult> transaction(Transaction transaction) {
        return transactions
                .submit(TransactionOperation.Request.of(transaction, ids))
                .invoke(result -> {
                    announce(result);
                    counting.transaction(result);
                });
    }

    /** One piece of news for each partition, however many messages it got. */
    private void announce(List<PushItem> items, List<PushResult> results) {
        Set<UUID> told = new HashSet<>();
        for (int i = 0; i < items.size(); i++) {
            UUID partitionId = results.get(i).partitionId();
            if (results.get(i).status() == PushResult.Status.QUEUED && told.add(partitionId)) {
                pushed(items.get(i), partitionId);
            }
        }
    }

    /** One piece of news for each partition and group, however many acks it got. */
    private void announceEnds(List<Ack> list, List<AckResult> results) {
        Set<Ended> told = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            if (told.add(new Ended(list.get(i).partitionId(), list.get(i).consumerGroup(), results.get(i)))) {
                announce(list.get(i), results.get(i));
            }
        }
    }

    /** What acks of one partition and group are told by: those with the same outcome are one piece of news. */
    private record Ended(UUID partitionId, String group, AckResult result) {}

    private void pushed(PushItem item, UUID partitionId) {
        PartitionName lane = new PartitionName(item.queue(), item.partition());
        rings.pushed(lane, partitionId);
        signals.pushed(lane, partitionId);
    }

    private void announce(Ack ack, AckResult result) {
        if (result.leaseReleased() && result.queue() != null) {
            PartitionName lane = new PartitionName(result.queue(), result.partition());
            leaseEnded(lane, ack.partitionId(), ack.consumerGroup(), ack.leaseId(), result.pending());
        }
    }

    private void leaseEnded(PartitionName lane, UUID partitionId, String group, UUID lease, boolean pending) {
        rings.leaseEnded(lane, partitionId, group, lease, pending);
        if (pending) {
            signals.leaseEnded(lane, partitionId, group);
        }
    }

    private void announce(TransactionResult result) {
        for (TransactionResult.OperationResult operation : result.results()) {
            if (operation instanceof TransactionResult.Pushed pushed) {
                pushed(pushed.item(), pushed.partitionId());
            } else if (operation instanceof TransactionResult.Acknowledged acked) {
                announce(acked.ack(), acked.result());
            }
        }
    }

    private void release(List<Claim> claims) {
        List<Claim> leased =
                claims.stream().filter(claim -> claim.leaseId() != null).toList();
        if (!leased.isEmpty()) {
            releases.submit(leased)
                    .subscribe()
                    .with(
                            done -> {},
                            failure ->
                                    complaints.failed("Leases of clients that left stay until they expire", failure));
        }
    }

    private void released(PartitionName lane, Claim claim) {
        leaseEnded(lane, claim.partitionId(), claim.consumerGroup(), claim.leaseId(), true);
    }

    /** Done when the connections are open, or PostgreSQL is known to be away. */
    Uni<Void> ready() {
        return links.settled();
    }
}
