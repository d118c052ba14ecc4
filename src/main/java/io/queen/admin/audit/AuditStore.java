package io.queen.admin.audit;

import io.queen.database.Database;
import io.queen.message.TimeRange;
import io.queen.runtime.ServerId;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.IntFunction;

/** Acts of operators: written in batches, listed. */
@Singleton
final class AuditStore {
    private static final String ADD =
            "select queen.add_audit_v1($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)";
    private static final String LIST = "select queen.list_audit_v1($1, $2, $3, $4, $5, $6, $7, $8)::text";

    private final Database database;
    private final String server;

    AuditStore(Database database, ServerId server) {
        this.database = database;
        this.server = server.value();
    }

    /** Which acts are wanted; null for any, and nulls for open ends. */
    record Filter(TimeRange range, String act, String subject, String queue) {}

    /** Acts that are there already, from a call whose answer was lost, are not added again. */
    Uni<Void> add(List<Act> acts) {
        Tuple arguments = Tuple.tuple()
                .addValue(server)
                .addValue(column(acts, Act::id, UUID[]::new))
                .addValue(column(acts, Act::at, OffsetDateTime[]::new))
                .addValue(column(acts, Act::act, String[]::new))
                .addValue(column(acts, Act::status, Integer[]::new))
                .addValue(column(acts, Act::code, String[]::new))
                .addValue(column(acts, Act::subject, String[]::new))
                .addValue(column(acts, Act::address, String[]::new))
                .addValue(column(acts, Act::requestId, String[]::new))
                .addValue(column(acts, Act::queue, String[]::new))
                .addValue(column(acts, Act::partition, String[]::new))
                .addValue(column(acts, Act::consumerGroup, String[]::new))
                .addValue(column(acts, Act::transactionId, String[]::new))
                .addValue(column(acts, Act::details, String[]::new));
        return database.query(ADD, arguments).replaceWithVoid();
    }

    private static <T> T[] column(List<Act> acts, Function<Act, T> value, IntFunction<T[]> array) {
        return acts.stream().map(value).toArray(array);
    }

    /** JSON: an object with the acts, the newest first, and where the next page begins. */
    Uni<String> list(Filter filter, AuditPosition after, int limit) {
        return database.json(
                LIST,
                filter.range().from(),
                filter.range().to(),
                filter.act(),
                filter.subject(),
                filter.queue(),
                after == null ? null : after.at(),
                after == null ? null : after.id(),
                limit);
    }
}
