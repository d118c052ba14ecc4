-- retention_series_v1(from, to, queue) → json
-- What retention and eviction removed, oldest point first, and the sums of the span. Null for the queue is any.
create function queen.retention_series_v1(p_from timestamptz, p_to timestamptz, p_queue text) returns jsonb
language sql stable
as $$
    with point as (
        select queen.series_bucket(h.executed_at, p_from, p_to) as bucket,
               coalesce(sum(h.deleted_count) filter (where h.kind = 'retention'), 0) as retention,
               coalesce(sum(h.deleted_count) filter (where h.kind = 'completed'), 0) as completed,
               coalesce(sum(h.deleted_count) filter (where h.kind = 'eviction'), 0) as eviction,
               sum(h.deleted_count) as total, count(*) as events
        from queen.retention_history h
        where h.executed_at between p_from and p_to and (p_queue is null or h.queue_name = p_queue)
        group by 1
    )
    select jsonb_build_object(
        'timeRange', queen.series_range(p_from, p_to),
        'bucketMinutes', queen.series_minutes(p_from, p_to),
        'series', coalesce(jsonb_agg(jsonb_build_object('bucket', queen.series_time(p.bucket),
            'retentionMsgs', p.retention, 'completedRetentionMsgs', p.completed, 'evictionMsgs', p.eviction,
            'totalMsgs', p.total, 'eventCount', p.events) order by p.bucket), '[]'),
        'totals', jsonb_build_object('retentionMsgs', coalesce(sum(p.retention), 0),
            'completedRetentionMsgs', coalesce(sum(p.completed), 0), 'evictionMsgs', coalesce(sum(p.eviction), 0),
            'totalMsgs', coalesce(sum(p.total), 0), 'eventCount', coalesce(sum(p.events), 0)))
    from point p
$$;
