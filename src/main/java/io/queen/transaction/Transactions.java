package io.queen.transaction;

import io.queen.ack.Acks;
import io.queen.message.Transaction;
import io.queen.message.TransactionResult;
import io.queen.message.TransactionResult.Acknowledged;
import io.queen.message.TransactionResult.OperationResult;
import io.queen.message.TransactionResult.Pushed;
import io.queen.metrics.MessageCounting;
import io.queen.pop.ready.PartitionNews;
import io.queen.sidecar.Sidecar;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;

/** Pushes and acks that apply together, through the sidecar of the event loop that calls. */
@Singleton
final class Transactions {
    private final Sidecar sidecar;
    private final TransactionOperation operation;
    private final Acks acks;
    private final PartitionNews news;
    private final MessageCounting counting;

    Transactions(
            Sidecar sidecar, TransactionOperation operation, Acks acks, PartitionNews news, MessageCounting counting) {
        this.sidecar = sidecar;
        this.operation = operation;
        this.acks = acks;
        this.news = news;
        this.counting = counting;
    }

    /** Applies all operations or none. */
    Uni<TransactionResult> apply(Transaction transaction) {
        return sidecar.submit(operation, TransactionOperation.Request.of(transaction, sidecar.ids()))
                .invoke(result -> {
                    result.results().forEach(this::announce);
                    counting.transaction(result);
                });
    }

    private void announce(OperationResult operation) {
        if (operation instanceof Pushed pushed) {
            news.pushed(pushed.item().name(), pushed.partitionId());
        } else if (operation instanceof Acknowledged acked) {
            acks.announce(acked.ack(), acked.result());
        }
    }
}
