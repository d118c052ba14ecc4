package io.queen.pop;

import io.queen.ack.AckStore;
import io.queen.database.Connection;
import io.queen.message.Claim;
import io.queen.message.PoppedMessage;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.UUID;

/** The functions that shorten or end what a pop has claimed, on one connection. */
record LeaseStore(Connection connection) implements LeaseStatements {
    private static final String SHORTEN = "select queen.pop_sm_shorten($1, $2, $3, $4)";
    private static final String REST = "select queen.pop_sm_rest($1, $2, $3, $4)";
    private static final String DEAD_LETTER =
            "select queen.dead_letter_message_v1(m.partition_id, m.transaction_id, $4, m.error)"
                    + " from unnest($1::uuid[], $2::text[], $3::text[]) m (partition_id, transaction_id, error)";

    @Override
    public Uni<Void> release(List<Claim> claims) {
        return claims.isEmpty()
                ? Uni.createFrom().voidItem()
                : AckStore.release(
                        connection, claims, claims.stream().map(Claim::lastSeq).toArray(Long[]::new));
    }

    @Override
    public Uni<Void> shorten(List<Cut> cuts) {
        List<Claim> claims = cuts.stream().map(Cut::claim).toList();
        return onLeases(SHORTEN, claims, cuts.stream().map(Cut::lastSeq).toArray(Long[]::new));
    }

    @Override
    public Uni<Void> rest(List<Claim> claims, int seconds) {
        return onLeases(REST, claims, seconds);
    }

    private Uni<Void> onLeases(String sql, List<Claim> claims, Object last) {
        return claims.isEmpty()
                ? Uni.createFrom().voidItem()
                : connection.run(
                        sql,
                        claims.stream().map(Claim::partitionId).toArray(UUID[]::new),
                        claims.stream().map(Claim::consumerGroup).toArray(String[]::new),
                        claims.stream().map(Claim::leaseId).toArray(UUID[]::new),
                        last);
    }

    @Override
    public Uni<Void> deadLetter(List<PoppedMessage> messages, List<String> errors) {
        return messages.isEmpty()
                ? Uni.createFrom().voidItem()
                : connection.run(
                        DEAD_LETTER,
                        messages.stream()
                                .map(message -> message.claim().partitionId())
                                .toArray(UUID[]::new),
                        messages.stream().map(PoppedMessage::transactionId).toArray(String[]::new),
                        errors.toArray(String[]::new),
                        messages.get(0).claim().consumerGroup());
    }
}
