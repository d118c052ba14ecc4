package io.queen.series;

import io.queen.database.Database;
import io.queen.message.TimeRange;
import io.smallrye.mutiny.Uni;
import io.vertx.core.json.JsonArray;
import jakarta.inject.Singleton;
import java.time.OffsetDateTime;

/**
 * Minute buckets, and the series that are read from them: JSON as it is answered. Null for a queue, namespace, task, host or
 * worker is any. Visible are the queues that the caller may see: names and patterns, null for all.
 */
@Singleton
final class SeriesStore {
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
                  and ($4::text[] is null or queen.is_visible_v1(b.queue_name, $4))
                group by 1, 2
            ) s
            where s.pops > 0
            """;

    private final Database database;

    SeriesStore(Database database) {
        this.database = database;
    }

    /** What one server did in one minute: an array of {@code {queue, metrics}}. */
    Uni<Void> write(OffsetDateTime bucket, String server, JsonArray rows) {
        return database.run(WRITE, bucket, server, rows);
    }

    Uni<String> status(TimeRange range, String queue, String namespace, String task, String[] visible) {
        String sql = "select queen.status_v1($1, $2, $3, $4, $5, $6)::text";
        return database.json(sql, range.from(), range.to(), queue, namespace, task, visible);
    }

    /** Messages created per {@code minute}, {@code hour} or {@code day}, without gaps. */
    Uni<String> created(
            TimeRange range, String interval, String queue, String namespace, String task, String[] visible) {
        String sql = "select queen.status_analytics_v1($1, $2, $3, $4, $5, $6, $7)::text";
        return database.json(sql, range.from(), range.to(), interval, queue, namespace, task, visible);
    }

    Uni<String> system(TimeRange range, String hostname, String worker) {
        String sql = "select queen.system_metrics_v1($1, $2, $3, $4)::text";
        return database.json(sql, range.from(), range.to(), hostname, worker);
    }

    Uni<String> workers(TimeRange range, String hostname, String worker) {
        String sql = "select queen.worker_metrics_v1($1, $2, $3, $4)::text";
        return database.json(sql, range.from(), range.to(), hostname, worker);
    }

    Uni<String> queueLag(TimeRange range, String queue, String[] visible) {
        return database.json(QUEUE_LAG, range.from(), range.to(), queue, visible);
    }

    Uni<String> queueOps(TimeRange range, String queue, String[] visible) {
        String sql = "select queen.queue_ops_v1($1, $2, $3, $4)::text";
        return database.json(sql, range.from(), range.to(), queue, visible);
    }

    Uni<String> parked(TimeRange range, String queue, String[] visible) {
        String sql = "select queen.queue_parked_replicas_v1($1, $2, $3, $4)::text";
        return database.json(sql, range.from(), range.to(), queue, visible);
    }

    Uni<String> retention(TimeRange range, String queue, String[] visible) {
        String sql = "select queen.retention_series_v1($1, $2, $3, $4)::text";
        return database.json(sql, range.from(), range.to(), queue, visible);
    }

    Uni<String> postgres() {
        return database.json("select queen.postgres_stats_v1()::text");
    }
}
