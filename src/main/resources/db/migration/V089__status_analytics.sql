-- status_analytics_v1(from, to, interval, queue, namespace, task) → json
-- Messages stored per minute, hour or day, oldest first and without gaps, from the minute buckets: what was removed since
-- counts too. Null for queue, namespace or task is any. At most 10,000 points, the newest.
create function queen.status_analytics_v1(
    p_from timestamptz, p_to timestamptz, p_interval text, p_queue text, p_namespace text, p_task text) returns jsonb
language sql stable
as $$
    with step as (
        select ('1 ' || p_interval)::interval as width
    ), point as (
        select g.at
        from step s
        cross join generate_series(
            greatest(
                date_trunc(p_interval, p_from at time zone 'UTC'),
                date_trunc(p_interval, p_to at time zone 'UTC') - 9999 * s.width),
            date_trunc(p_interval, p_to at time zone 'UTC'), s.width) g (at)
    ), stored as (
        select date_trunc(p_interval, b.bucket at time zone 'UTC') as at, sum((b.metrics ->> 'pushMessages')::numeric) as messages
        from queen.metric_buckets b
        where b.bucket >= date_trunc('minute', p_from) and b.bucket <= p_to
          and case
              when p_queue is null and p_namespace is null and p_task is null then b.queue_name = ''
              else b.queue_name <> '' and b.queue_name in (
                  select q.name from queen.queues q
                  where (p_queue is null or q.name = p_queue) and (p_namespace is null or q.namespace = p_namespace)
                    and (p_task is null or q.task = p_task))
          end
        group by 1
    )
    select jsonb_build_object(
        'dataPoints', coalesce((
            select jsonb_agg(jsonb_build_object(
                'timestamp', to_char(p.at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'messages', coalesce(s.messages, 0)) order by p.at)
            from point p left join stored s on s.at = p.at), '[]'),
        'interval', p_interval, 'from', queen.iso_time(p_from), 'to', queen.iso_time(p_to))
$$;
