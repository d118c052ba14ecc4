package io.queen.pop;

import io.queen.message.Claim;
import io.queen.message.PoppedMessage;
import io.vertx.mutiny.sqlclient.Row;
import java.util.Locale;

/** How a row of {@code pop_sm_take} is read, by the places of its columns. */
final class PopRowStore {
    private PopRowStore() {}

    /** A row is the outcome of a candidate, or without one a message that was claimed with it before. */
    static void read(Row row, Candidate candidate) {
        String outcome = row.getString(1);
        if (outcome == null) {
            candidate.read(message(row, candidate.claim()));
        } else if (outcome.equals("claimed")) {
            candidate.claimed(claim(row, candidate), row.getLong(6), row.getBoolean(9));
        } else {
            Long dueMillis = row.getLong(6);
            Candidate.Outcome refusal = Candidate.Outcome.valueOf(outcome.toUpperCase(Locale.ROOT));
            candidate.refused(refusal, dueMillis == null ? -1 : dueMillis);
        }
    }

    private static Claim claim(Row row, Candidate candidate) {
        return new Claim(
                candidate.partitionId(),
                row.getString(2),
                row.getString(3),
                candidate.request().consumerGroup(),
                row.getLong(4),
                row.getLong(5),
                row.getUUID(7),
                row.getInteger(8));
    }

    private static PoppedMessage message(Row row, Claim claim) {
        return new PoppedMessage(
                claim,
                row.getLong(10),
                row.getUUID(11),
                row.getString(12),
                row.getUUID(13),
                row.getString(14),
                row.getBoolean(15),
                row.getString(16),
                row.getOffsetDateTime(17),
                row.getString(18),
                row.getOffsetDateTime(19));
    }
}
