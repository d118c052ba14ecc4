package io.queen.admin.trace;

import io.queen.database.Connection;
import io.queen.database.DatabaseFailure;
import io.queen.database.JsonQuery;
import io.queen.message.Page;
import io.queen.message.QueenException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Trace events: recorded for messages, read by message and by name. */
public final class TraceStore {
    /** The text of the data comes as text: the driver would make a JSON string of it. */
    private static final String RECORD = "select queen.record_trace_v1($1, $2, $3, $4, ($5::text)::jsonb, $6, $7)";

    private static final String BY_MESSAGE = "select queen.message_traces_v1($1, $2)";
    private static final String BY_NAME = "select * from queen.traces_by_name_v1($1, $2, $3)";
    private static final String NAMES = "select queen.trace_names_v1($1, $2)";
    /** SQLSTATEs of data that jsonb can't hold, such as U+0000 or a number beyond all bounds. */
    private static final String DATA = "22";

    private TraceStore() {}

    /** The id of the event; null, and nothing recorded, when there is no such message. */
    public static Uni<UUID> record(Connection connection, NewTrace trace, String worker) {
        Tuple arguments = Tuple.tuple()
                .addValue(trace.partitionId())
                .addValue(trace.transactionId())
                .addValue(trace.consumerGroup())
                .addValue(trace.eventType())
                .addValue(trace.data())
                .addValue(trace.names().toArray(String[]::new))
                .addValue(worker);
        return connection
                .sql()
                .preparedQuery(RECORD)
                .execute(arguments)
                .map(rows -> rows.iterator().next().getUUID(0))
                .onFailure(failure -> DatabaseFailure.state(failure).startsWith(DATA))
                .transform(failure -> QueenException.invalid("data", "holds something that PostgreSQL can't store"))
                .onFailure()
                .transform(DatabaseFailure::translate);
    }

    public static Uni<String> byMessage(Connection connection, UUID partitionId, String transactionId) {
        return JsonQuery.run(connection, BY_MESSAGE, Tuple.of(partitionId, transactionId));
    }

    public static Uni<String> names(Connection connection, Page page) {
        return JsonQuery.run(connection, NAMES, Tuple.of(page.limit(), page.offset()));
    }

    public static Uni<TracePage> byName(Connection connection, String name, Page page) {
        return connection
                .sql()
                .preparedQuery(BY_NAME)
                .execute(Tuple.of(name, page.limit(), page.offset()))
                .map(TraceStore::page)
                .onFailure()
                .transform(DatabaseFailure::translate);
    }

    private static TracePage page(RowSet<Row> rows) {
        List<TracePage.Event> events = new ArrayList<>();
        long total = 0;
        for (Row row : rows) {
            total = row.getLong(0);
            if (row.getUUID(1) != null) {
                events.add(event(row));
            }
        }
        return new TracePage(total, events);
    }

    private static TracePage.Event event(Row row) {
        return new TracePage.Event(
                row.getUUID(1),
                row.getString(2),
                row.getUUID(3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getString(7),
                row.getOffsetDateTime(8),
                row.getString(9),
                row.getString(10),
                row.getString(11),
                Boolean.TRUE.equals(row.getBoolean(12)),
                List.of(row.getArrayOfStrings(13)));
    }
}
