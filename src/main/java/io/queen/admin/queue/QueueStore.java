package io.queen.admin.queue;

import io.queen.database.Connection;
import io.queen.database.DatabaseFailure;
import io.queen.push.QueueRule;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonObject;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Queues as wholes: their configuration and their end. */
public final class QueueStore {
    private static final String CONFIGURE = "select * from queen.configure_queue_v1($1, $2, $3, $4)";
    private static final String DELETE = "select queen.delete_queue_v1($1)";
    private static final String PURGE = "select queen.purge_messages_v1($1)";
    private static final String RULES = "select q.name, q.encryption_enabled, q.max_size > 0 from queen.queues q"
            + " where q.name = any ($1) and (q.encryption_enabled or q.max_size > 0)";
    private static final QueueRule NO_RULE = new QueueRule(false, false);

    private QueueStore() {}

    /** Creates the queue or replaces its whole configuration. */
    public static Uni<QueueIds> configure(
            Connection connection, String name, String namespace, String task, JsonObject options) {
        return connection
                .sql()
                .preparedQuery(CONFIGURE)
                .execute(Tuple.of(name, namespace, task, options))
                .map(rows -> rows.iterator().next())
                .map(row -> new QueueIds(row.getUUID(0), row.getUUID(1)))
                .onFailure()
                .transform(DatabaseFailure::translate);
    }

    /** Deletes the queue; false when there was none. Its messages are removed by {@link #purge}. */
    public static Uni<Boolean> delete(Connection connection, String name) {
        return connection
                .sql()
                .preparedQuery(DELETE)
                .execute(Tuple.of(name))
                .map(rows -> rows.iterator().next().getBoolean(0))
                .onFailure()
                .transform(DatabaseFailure::translate);
    }

    /** Removes up to {@code limit} messages of deleted partitions and tells how many. */
    public static Uni<Integer> purge(Connection connection, int limit) {
        return connection
                .sql()
                .preparedQuery(PURGE)
                .execute(Tuple.of(limit))
                .map(rows -> rows.iterator().next().getInteger(0))
                .onFailure()
                .transform(DatabaseFailure::translate);
    }

    /** The rules of the queues; one that is not there has none. */
    public static Uni<Map<String, QueueRule>> rules(Connection connection, Collection<String> names) {
        return connection
                .sql()
                .preparedQuery(RULES)
                .execute(Tuple.tuple().addValue(names.toArray(String[]::new)))
                .map(rows -> {
                    Map<String, QueueRule> rules = new HashMap<>();
                    names.forEach(name -> rules.put(name, NO_RULE));
                    for (Row row : rows) {
                        rules.put(row.getString(0), new QueueRule(row.getBoolean(1), row.getBoolean(2)));
                    }
                    return rules;
                });
    }
}
