-- series_minutes(from, to) → minutes
-- The width of the points of a series: an hour has points of one minute, longer spans wider ones.
create function queen.series_minutes(p_from timestamptz, p_to timestamptz) returns integer
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
create function queen.series_bucket(p_time timestamptz, p_from timestamptz, p_to timestamptz) returns timestamptz
language sql immutable
as $$
    select date_bin(make_interval(mins => queen.series_minutes(p_from, p_to)), p_time, timestamptz '2000-01-01T00:00:00Z')
$$;

-- series_time(time) → text
-- A point of a series as it is answered: UTC, whole seconds.
create function queen.series_time(p_time timestamptz) returns text
language sql immutable
as $$
    select to_char(p_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
$$;

-- series_range(from, to) → the member timeRange of all series
create function queen.series_range(p_from timestamptz, p_to timestamptz) returns jsonb
language sql immutable
as $$
    select jsonb_build_object('from', queen.iso_time(p_from), 'to', queen.iso_time(p_to))
$$;

-- series_sample(metrics, name, part) → number
-- One value of a sample in a server's row of metric_buckets: avg, min, max, last or count.
create function queen.series_sample(p_metrics jsonb, p_name text, p_part text) returns numeric
language sql immutable
as $$
    select (p_metrics -> 'samples' -> p_name ->> p_part)::numeric
$$;

-- series_points(from, to, queues) → one row per point and server or queue
-- The minute buckets of a span, added up per point. p_queues false gives the rows of servers as wholes, true those of queues.
create function queen.series_points(p_from timestamptz, p_to timestamptz, p_queues boolean)
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
