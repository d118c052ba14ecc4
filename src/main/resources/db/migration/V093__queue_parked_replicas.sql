-- queue_parked_replicas_v1(from, to, queue) → json
-- Pops that waited, per queue and server, oldest point first. Null for the queue is any.
create function queen.queue_parked_replicas_v1(p_from timestamptz, p_to timestamptz, p_queue text) returns jsonb
language sql stable
as $$
    with point as (
        select s.bucket, s.queue_name, s.server_id, s.hostname, s.parked
        from queen.series_points(p_from, p_to, true) s
        where p_queue is null or s.queue_name = p_queue
    )
    select jsonb_build_object(
        'timeRange', queen.series_range(p_from, p_to),
        'bucketMinutes', queen.series_minutes(p_from, p_to),
        'series', coalesce(jsonb_agg(jsonb_build_object('bucket', queen.series_time(p.bucket), 'queueName', p.queue_name,
            'hostname', p.hostname, 'workerId', 0, 'serverId', p.server_id, 'parkedCount', p.parked)
            order by p.bucket, p.queue_name, p.server_id), '[]'),
        'replicas', coalesce(
            jsonb_agg(distinct jsonb_build_object('hostname', p.hostname, 'workerId', 0, 'serverId', p.server_id)), '[]'))
    from point p
$$;
