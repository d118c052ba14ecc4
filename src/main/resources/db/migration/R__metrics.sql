-- Figures over time, from what each server wrote for each minute, and of PostgreSQL.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- status_v1(from, to, queue, namespace, task, visible) → json
-- The state of queues and servers and what they did in a span of time. Null for queue, namespace or task is any. With one
-- of them, or for a caller that may see some queues only (is_visible_v1), the throughput is that of the queues, without it
-- that of the servers; such a caller is not told what each server did.
create or replace function queen.status_v1(
    p_from timestamptz, p_to timestamptz, p_queue text, p_namespace text, p_task text,
    p_visible text[] default null) returns jsonb
language sql stable
as $$
    with wanted as (
        select q.id, q.name, q.namespace, q.task
        from queen.queues q
        where (p_queue is null or q.name = p_queue) and (p_namespace is null or q.namespace = p_namespace)
          and (p_task is null or q.task = p_task) and (p_visible is null or queen.is_visible_v1(q.name, p_visible))
    ), server as (
        select * from queen.series_points(p_from, p_to, false)
    ), used as (
        select s.* from server s where p_queue is null and p_namespace is null and p_task is null and p_visible is null
        union all
        select s.* from queen.series_points(p_from, p_to, true) s
        where (p_queue is not null or p_namespace is not null or p_task is not null or p_visible is not null)
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
        from server s where p_visible is null group by s.server_id
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

-- status_analytics_v1(from, to, interval, queue, namespace, task, visible) → json
-- Messages stored per minute, hour or day, oldest first and without gaps, from the minute buckets: what was removed since
-- counts too. Null for queue, namespace or task is any. At most 10,000 points, the newest.
create or replace function queen.status_analytics_v1(
    p_from timestamptz, p_to timestamptz, p_interval text, p_queue text, p_namespace text, p_task text,
    p_visible text[] default null) returns jsonb
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
              when p_queue is null and p_namespace is null and p_task is null and p_visible is null then b.queue_name = ''
              else b.queue_name <> '' and b.queue_name in (
                  select q.name from queen.queues q
                  where (p_queue is null or q.name = p_queue) and (p_namespace is null or q.namespace = p_namespace)
                    and (p_task is null or q.task = p_task) and (p_visible is null or queen.is_visible_v1(q.name, p_visible)))
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

-- system_metrics_v1(from, to, hostname, worker) → json
-- CPU, memory, connections and waiting pops of each server, oldest point first. Null for hostname or worker is any; every
-- server is worker 0 of its own. CPU numbers are hundredths of a percent of one core.
create or replace function queen.system_metrics_v1(p_from timestamptz, p_to timestamptz, p_hostname text, p_worker text) returns jsonb
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

-- worker_metrics_v1(from, to, hostname, worker) → json
-- What the servers did, newest point first, with the state of each server and the sums of the span. Null for hostname or
-- worker is any; every server is worker 0 of its own.
create or replace function queen.worker_metrics_v1(p_from timestamptz, p_to timestamptz, p_hostname text, p_worker text) returns jsonb
language sql stable
as $$
    with server as (
        select s.* from queen.series_points(p_from, p_to, false) s
        where (p_hostname is null or s.hostname = p_hostname) and (p_worker is null or p_worker = '0')
    ), point as (
        select s.bucket, sum(s.push_messages) as pushed, sum(s.pop_messages) as popped, sum(s.ack_messages) as acked,
               sum(s.push_requests) as pushes, sum(s.pop_requests) as pops, sum(s.ack_requests) as acks,
               sum(s.jobs_done) as jobs, avg(s.loop_lag) as loop_lag, max(s.max_loop_lag) as max_loop_lag,
               avg(s.free_slots) as free_slots, min(s.min_free_slots) as min_free_slots, sum(s.connections) as connections,
               avg(s.waiting) as waiting, max(s.max_waiting) as max_waiting, sum(s.waiting_pops) as parked,
               sum(s.lag_sum) as lag, max(s.max_lag) as max_lag, sum(s.db_errors) as db_errors,
               sum(s.ack_success) as ack_success, sum(s.ack_failed) as ack_failed, sum(s.dlq_count) as dlq,
               queen.series_minutes(p_from, p_to) * 60 as seconds
        from server s group by s.bucket
    ), worker as (
        select s.server_id, min(s.hostname) as hostname, avg(s.loop_lag) as lag, max(s.max_loop_lag) as max_lag,
               avg(s.free_slots) as free_slots, max(s.connections) as connections, avg(s.waiting) as waiting,
               max(s.waiting_pops) as parked, sum(s.push_messages + s.pop_messages + s.ack_messages) as messages,
               max(s.last_seen) as last_seen
        from server s group by s.server_id
    ), queue as (
        select s.queue_name, sum(s.pop_messages) as popped, sum(s.lag_sum) as lag, max(s.max_lag) as max_lag
        from queen.series_points(p_from, p_to, true) s
        where p_hostname is null or s.hostname = p_hostname
        group by s.queue_name having sum(s.pop_messages) > 0
    )
    select jsonb_build_object(
        'timeRange', queen.series_range(p_from, p_to),
        'bucketMinutes', queen.series_minutes(p_from, p_to),
        'pointCount', count(*),
        'timeSeries', coalesce(jsonb_agg(jsonb_build_object(
            'timestamp', queen.series_time(p.bucket), 'pushMessages', p.pushed, 'popMessages', p.popped,
            'ackMessages', p.acked, 'pushRequests', p.pushes, 'popRequests', p.pops, 'ackRequests', p.acks,
            'jobsDone', p.jobs, 'pushPerSecond', round(p.pushed / p.seconds, 2),
            'popPerSecond', round(p.popped / p.seconds, 2), 'ackPerSecond', round(p.acked / p.seconds, 2),
            'avgEventLoopLagMs', round(p.loop_lag, 2), 'maxEventLoopLagMs', round(p.max_loop_lag, 2),
            'avgFreeSlots', round(p.free_slots, 1), 'minFreeSlots', p.min_free_slots, 'dbConnections', p.connections,
            'avgJobQueueSize', round(p.waiting, 1), 'maxJobQueueSize', p.max_waiting, 'backoffSize', p.parked,
            'avgLagMs', round(p.lag / greatest(p.popped, 1)), 'maxLagMs', p.max_lag, 'lagCount', p.popped,
            'dbErrors', p.db_errors, 'ackSuccess', p.ack_success, 'ackFailed', p.ack_failed, 'dlqCount', p.dlq)
            order by p.bucket desc), '[]'),
        'workers', coalesce((select jsonb_agg(jsonb_build_object('hostname', w.hostname, 'workerId', 0,
            'serverId', w.server_id, 'avgEventLoopLagMs', round(w.lag, 2), 'maxEventLoopLagMs', round(w.max_lag, 2),
            'freeSlots', round(w.free_slots, 1), 'dbConnections', w.connections, 'jobQueueSize', round(w.waiting, 1),
            'backoffSize', w.parked, 'messagesProcessed', w.messages, 'lastSeen', queen.series_time(w.last_seen))
            order by w.server_id) from worker w), '[]'),
        'queues', coalesce((select jsonb_agg(jsonb_build_object('queueName', q.queue_name, 'popCount', q.popped,
            'avgLagMs', round(q.lag / q.popped), 'maxLagMs', q.max_lag) order by q.popped desc, q.queue_name)
            from queue q), '[]'),
        'summary', jsonb_build_object('totalPushMessages', coalesce(sum(p.pushed), 0),
            'totalPopMessages', coalesce(sum(p.popped), 0), 'totalAckMessages', coalesce(sum(p.acked), 0),
            'totalPushRequests', coalesce(sum(p.pushes), 0), 'totalPopRequests', coalesce(sum(p.pops), 0),
            'totalAckRequests', coalesce(sum(p.acks), 0), 'totalDbErrors', coalesce(sum(p.db_errors), 0),
            'totalAckFailed', coalesce(sum(p.ack_failed), 0), 'totalDlq', coalesce(sum(p.dlq), 0),
            'pendingMessages', (
                select coalesce(sum(least(a.head - greatest(coalesce(c.slowest, 0), a.tail), a.head - a.removed)), 0)
                from queen.partitions a
                left join (select c.partition_id, min(c.cursor) as slowest
                           from queen.partition_consumers c group by 1) c on c.partition_id = a.id)))
    from point p
$$;

-- queue_ops_v1(from, to, queue, visible) → json
-- What was done with each queue, oldest point first. Null for the queue is any. Partitions created are those of a point
-- that are still there.
create or replace function queen.queue_ops_v1(
    p_from timestamptz, p_to timestamptz, p_queue text, p_visible text[] default null) returns jsonb
language sql stable
as $$
    with point as (
        select s.bucket, s.queue_name, sum(s.push_requests) as pushes, sum(s.push_messages) as pushed,
               sum(s.pop_messages) as popped, sum(s.pop_empty) as empty, sum(s.ack_requests) as acks,
               sum(s.ack_messages) as acked, sum(s.ack_success) as ack_success, sum(s.ack_failed) as ack_failed,
               sum(s.transactions) as transactions, sum(s.partitions_deleted) as deleted, sum(s.lag_sum) as lag,
               max(s.max_lag) as max_lag, sum(s.parked) as parked, queen.series_minutes(p_from, p_to) * 60 as seconds
        from queen.series_points(p_from, p_to, true) s
        where (p_queue is null or s.queue_name = p_queue) and (p_visible is null or queen.is_visible_v1(s.queue_name, p_visible))
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

-- queue_parked_replicas_v1(from, to, queue, visible) → json
-- Pops that waited, per queue and server, oldest point first. Null for the queue is any.
create or replace function queen.queue_parked_replicas_v1(
    p_from timestamptz, p_to timestamptz, p_queue text, p_visible text[] default null) returns jsonb
language sql stable
as $$
    with point as (
        select s.bucket, s.queue_name, s.server_id, s.hostname, s.parked
        from queen.series_points(p_from, p_to, true) s
        where (p_queue is null or s.queue_name = p_queue) and (p_visible is null or queen.is_visible_v1(s.queue_name, p_visible))
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

-- retention_series_v1(from, to, queue, visible) → json
-- What retention and eviction removed, oldest point first, and the sums of the span. Null for the queue is any.
create or replace function queen.retention_series_v1(
    p_from timestamptz, p_to timestamptz, p_queue text, p_visible text[] default null) returns jsonb
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
          and (p_visible is null or queen.is_visible_v1(h.queue_name, p_visible))
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

-- throughput_v1(visible) → ingested, processed
-- Messages pushed and acknowledged a second, by all servers together, of the queues that the caller may see (is_visible_v1), in the last minute whose bucket is written; zeros
-- when nothing was written for three minutes.
create or replace function queen.throughput_v1(p_visible text[], out ingested numeric, out processed numeric)
language sql stable
as $$
    select round(coalesce(sum((b.metrics ->> 'pushMessages')::numeric), 0) / 60, 2),
           round(coalesce(sum((b.metrics ->> 'ackMessages')::numeric), 0) / 60, 2)
    from queen.metric_buckets b
    where case when p_visible is null then b.queue_name = ''
               else b.queue_name <> '' and queen.is_visible_v1(b.queue_name, p_visible) end
      and b.bucket = (
          select max(l.bucket) from queen.metric_buckets l
          where l.bucket < date_trunc('minute', now()) and l.bucket >= date_trunc('minute', now()) - interval '3 minutes')
$$;

-- postgres_stats_v1() → json
-- What PostgreSQL tells of this database and of the tables of the schema queen: caches, sizes, dead rows, HOT updates,
-- vacuums, and the queries that run now; and of the server, see postgres_server_v1. Queries of other users show as far as the
-- role may see them. The shared buffers can be looked into only with an extension, so bufferUsage is empty.
create or replace function queen.postgres_stats_v1() returns jsonb
language sql stable
as $$
    select jsonb_build_object(
        'timestamp', queen.iso_time(now()),
        'database', current_database(),
        'databaseCache', (
            select jsonb_build_object('database', d.datname, 'diskReads', d.blks_read, 'cacheHits', d.blks_hit,
                'cacheHitRatio', coalesce(round(100.0 * d.blks_hit / nullif(d.blks_hit + d.blks_read, 0), 2), 0))
            from pg_stat_database d where d.datname = current_database()),
        'tableCache', coalesce((
            select jsonb_agg(jsonb_build_object('schema', t.schemaname, 'table', t.relname, 'diskReads', t.heap_blks_read,
                'cacheHits', t.heap_blks_hit, 'cacheHitRatio',
                coalesce(round(100.0 * t.heap_blks_hit / nullif(t.heap_blks_hit + t.heap_blks_read, 0), 2), 0)) order by t.relname)
            from pg_statio_user_tables t where t.schemaname = 'queen'), '[]'),
        'indexCache', coalesce((
            select jsonb_agg(jsonb_build_object('schema', i.schemaname, 'table', i.relname, 'index', i.indexrelname,
                'diskReads', i.idx_blks_read, 'cacheHits', i.idx_blks_hit, 'cacheHitRatio',
                coalesce(round(100.0 * i.idx_blks_hit / nullif(i.idx_blks_hit + i.idx_blks_read, 0), 2), 0)) order by i.indexrelname)
            from pg_statio_user_indexes i where i.schemaname = 'queen'), '[]'),
        'cacheSummary', (
            select jsonb_build_object(
                'tables', jsonb_build_object('diskReads', coalesce(sum(t.heap_blks_read), 0),
                    'cacheHits', coalesce(sum(t.heap_blks_hit), 0), 'cacheHitRatio',
                    coalesce(round(100.0 * sum(t.heap_blks_hit) / nullif(sum(t.heap_blks_hit + t.heap_blks_read), 0), 2), 0)),
                'indexes', jsonb_build_object('diskReads', coalesce(sum(t.idx_blks_read), 0),
                    'cacheHits', coalesce(sum(t.idx_blks_hit), 0), 'cacheHitRatio',
                    coalesce(round(100.0 * sum(t.idx_blks_hit) / nullif(sum(t.idx_blks_hit + t.idx_blks_read), 0), 2), 0)))
            from pg_statio_user_tables t where t.schemaname = 'queen'),
        'deadTuples', coalesce((
            select jsonb_agg(jsonb_build_object('schema', t.schemaname, 'table', t.relname, 'deadTuples', t.n_dead_tup,
                'liveTuples', t.n_live_tup, 'deadPercentage',
                coalesce(round(100.0 * t.n_dead_tup / nullif(t.n_live_tup + t.n_dead_tup, 0), 2), 0),
                'lastVacuum', queen.iso_time(t.last_vacuum), 'lastAutovacuum', queen.iso_time(t.last_autovacuum))
                order by t.n_dead_tup desc, t.relname)
            from pg_stat_user_tables t where t.schemaname = 'queen'), '[]'),
        'hotUpdates', coalesce((
            select jsonb_agg(jsonb_build_object('schema', t.schemaname, 'table', t.relname, 'totalUpdates', t.n_tup_upd,
                'hotUpdates', t.n_tup_hot_upd, 'hotUpdatePercentage',
                coalesce(round(100.0 * t.n_tup_hot_upd / nullif(t.n_tup_upd, 0), 2), 0)) order by t.n_tup_upd desc, t.relname)
            from pg_stat_user_tables t where t.schemaname = 'queen'), '[]'),
        'activeQueries', coalesce((
            select jsonb_agg(jsonb_build_object('pid', a.pid, 'duration', round(extract(epoch from now() - a.query_start), 3),
                'state', a.state, 'query', left(a.query, 200), 'waitEventType', a.wait_event_type, 'waitEvent', a.wait_event)
                order by a.query_start)
            from pg_stat_activity a
            where a.datname = current_database() and a.state <> 'idle' and a.pid <> pg_backend_pid()), '[]'),
        'autovacuumStatus', coalesce((
            select jsonb_agg(jsonb_build_object('schema', t.schemaname, 'table', t.relname, 'autovacuumCount', t.autovacuum_count,
                'autoanalyzeCount', t.autoanalyze_count, 'lastAutovacuum', queen.iso_time(t.last_autovacuum),
                'lastAutoanalyze', queen.iso_time(t.last_autoanalyze)) order by t.relname)
            from pg_stat_user_tables t where t.schemaname = 'queen'), '[]'),
        'bufferConfig', jsonb_build_object('sharedBuffers', current_setting('shared_buffers'),
            'sharedBuffersSize', pg_size_bytes(current_setting('shared_buffers'))),
        'bufferUsage', '[]'::jsonb,
        'tableSizes', coalesce((
            select jsonb_agg(jsonb_build_object('table', s.relname, 'totalSize', pg_size_pretty(s.total),
                'totalSizeBytes', s.total, 'tableSize', pg_size_pretty(s.own), 'tableSizeBytes', s.own,
                'indexSize', pg_size_pretty(s.indexes), 'indexSizeBytes', s.indexes) order by s.total desc, s.relname)
            from (select t.relname, pg_total_relation_size(t.relid) as total, pg_relation_size(t.relid) as own,
                         pg_indexes_size(t.relid) as indexes
                  from pg_stat_user_tables t where t.schemaname = 'queen') s), '[]'))
        || queen.postgres_server_v1()
$$;

-- postgres_server_v1() → json
-- What PostgreSQL tells of itself, one question after the other: one that fails, because the role lacks the right, or an
-- extension is not loaded, is answered with null, and the others are answered all the same. What the role may not see of others' sessions
-- is missing in them, or counted as unknown.
--
-- slowestStatements is null without pg_stat_statements. Only statements whose constants the extension has taken out are
-- shown: never an `alter role … password`.
create or replace function queen.postgres_server_v1() returns jsonb
language plpgsql stable
as $$
declare
    v_part   record;
    v_value  jsonb;
    v_result jsonb := '{}';
begin
    for v_part in
        select 'version' as name, $q$ select to_jsonb(current_setting('server_version')) $q$ as question
        union all
        select 'inRecovery', $q$ select to_jsonb(pg_is_in_recovery()) $q$
        union all
        select 'databaseSizeBytes', $q$ select to_jsonb(pg_database_size(current_database())) $q$
        union all
        select 'databaseSize', $q$ select to_jsonb(pg_size_pretty(pg_database_size(current_database()))) $q$
        union all
        select 'connections', $q$
            select jsonb_build_object(
                'max', current_setting('max_connections')::integer,
                'reserved', current_setting('superuser_reserved_connections')::integer,
                'total', coalesce(sum(s.n), 0), 'byState', coalesce(jsonb_object_agg(s.state, s.n), '{}'))
            from (
                select coalesce(a.state, 'unknown') as state, count(*) as n
                from pg_stat_activity a
                where coalesce(a.backend_type, 'client backend') = 'client backend'
                group by 1
            ) s $q$
        union all
        select 'longestTransaction', $q$
            select jsonb_build_object('pid', a.pid, 'user', a.usename, 'application', a.application_name,
                'startedAt', queen.iso_time(a.xact_start),
                'seconds', round(extract(epoch from clock_timestamp() - a.xact_start), 3), 'state', a.state,
                'query', left(a.query, 200), 'waitEventType', a.wait_event_type, 'waitEvent', a.wait_event)
            from pg_stat_activity a
            where a.datname = current_database() and a.xact_start is not null and a.pid <> pg_backend_pid()
              and a.backend_type = 'client backend'
            order by a.xact_start
            limit 1 $q$
        union all
        select 'replication', $q$
            select jsonb_build_object(
                'standbys', coalesce((
                    select jsonb_agg(jsonb_build_object('name', r.application_name, 'address', host(r.client_addr),
                        'state', r.state, 'syncState', r.sync_state,
                        'lagBytes', pg_wal_lsn_diff(w.place, r.replay_lsn),
                        'lagSeconds', round(extract(epoch from r.replay_lag), 3)) order by r.application_name, r.pid)
                    from pg_stat_replication r), '[]'),
                'slots', coalesce((
                    select jsonb_agg(jsonb_build_object('name', s.slot_name, 'type', s.slot_type, 'active', s.active,
                        'walStatus', s.wal_status, 'retainedBytes', pg_wal_lsn_diff(w.place, s.restart_lsn))
                        order by s.slot_name)
                    from pg_replication_slots s), '[]'))
            from (
                select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end as place
            ) w $q$
        union all
        select 'slowestStatements', (
            select format($q$
                select coalesce(jsonb_agg(jsonb_build_object('query', left(s.query, 200), 'calls', s.calls, 'rows', s.rows,
                    'meanMillis', round(s.mean_exec_time::numeric, 3), 'maxMillis', round(s.max_exec_time::numeric, 3),
                    'totalMillis', round(s.total_exec_time::numeric, 3)) order by s.mean_exec_time desc), '[]')
                from (
                    select *
                    from %I.pg_stat_statements s
                    where s.dbid = (select d.oid from pg_database d where d.datname = current_database())
                      and s.query ~* '^\s*(select|insert|update|delete|merge|with)\M'
                    order by s.mean_exec_time desc
                    limit 20
                ) s $q$, n.nspname)
            from pg_extension e
            join pg_namespace n on n.oid = e.extnamespace
            where e.extname = 'pg_stat_statements')
    loop
        v_value := null;
        begin
            if v_part.question is not null then
                execute v_part.question into v_value;
            end if;
        exception when others then
            v_value := null;
        end;
        v_result := v_result || jsonb_build_object(v_part.name, v_value);
    end loop;
    return v_result;
end
$$;

-- series_points(from, to, queues) → one row per point and server or queue
-- The minute buckets of a span, added up per point. p_queues false gives the rows of servers as wholes, true those of queues.
create or replace function queen.series_points(p_from timestamptz, p_to timestamptz, p_queues boolean)
returns table (
    bucket timestamptz, server_id text, queue_name text, hostname text, minutes bigint,
    push_requests numeric, push_messages numeric, pop_requests numeric, pop_messages numeric, pop_empty numeric,
    ack_requests numeric, ack_messages numeric, ack_success numeric, ack_failed numeric, dlq_count numeric,
    transactions numeric, lag_sum numeric, max_lag numeric, partitions_deleted numeric, parked numeric,
    jobs_done numeric, db_errors numeric, loop_lag numeric, max_loop_lag numeric, free_slots numeric,
    min_free_slots numeric, connections numeric, waiting numeric, max_waiting numeric, waiting_pops numeric,
    last_seen timestamptz
)
language sql stable
as $$
    select queen.series_bucket(b.bucket, p_from, p_to), b.server_id, b.queue_name, min(b.metrics ->> 'hostname'),
           count(distinct b.bucket),
           sum((b.metrics ->> 'pushRequests')::numeric), sum((b.metrics ->> 'pushMessages')::numeric),
           sum((b.metrics ->> 'popRequests')::numeric), sum((b.metrics ->> 'popMessages')::numeric),
           sum((b.metrics ->> 'popEmpty')::numeric), sum((b.metrics ->> 'ackRequests')::numeric),
           sum((b.metrics ->> 'ackMessages')::numeric), sum((b.metrics ->> 'ackSuccess')::numeric),
           sum((b.metrics ->> 'ackFailed')::numeric), sum((b.metrics ->> 'dlqCount')::numeric),
           sum((b.metrics ->> 'transactions')::numeric), sum((b.metrics ->> 'lagSumMs')::numeric),
           max((b.metrics ->> 'maxLagMs')::numeric), sum((b.metrics ->> 'partitionsDeleted')::numeric),
           max((b.metrics ->> 'parkedCount')::numeric), coalesce(sum((b.metrics ->> 'jobsDone')::numeric), 0),
           coalesce(sum((b.metrics ->> 'dbErrors')::numeric), 0),
           coalesce(avg(queen.series_sample(b.metrics, 'eventLoopLagMs', 'avg')), 0),
           coalesce(max(queen.series_sample(b.metrics, 'eventLoopLagMs', 'max')), 0),
           coalesce(avg(queen.series_sample(b.metrics, 'freeSlots', 'avg')), 0),
           coalesce(min(queen.series_sample(b.metrics, 'freeSlots', 'min')), 0),
           coalesce(max(queen.series_sample(b.metrics, 'dbConnections', 'last')), 0),
           coalesce(avg(queen.series_sample(b.metrics, 'jobQueueSize', 'avg')), 0),
           coalesce(max(queen.series_sample(b.metrics, 'jobQueueSize', 'max')), 0),
           coalesce(max(queen.series_sample(b.metrics, 'parked', 'max')), 0),
           max(b.bucket)
    from queen.metric_buckets b
    where b.bucket >= date_trunc('minute', p_from) and b.bucket <= p_to and (b.queue_name <> '') = p_queues
    group by 1, 2, 3
$$;

-- series_sample(metrics, name, part) → number
-- One value of a sample in a server's row of metric_buckets: avg, min, max, last or count.
create or replace function queen.series_sample(p_metrics jsonb, p_name text, p_part text) returns numeric
language sql immutable
as $$
    select (p_metrics -> 'samples' -> p_name ->> p_part)::numeric
$$;

-- series_minutes(from, to) → minutes
-- The width of the points of a series: an hour has points of one minute, longer spans wider ones.
create or replace function queen.series_minutes(p_from timestamptz, p_to timestamptz) returns integer
language sql immutable
as $$
    select case
        when p_to - p_from <= interval '1 hour' then 1
        when p_to - p_from <= interval '6 hours' then 5
        when p_to - p_from <= interval '24 hours' then 15
        when p_to - p_from <= interval '7 days' then 60
        else 360
    end
$$;

-- series_bucket(time, from, to) → the point of the series that the time belongs to
create or replace function queen.series_bucket(p_time timestamptz, p_from timestamptz, p_to timestamptz) returns timestamptz
language sql immutable
as $$
    select date_bin(make_interval(mins => queen.series_minutes(p_from, p_to)), p_time, timestamptz '2000-01-01T00:00:00Z')
$$;

-- series_time(time) → text
-- A point of a series as it is answered: UTC, whole seconds.
create or replace function queen.series_time(p_time timestamptz) returns text
language sql immutable
as $$
    select to_char(p_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
$$;

-- series_range(from, to) → the member timeRange of all series
create or replace function queen.series_range(p_from timestamptz, p_to timestamptz) returns jsonb
language sql immutable
as $$
    select jsonb_build_object('from', queen.iso_time(p_from), 'to', queen.iso_time(p_to))
$$;
