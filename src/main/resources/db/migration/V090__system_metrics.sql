-- system_metrics_v1(from, to, hostname, worker) → json
-- CPU, memory, connections and waiting pops of each server, oldest point first. Null for hostname or worker is any; every
-- server is worker 0 of its own. CPU numbers are hundredths of a percent of one core.
create function queen.system_metrics_v1(p_from timestamptz, p_to timestamptz, p_hostname text, p_worker text) returns jsonb
language sql stable
as $$
    with sample as (
        select b.server_id, queen.series_bucket(b.bucket, p_from, p_to) as bucket, b.bucket as minute, s.key as name,
               b.metrics ->> 'hostname' as hostname, (b.metrics ->> 'port')::integer as port, (s.value ->> 'count')::numeric as n,
               (s.value ->> 'avg')::numeric as avg, (s.value ->> 'min')::numeric as min,
               (s.value ->> 'max')::numeric as max, (s.value ->> 'last')::numeric as last
        from queen.metric_buckets b
        cross join lateral jsonb_each(b.metrics -> 'samples') s
        where b.bucket >= date_trunc('minute', p_from) and b.bucket <= p_to and b.queue_name = ''
          and (p_hostname is null or b.metrics ->> 'hostname' = p_hostname) and (p_worker is null or p_worker = '0')
    ), value as (
        select s.server_id, s.bucket, s.name, min(s.hostname) as hostname, min(s.port) as port, sum(s.n) as n,
               jsonb_build_object('avg', round(sum(s.avg * s.n) / sum(s.n), 2), 'min', round(min(s.min), 2),
                   'max', round(max(s.max), 2), 'last', round((array_agg(s.last order by s.minute desc))[1], 2)) as value
        from sample s
        group by s.server_id, s.bucket, s.name
    ), point as (
        select v.server_id, v.bucket, min(v.hostname) as hostname, min(v.port) as port, max(v.n) as n, jsonb_object_agg(v.name, v.value) as m
        from value v
        group by v.server_id, v.bucket
    ), replica as (
        select p.server_id, min(p.hostname) as hostname, min(p.port) as port, count(*) as points,
               jsonb_agg(jsonb_build_object(
                   'timestamp', queen.series_time(p.bucket), 'sampleCount', p.n,
                   'metrics', jsonb_build_object(
                       'cpu', jsonb_build_object('user_us', p.m -> 'cpuUser', 'system_us', p.m -> 'cpuSystem'),
                       'memory', jsonb_build_object('rss_bytes', p.m -> 'rssBytes', 'virtual_bytes', p.m -> 'virtualBytes'),
                       'database', jsonb_build_object('pool_size', p.m -> 'poolSize', 'pool_idle', p.m -> 'poolIdle',
                           'pool_active', p.m -> 'poolActive'),
                       'event_loop', jsonb_build_object('lag_ms', p.m -> 'eventLoopLagMs'),
                       'registries', jsonb_build_object('response', p.m -> 'parked'),
                       'shared_state', jsonb_build_object('enabled', false))) order by p.bucket) as series
        from point p
        group by p.server_id
    )
    select jsonb_build_object(
        'timeRange', queen.series_range(p_from, p_to),
        'replicas', coalesce(jsonb_agg(jsonb_build_object('hostname', r.hostname, 'port', r.port, 'workerId', '0',
            'serverId', r.server_id, 'timeSeries', r.series) order by r.server_id), '[]'),
        'replicaCount', count(*), 'bucketMinutes', queen.series_minutes(p_from, p_to),
        'pointCount', coalesce(max(r.points), 0))
    from replica r
$$;
