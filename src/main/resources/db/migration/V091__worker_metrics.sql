-- worker_metrics_v1(from, to, hostname, worker) → json
-- What the servers did, newest point first, with the state of each server and the sums of the span. Null for hostname or
-- worker is any; every server is worker 0 of its own.
create function queen.worker_metrics_v1(p_from timestamptz, p_to timestamptz, p_hostname text, p_worker text) returns jsonb
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
