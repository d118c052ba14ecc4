package io.queen.admin.trace;

import io.queen.admin.message.DescribedPage;
import io.queen.admin.message.MessageStore;
import io.queen.database.Database;
import io.queen.database.DatabaseFailure;
import io.queen.message.Page;
import io.queen.message.QueenException;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.UUID;

/** Trace events: recorded for messages, read by message and by name. */
@Singleton
final class TraceStore {
    /** The text of the data comes as text: the driver would make a JSON string of it. */
    private static final String RECORD = "select queen.record_trace_v1($1, $2, $3, $4, ($5::text)::jsonb, $6, $7)";

    private static final String BY_MESSAGE = "select queen.message_traces_v1($1, $2)";
    private static final String BY_NAME = """
            select t.total, case when t.id is not null then json_build_object(
                       'id', t.id, 'transaction_id', t.transaction_id, 'partition_id', t.partition_id,
                       'event_type', t.event_type, 'data', t.data::json, 'consumer_group', t.consumer_group,
                       'worker_id', t.worker_id, 'created_at', queen.iso_time(t.created_at), 'queue_name', t.queue_name,
                       'partition_name', t.partition_name, 'trace_names', t.trace_names)::text end,
                   t.payload, t.is_encrypted, t.queue_name, t.partition_name, t.transaction_id
            from queen.traces_by_name_v1($1, $2, $3, $4) t
            """;
    private static final String NAMES = "select queen.trace_names_v1($1, $2, $3)";
    /** SQLSTATEs of data that jsonb can't hold, such as U+0000 or a number beyond all bounds. */
    private static final String DATA = "22";

    private final Database database;

    TraceStore(Database database) {
        this.database = database;
    }

    /**
     * An event to be recorded for a message.
     *
     * @param data JSON text
     * @param names under which it can be found, none or more
     */
    record NewTrace(
            UUID partitionId,
            String transactionId,
            String consumerGroup,
            String eventType,
            String data,
            List<String> names) {}

    /** The id of the event; null, and nothing recorded, when there is no such message. */
    Uni<UUID> record(NewTrace trace, String worker) {
        return database.one(
                        RECORD,
                        row -> row.getUUID(0),
                        trace.partitionId(),
                        trace.transactionId(),
                        trace.consumerGroup(),
                        trace.eventType(),
                        trace.data(),
                        trace.names().toArray(String[]::new),
                        worker)
                .onFailure(failure -> DatabaseFailure.state(failure).startsWith(DATA))
                .transform(failure -> QueenException.invalid("data", "holds something that PostgreSQL can't store"));
    }

    /** JSON: an object with the events of a message. */
    Uni<String> byMessage(UUID partitionId, String transactionId) {
        return database.json(BY_MESSAGE, partitionId, transactionId);
    }

    /**
     * The events of that name, the oldest first, with the payloads of their messages.
     *
     * @param readable the queues that the caller may read, here and below: names and patterns, null for all
     */
    Uni<DescribedPage> byName(String name, Page page, String[] readable) {
        return database.query(BY_NAME, Tuple.of(name, page.limit(), page.offset(), readable))
                .map(MessageStore::page);
    }

    /** JSON: an object with the names in use. */
    Uni<String> names(Page page, String[] readable) {
        return database.json(NAMES, page.limit(), page.offset(), readable);
    }
}
