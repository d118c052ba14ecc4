package io.queen.series;

import io.queen.database.Connection;
import io.queen.database.DatabaseFailure;
import io.queen.database.JsonQuery;
import io.queen.message.TimeRange;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonArray;
import io.vertx.mutiny.sqlclient.Tuple;
import java.time.OffsetDateTime;

/** Minute buckets, and the series that are read from them: JSON as it is answered. */
public final class SeriesStore {
    private static final String WRITE = """
            insert into queen.metric_buckets (bucket, server_id, queue_name, metrics)
            select $1, $2, r ->> 'queue', r -> 'metrics'
            from jsonb_array_elements($3) r
            """;
    private static final String QUEUE_LAG = """
            select coalesce(json_agg(json_build_object('queueName', s.queue_name, 'popCount', s.pops,
                       'avgLagMs', round(s.lag / greatest(s.pops, 1)), 'maxLagMs', s.longest,
                       'bucketTime', queen.series_time(s.bucket)) order by s.bucket desc, s.queue_name), '[]')::text
            from (
                select queen.series_bucket(b.bucket, $1, $2) as bucket, b.queue_name,
                       sum((b.metrics ->> 'popMessages')::numeric) as pops,
                       sum((b.metrics ->> 'lagSumMs')::numeric) as lag,
                       max((b.metrics ->> 'maxLagMs')::numeric) as longest
                from queen.metric_buckets b
                where b.bucket between $1 and $2 and b.queue_name <> '' and ($3::text is null or b.queue_name = $3)
                group by 1, 2
            ) s
            where s.pops > 0
            """;

    private SeriesStore() {}

    /** What one server did in one turn: an array of {@code {queue, metrics}}. */
    public static Uni<Void> write(Connection connection, OffsetDateTime bucket, String server, JsonArray rows) {
        return connection
                .sql()
                .preparedQuery(WRITE)
                .execute(Tuple.of(bucket, server, rows))
                .replaceWithVoid()
                .onFailure()
                .transform(DatabaseFailure::translate);
    }

    public static Uni<String> status(
            Connection connection, TimeRange range, String queue, String namespace, String task) {
        String sql = "select queen.status_v1($1, $2, $3, $4, $5)::text";
        return JsonQuery.run(connection, sql, Tuple.of(range.from(), range.to(), queue, namespace, task));
    }

    /** Messages created per minute, hour or day, without gaps. */
    public static Uni<String> created(
            Connection connection, TimeRange range, String interval, String queue, String namespace, String task) {
        String sql = "select queen.status_analytics_v1($1, $2, $3, $4, $5, $6)::text";
        return JsonQuery.run(connection, sql, Tuple.of(range.from(), range.to(), interval, queue, namespace, task));
    }

    public static Uni<String> system(Connection connection, TimeRange range, String hostname, String worker) {
        return of(connection, "system_metrics_v1", range, hostname, worker);
    }

    public static Uni<String> workers(Connection connection, TimeRange range, String hostname, String worker) {
        return of(connection, "worker_metrics_v1", range, hostname, worker);
    }

    public static Uni<String> queueLag(Connection connection, TimeRange range, String queue) {
        return JsonQuery.run(connection, QUEUE_LAG, Tuple.of(range.from(), range.to(), queue));
    }

    public static Uni<String> queueOps(Connection connection, TimeRange range, String queue) {
        return of(connection, "queue_ops_v1", range, queue);
    }

    public static Uni<String> parked(Connection connection, TimeRange range, String queue) {
        return of(connection, "queue_parked_replicas_v1", range, queue);
    }

    public static Uni<String> retention(Connection connection, TimeRange range, String queue) {
        return of(connection, "retention_series_v1", range, queue);
    }

    public static Uni<String> postgres(Connection connection) {
        return JsonQuery.run(connection, "select queen.postgres_stats_v1()::text", Tuple.tuple());
    }

    private static Uni<String> of(Connection connection, String function, TimeRange range, String filter) {
        String sql = "select queen." + function + "($1, $2, $3)::text";
        return JsonQuery.run(connection, sql, Tuple.of(range.from(), range.to(), filter));
    }

    private static Uni<String> of(
            Connection connection, String function, TimeRange range, String hostname, String worker) {
        String sql = "select queen." + function + "($1, $2, $3, $4)::text";
        return JsonQuery.run(connection, sql, Tuple.of(range.from(), range.to(), hostname, worker));
    }
}
