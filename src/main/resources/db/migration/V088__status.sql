-- status_v1(from, to, queue, namespace, task) → json
-- The state of queues and servers and what they did in a span of time. Null for queue, namespace or task is any. With one
-- of them the throughput is that of the queues, without it that of the servers.
create function queen.status_v1(
    p_from timestamptz, p_to timestamptz, p_queue text, p_namespace text, p_task text) returns jsonb
language sql stable
as $$
    with wanted as (
        select q.id, q.name, q.namespace, q.task
        from queen.queues q
        where (p_queue is null or q.name = p_queue) and (p_namespace is null or q.namespace = p_namespace)
          and (p_task is null or q.task = p_task)
    ), server as (
        select * from queen.series_points(p_from, p_to, false)
    ), used as (
        select s.* from server s where p_queue is null and p_namespace is null and p_task is null
        union all
        select s.* from queen.series_points(p_from, p_to, true) s
        where (p_queue is not null or p_namespace is not null or p_task is not null)
          and s.queue_name in (select w.name from wanted w)
    ), system as (
        select queen.series_bucket(b.bucket, p_from, p_to) as bucket,
               avg(queen.series_sample(b.metrics, 'cpuUser', 'avg')) / 100 as cpu_user,
               avg(queen.series_sample(b.metrics, 'cpuSystem', 'avg')) / 100 as cpu_system,
               avg(queen.series_sample(b.metrics, 'rssBytes', 'avg')) / 1048576 as rss_mb,
               avg(queen.series_sample(b.metrics, 'poolActive', 'avg')) as pool_active,
               avg(queen.series_sample(b.metrics, 'poolIdle', 'avg')) as pool_idle,
               avg(queen.series_sample(b.metrics, 'poolSize', 'avg')) as pool_size
        from queen.metric_buckets b
        where b.bucket >= date_trunc('minute', p_from) and b.bucket <= p_to and b.queue_name = ''
        group by 1
    ), loops as (
        select s.bucket, avg(s.loop_lag) as lag, max(s.max_loop_lag) as max_lag, min(s.min_free_slots) as free_slots,
               sum(s.db_errors) as db_errors
        from server s group by s.bucket
    ), point as (
        select u.bucket, sum(u.push_messages) as pushed, sum(u.ack_messages) as acked, sum(u.pop_messages) as popped,
               sum(u.lag_sum) as lag, max(u.max_lag) as max_lag, sum(u.ack_failed) as ack_failed, sum(u.dlq_count) as dlq,
               queen.series_minutes(p_from, p_to) * 60 as seconds
        from used u group by u.bucket
    ), throughput as (
        select jsonb_agg(jsonb_build_object(
            'timestamp', queen.series_time(p.bucket), 'ingested', p.pushed, 'processed', p.acked, 'popMessages', p.popped,
            'ingestedPerSecond', round(p.pushed / p.seconds, 2), 'processedPerSecond', round(p.acked / p.seconds, 2),
            'popPerSecond', round(p.popped / p.seconds, 2), 'avgLagMs', round(p.lag / greatest(p.popped, 1)),
            'maxLagMs', p.max_lag, 'avgEventLoopLagMs', round(l.lag, 2), 'maxEventLoopLagMs', round(l.max_lag, 2),
            'minFreeSlots', l.free_slots, 'dbErrors', l.db_errors, 'ackFailed', p.ack_failed, 'dlqCount', p.dlq,
            'queenCpuUserPct', round(y.cpu_user, 2), 'queenCpuSysPct', round(y.cpu_system, 2),
            'queenRssMb', round(y.rss_mb, 1), 'dbPoolActive', round(y.pool_active, 1), 'dbPoolIdle', round(y.pool_idle, 1),
            'dbPoolSize', round(y.pool_size, 1)) order by p.bucket desc) as points
        from point p left join loops l on l.bucket = p.bucket left join system y on y.bucket = p.bucket
    ), part as (
        select p.id, p.queue_id, p.head, p.tail, p.removed, g.slowest, g.consumed, g.leased, g.lease_size, g.batch
        from queen.partitions p
        join wanted w on w.id = p.queue_id
        cross join lateral (
            select coalesce(min(c.cursor), 0) as slowest, coalesce(sum(c.total_consumed), 0) as consumed,
                   count(*) filter (where c.lease_expires_at > now()) as leased,
                   coalesce(sum(c.lease_last_seq - greatest(c.cursor, p.tail)) filter (where c.lease_expires_at > now()), 0) as lease_size,
                   coalesce(max(c.lease_last_seq) filter (where c.lease_expires_at > now()), 0) as batch
            from queen.partition_consumers c where c.partition_id = p.id) g
    ), sums as (
        select coalesce(sum(p.head - p.removed), 0) as total,
               coalesce(sum(least(p.head - greatest(p.slowest, p.tail), p.head - p.removed)), 0) as pending,
               coalesce(sum(greatest(p.batch - greatest(p.slowest, p.tail), 0)), 0) as processing,
               coalesce(sum(p.leased), 0) as leases, count(*) filter (where p.leased > 0) as leased_partitions,
               coalesce(sum(p.lease_size), 0) as lease_size
        from part p
    ), letters as (
        select count(*) as total, count(distinct d.partition_id) as partitions
        from queen.dead_letters d where d.partition_id in (select p.id from part p)
    ), errors as (
        select jsonb_agg(jsonb_build_object('error', e.error_message, 'count', e.n) order by e.n desc) as top
        from (select d.error_message, count(*) as n from queen.dead_letters d
              where d.partition_id in (select p.id from part p) group by 1 order by 2 desc limit 5) e
    ), did as (
        select coalesce(sum(u.push_requests), 0) as pushes, coalesce(sum(u.pop_requests), 0) as pops,
               coalesce(sum(u.ack_requests), 0) as acks, coalesce(sum(u.push_messages), 0) as pushed,
               coalesce(sum(u.pop_messages), 0) as popped, coalesce(sum(u.ack_messages), 0) as acked,
               coalesce(sum(u.ack_failed), 0) as ack_failed, coalesce(sum(u.dlq_count), 0) as dlq
        from used u
    ), worker as (
        select s.server_id, min(s.hostname) as hostname, avg(s.loop_lag) as lag, max(s.max_loop_lag) as max_lag,
               avg(s.free_slots) as free_slots, max(s.connections) as connections, avg(s.waiting) as waiting,
               sum(s.push_messages + s.pop_messages + s.ack_messages) as messages
        from server s group by s.server_id
    )
    select jsonb_build_object(
        'timeRange', queen.series_range(p_from, p_to),
        'bucketMinutes', queen.series_minutes(p_from, p_to),
        'pointCount', coalesce(jsonb_array_length(t.points), 0),
        'throughput', coalesce(t.points, '[]'),
        'queues', coalesce((
            select jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'namespace', w.namespace, 'task', w.task,
                'partitions', p.n, 'totalConsumed', p.consumed,
                'paused', exists (select from queen.pauses z where z.queue_id = w.id and z.consumer_group = '')) order by w.name)
            from wanted w
            join (select p.queue_id, count(*) as n, sum(p.consumed) as consumed from part p
                  group by p.queue_id having sum(p.head - p.removed) > 0) p on p.queue_id = w.id), '[]'),
        'messages', jsonb_build_object('total', s.total, 'pending', greatest(s.pending - s.processing, 0),
            'processing', least(s.processing, s.pending), 'completed', s.total - s.pending, 'failed', 0,
            'deadLetter', d.total,
            'requests', jsonb_build_object('push', i.pushes, 'pop', i.pops, 'ack', i.acks),
            'batchEfficiency', jsonb_build_object('push', round(i.pushed / greatest(i.pushes, 1), 2),
                'pop', round(i.popped / greatest(i.pops, 1), 2), 'ack', round(i.acked / greatest(i.acks, 1), 2))),
        'leases', jsonb_build_object('active', s.leases, 'partitionsWithLeases', s.leased_partitions,
            'totalBatchSize', s.lease_size, 'totalAcked', i.acked),
        'deadLetterQueue', jsonb_build_object('totalMessages', d.total, 'affectedPartitions', d.partitions,
            'topErrors', coalesce(e.top, '[]')),
        'workers', coalesce((select jsonb_agg(jsonb_build_object('hostname', k.hostname, 'workerId', 0,
            'serverId', k.server_id, 'avgEventLoopLagMs', round(k.lag, 2), 'maxEventLoopLagMs', round(k.max_lag, 2),
            'freeSlots', round(k.free_slots, 1), 'dbConnections', k.connections, 'jobQueueSize', round(k.waiting, 1),
            'messagesProcessed', k.messages) order by k.server_id) from worker k), '[]'),
        'errors', jsonb_build_object('dbErrors', (select coalesce(sum(l.db_errors), 0) from loops l),
            'ackFailed', i.ack_failed, 'dlqMessages', i.dlq),
        'statsAge', 0)
    from throughput t, sums s, letters d, errors e, did i
$$;
