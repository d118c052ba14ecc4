-- queue_ops_v1(from, to, queue) → json
-- What was done with each queue, oldest point first. Null for the queue is any. Partitions created are those of a point
-- that are still there.
create function queen.queue_ops_v1(p_from timestamptz, p_to timestamptz, p_queue text) returns jsonb
language sql stable
as $$
    with point as (
        select s.bucket, s.queue_name, sum(s.push_requests) as pushes, sum(s.push_messages) as pushed,
               sum(s.pop_messages) as popped, sum(s.pop_empty) as empty, sum(s.ack_requests) as acks,
               sum(s.ack_messages) as acked, sum(s.ack_success) as ack_success, sum(s.ack_failed) as ack_failed,
               sum(s.transactions) as transactions, sum(s.partitions_deleted) as deleted, sum(s.lag_sum) as lag,
               max(s.max_lag) as max_lag, sum(s.parked) as parked, queen.series_minutes(p_from, p_to) * 60 as seconds
        from queen.series_points(p_from, p_to, true) s
        where p_queue is null or s.queue_name = p_queue
        group by s.bucket, s.queue_name
    ), born as (
        select q.name, queen.series_bucket(p.created_at, p_from, p_to) as bucket, count(*) as n
        from queen.partitions p join queen.queues q on q.id = p.queue_id
        where p.created_at between p_from and p_to and (p_queue is null or q.name = p_queue)
        group by 1, 2
    ), held as (
        select q.name, count(*) as n
        from queen.partitions p join queen.queues q on q.id = p.queue_id
        where q.name in (select o.queue_name from point o)
        group by 1
    )
    select jsonb_build_object(
        'timeRange', queen.series_range(p_from, p_to),
        'bucketMinutes', queen.series_minutes(p_from, p_to),
        'series', coalesce(jsonb_agg(jsonb_build_object(
            'bucket', queen.series_time(o.bucket), 'queueName', o.queue_name, 'pushRequests', o.pushes,
            'pushMessages', o.pushed, 'popMessages', o.popped, 'popEmpty', o.empty, 'ackRequests', o.acks,
            'ackSuccess', o.ack_success, 'ackFailed', o.ack_failed, 'transactions', o.transactions,
            'partitionsCreated', coalesce(b.n, 0), 'partitionsDeleted', o.deleted, 'partitionCount', coalesce(h.n, 0),
            'avgLagMs', round(o.lag / greatest(o.popped, 1)), 'maxLagMs', o.max_lag,
            'pushPerSecond', round(o.pushed / o.seconds, 2), 'popPerSecond', round(o.popped / o.seconds, 2),
            'ackPerSecond', round(o.acked / o.seconds, 2), 'emptyPerSecond', round(o.empty / o.seconds, 2),
            'parkedCount', o.parked) order by o.bucket, o.queue_name), '[]'),
        'queues', coalesce(jsonb_agg(distinct o.queue_name), '[]'))
    from point o
    left join born b on b.name = o.queue_name and b.bucket = o.bucket
    left join held h on h.name = o.queue_name
$$;
