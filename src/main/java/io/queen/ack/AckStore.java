package io.queen.ack;

import io.queen.database.Connection;
import io.queen.message.Ack;
import io.queen.message.AckResult;
import io.queen.message.Claim;
import io.queen.message.Renewal;
import io.queen.message.RenewalResult;
import io.queen.message.RenewalResult.Outcome;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The functions that acks, renewals and releases call, on the connection they are given. */
public final class AckStore {
    private static final String ACK = "select * from queen.ack_list_v1($1, $2, $3, $4, $5, $6, $7)";
    private static final String RENEW = "select * from queen.renew_list_v1($1, $2)";
    private static final String RELEASE = "select queen.pop_sm_release($1, $2, $3, $4)";

    private AckStore() {}

    /**
     * One result per ack, in order.
     *
     * @param again the call was sent before and its outcome is not known
     */
    public static Uni<List<AckResult>> ack(Connection connection, List<Ack> acks, boolean again) {
        return connection
                .query(ACK, arguments(Tuple.tuple(), acks).addValue(again))
                .map(AckStore::ackResults);
    }

    /** One result per renewal, in order. */
    public static Uni<List<RenewalResult>> renew(Connection connection, List<Renewal> renewals) {
        UUID[] leases = renewals.stream().map(Renewal::leaseId).toArray(UUID[]::new);
        Integer[] seconds = renewals.stream().map(Renewal::seconds).toArray(Integer[]::new);
        return connection.list(RENEW, AckStore::renewalResult, leases, seconds);
    }

    /** Gives leases back; a cursor that is not null moves up to there. */
    public static Uni<Void> release(Connection connection, List<Claim> claims, Long[] cursors) {
        UUID[] partitions = claims.stream().map(Claim::partitionId).toArray(UUID[]::new);
        String[] groups = claims.stream().map(Claim::consumerGroup).toArray(String[]::new);
        UUID[] leases = claims.stream().map(Claim::leaseId).toArray(UUID[]::new);
        return connection.run(RELEASE, partitions, groups, leases, cursors);
    }

    /** Adds the arguments that an ack and a transaction have in common: arrays of one length. */
    public static Tuple arguments(Tuple tuple, List<Ack> acks) {
        int size = acks.size();
        UUID[] partitionIds = new UUID[size];
        String[] transactionIds = new String[size];
        String[] groups = new String[size];
        UUID[] leaseIds = new UUID[size];
        String[] statuses = new String[size];
        String[] errors = new String[size];
        for (int i = 0; i < size; i++) {
            Ack ack = acks.get(i);
            partitionIds[i] = ack.partitionId();
            transactionIds[i] = ack.transactionId();
            groups[i] = ack.consumerGroup();
            leaseIds[i] = ack.leaseId();
            statuses[i] = ack.status().text();
            errors[i] = ack.error();
        }
        return tuple.addValue(partitionIds)
                .addValue(transactionIds)
                .addValue(groups)
                .addValue(leaseIds)
                .addValue(statuses)
                .addValue(errors);
    }

    private static List<AckResult> ackResults(RowSet<Row> rows) {
        List<AckResult> results = new ArrayList<>(rows.size());
        for (Row row : rows) {
            results.add(new AckResult(
                    row.getString(0),
                    row.getString(1),
                    row.getString(2),
                    row.getBoolean(3),
                    row.getBoolean(4),
                    row.getBoolean(5)));
        }
        return results;
    }

    private static RenewalResult renewalResult(Row row) {
        OffsetDateTime expiresAt = row.getOffsetDateTime(1);
        Outcome otherwise = row.getBoolean(0) ? Outcome.EXPIRED : Outcome.NOT_FOUND;
        return new RenewalResult(expiresAt == null ? otherwise : Outcome.RENEWED, expiresAt);
    }
}
