package io.queen.stream;

import io.queen.database.Database;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.UUID;

/** Streaming queries: registered, shown, deleted. */
@Singleton
final class QueryStore {
    private static final String REGISTER = "select * from queen.register_query_v1($1, $2, $3, $4, $5, $6, $7)";

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
}
