package io.queen.transaction;

import io.queen.ack.AckOperation;
import io.queen.database.Connection;
import io.queen.database.DatabaseFailure;
import io.queen.message.Ack;
import io.queen.message.AckResult;
import io.queen.message.PushItem;
import io.queen.message.Transaction;
import io.queen.message.Transaction.Acknowledge;
import io.queen.message.Transaction.Push;
import io.queen.message.TransactionResult;
import io.queen.message.TransactionResult.Acknowledged;
import io.queen.message.TransactionResult.OperationResult;
import io.queen.message.TransactionResult.Pushed;
import io.queen.message.UuidV7;
import io.queen.push.PushOperation;
import io.queen.push.PushRequest;
import io.queen.sidecar.BatchOperation;
import io.queen.sidecar.LockKey;
import io.queen.sidecar.Operation;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Transactions: each is one call of {@code transaction_list_v1}. When the connection died in the middle and the second
 * sending finds its own messages stored, the first one was applied.
 */
@Singleton
final class TransactionOperation implements BatchOperation<TransactionOperation.Request, TransactionResult> {
    private static final int MAX_TRIES = 3;

    private final PushOperation pushing;
    private final AckOperation acking;

    TransactionOperation(PushOperation pushing, AckOperation acking) {
        this.pushing = pushing;
        this.acking = acking;
    }

    /** A transaction with its pushes and acks apart, and their places among the operations. */
    public record Request(
            Transaction transaction, PushRequest pushes, List<Ack> acks, Integer[] pushAt, Integer[] ackAt) {

        public static Request of(Transaction transaction, UuidV7 ids) {
            List<PushItem> items = new ArrayList<>();
            List<Ack> acks = new ArrayList<>();
            List<Integer> pushAt = new ArrayList<>();
            List<Integer> ackAt = new ArrayList<>();
            for (int i = 0; i < transaction.operations().size(); i++) {
                if (transaction.operations().get(i) instanceof Push push) {
                    items.add(push.item());
                    pushAt.add(i);
                } else if (transaction.operations().get(i) instanceof Acknowledge acknowledge) {
                    acks.add(acknowledge.ack());
                    ackAt.add(i);
                }
            }
            return new Request(
                    transaction,
                    PushRequest.of(items, ids),
                    acks,
                    pushAt.toArray(Integer[]::new),
                    ackAt.toArray(Integer[]::new));
        }
    }

    @Override
    public Operation kind() {
        return Operation.TRANSACTION;
    }

    @Override
    public boolean alone() {
        return true;
    }

    @Override
    public int items(Request request) {
        return request.transaction().operations().size();
    }

    @Override
    public long bytes(Request request) {
        return request.pushes().bytes() + acking.bytes(request.acks());
    }

    @Override
    public Set<LockKey> locks(Request request) {
        Set<LockKey> keys = new HashSet<>(pushing.locks(request.pushes()));
        keys.addAll(acking.locks(request.acks()));
        return keys;
    }

    @Override
    public Uni<List<TransactionResult>> run(Connection connection, List<Request> requests, boolean again) {
        return attempt(connection, requests.get(0), again, MAX_TRIES).map(List::of);
    }

    private Uni<TransactionResult> attempt(Connection connection, Request request, boolean again, int tries) {
        List<PushRequest> pushes = List.of(request.pushes());
        return pushing.prepare(connection, pushes).flatMap(prepared -> {
            int twice = prepared.batch().firstDuplicate();
            if (twice >= 0) {
                return Uni.createFrom().item(TransactionResult.failed(duplicate(request, twice)));
            }
            return TransactionStore.transaction(connection, call(request, prepared), again)
                    .flatMap(answer -> {
                        if (answer.missing()) {
                            pushing.forget(pushes);
                            return retry(connection, request, again, tries);
                        }
                        return Uni.createFrom().item(applied(request, prepared, answer));
                    })
                    .onFailure(DatabaseFailure::isRefusal)
                    .recoverWithUni(failure -> refused(connection, request, prepared, failure, again));
        });
    }

    private Uni<TransactionResult> retry(Connection connection, Request request, boolean again, int tries) {
        return tries == 1
                ? Uni.createFrom().failure(PushOperation.deletedAgainAndAgain())
                : attempt(connection, request, again, tries - 1);
    }

    private static TransactionStore.Call call(Request request, PushOperation.Prepared prepared) {
        return new TransactionStore.Call(
                prepared.call(),
                request.pushAt(),
                request.acks(),
                request.ackAt(),
                request.transaction().requiredLeases().toArray(UUID[]::new));
    }

    private static Uni<TransactionResult> refused(
            Connection connection, Request request, PushOperation.Prepared prepared, Throwable failure, boolean again) {
        TransactionResult result = TransactionResult.failed(DatabaseFailure.refusal(failure));
        if (!again || request.pushes().items().isEmpty()) {
            return Uni.createFrom().item(result);
        }
        UUID partition = prepared.batch().partitionOf(0);
        String transactionId = request.pushes().items().get(0).transactionId();
        UUID ours = request.pushes().messageIds()[0];
        return TransactionStore.stored(connection, partition, transactionId)
                .map(stored -> ours.equals(stored)
                        ? applied(request, prepared, new TransactionStore.Answer(false, List.of()))
                        : result);
    }

    private static TransactionResult applied(
            Request request, PushOperation.Prepared prepared, TransactionStore.Answer answer) {
        List<OperationResult> results = new ArrayList<>();
        int push = 0;
        int ack = 0;
        for (Transaction.Operation operation : request.transaction().operations()) {
            if (operation instanceof Push pushed) {
                UUID id = request.pushes().messageIds()[push];
                results.add(new Pushed(pushed.item(), id, prepared.batch().partitionOf(push++)));
            } else if (operation instanceof Acknowledge acknowledge) {
                // After a resend that found its own messages the outcome of the acks is not told again.
                AckResult known = ack < answer.acks().size() ? answer.acks().get(ack) : AckResult.refused(null);
                results.add(new Acknowledged(acknowledge.ack(), known));
                ack++;
            }
        }
        return new TransactionResult(null, results);
    }

    private static String duplicate(Request request, int item) {
        return "Duplicate transactionId: " + request.pushes().items().get(item).transactionId();
    }
}
