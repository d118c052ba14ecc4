package io.queen.stream;

import io.queen.database.Database;
import io.queen.message.Page;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.UUID;

/** Streaming queries: registered, shown, deleted. */
@Singleton
final class QueryStore {
    private static final String REGISTER = "select * from queen.register_query_v1($1, $2, $3, $4, $5, $6, $7)";
    private static final String LIST = "select queen.list_queries_v1($1, $2, $3)";
    private static final String DESCRIBE = "select queen.describe_query_v1($1, $2, $3, $4)";
    private static final String SOURCE = "select q.source_queue from queen.stream_queries q where q.name = $1";
    private static final String DELETE =
            "delete from queen.stream_queries q where q.name = $1 and q.source_queue = $2 returning q.id";
    private static final String RETENTION = "update queen.stream_queries q set state_retention_seconds = $3"
            + " where q.name = $1 and q.source_queue = $2 returning q.id";
    private static final String SWEEP_STATE = "select * from queen.sweep_stream_state_v1($1, $2, $3, $4)";
    private static final String SWEEP_PARTITIONS = "select * from queen.sweep_stream_partitions_v1($1, $2, $3)";

    private final Database database;

    QueryStore(Database database) {
        this.database = database;
    }

    /**
     * What became of a registration.
     *
     * @param conflict the query has another hash, and no reset was asked for
     * @param forbidden the query reads a queue that the caller may not
     */
    record Registered(UUID id, boolean fresh, boolean reset, boolean conflict, boolean forbidden) {}

    /** {@code mine} are the queues that the caller may consume, null for all. */
    Uni<Registered> register(Registration query, String[] mine) {
        return database.one(
                REGISTER,
                row -> new Registered(
                        row.getUUID(0), row.getBoolean(1), row.getBoolean(2), row.getBoolean(3), row.getBoolean(4)),
                query.name(),
                query.sourceQueue(),
                query.sinkQueue(),
                query.configHash(),
                query.reset(),
                query.retentionSeconds(),
                mine);
    }

    /** As JSON; {@code visible} are the queues that the caller may see, null for all. */
    Uni<String> list(Page page, String[] visible) {
        return database.json(LIST, page.limit(), page.offset(), visible);
    }

    /** As JSON; null when there is none that the caller may see. */
    Uni<String> describe(String name, Page page, String[] visible) {
        return database.json(DESCRIBE, name, page.limit(), page.offset(), visible);
    }

    /** The queue that a query reads; null when there is no such query. */
    Uni<String> source(String name) {
        return database.one(SOURCE, row -> row.getString(0), name);
    }

    /** Deletes the query, which reads that queue; its state is removed by {@link #sweepState}. False when it is gone. */
    Uni<Boolean> delete(String name, String source) {
        return database.one(DELETE, row -> true, name, source).map(Boolean.TRUE::equals);
    }

    /** How long keys stay that no cycle writes, 0 for ever. False when the query is gone. */
    Uni<Boolean> retain(String name, String source, int seconds) {
        return database.one(RETENTION, row -> true, name, source, seconds).map(Boolean.TRUE::equals);
    }

    /** Where the removal of state goes on; {@link #START} is the beginning, null the end. */
    record Position(UUID first, UUID second, String key) {}

    static final Position START = new Position(null, null, null);

    /** Removes a portion of the state that is not needed any more, and gives where to go on. */
    Uni<Position> sweepState(Position from, int limit) {
        return database.one(
                SWEEP_STATE,
                row -> row.getUUID(0) == null ? null : new Position(row.getUUID(0), row.getUUID(1), row.getString(2)),
                from.first(),
                from.second(),
                from.key(),
                limit);
    }

    /** Removes a portion of the records of partitions and queries that are gone, and gives where to go on. */
    Uni<Position> sweepPartitions(Position from, int limit) {
        return database.one(
                SWEEP_PARTITIONS,
                row -> row.getUUID(0) == null ? null : new Position(row.getUUID(0), row.getUUID(1), null),
                from.first(),
                from.second(),
                limit);
    }
}
