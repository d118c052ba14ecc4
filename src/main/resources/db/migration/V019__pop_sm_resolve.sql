-- pop_sm_standing(queue name, partition, its name, head and last push, group) → cursor, lease_expires_at, retry_at, last_consumed_at,
-- redriven
-- Where a group stands in a partition: always one row. Without a cursor it stands where its subscription begins: at the
-- head when the last push was before that, else somewhere before it, which is told as 0 (seq_before knows exactly).
-- A view with parameters: the caller's statement takes it in, and runs under the caller's settings.
create function queen.pop_sm_standing(
    p_queue_name text, p_partition_id uuid, p_partition_name text, p_head bigint, p_last_push_at timestamptz, p_consumer_group text)
returns table (
    cursor bigint, lease_expires_at timestamptz, retry_at timestamptz, last_consumed_at timestamptz, redriven integer)
language sql stable
as $$
    select coalesce(c.cursor, case when p_consumer_group <> '__QUEUE_MODE__' and p_last_push_at < coalesce(
               (select s.subscription_timestamp from queen.subscriptions s
                where s.queue_name = p_queue_name and s.consumer_group = p_consumer_group
                  and s.partition_name = p_partition_name and p_partition_name <> ''),
               (select s.subscription_timestamp from queen.subscriptions s
                where s.queue_name = p_queue_name and s.consumer_group = p_consumer_group and s.partition_name = ''))
               then p_head else 0 end),
           c.lease_expires_at, c.retry_at, c.last_consumed_at, coalesce(c.redriven, 0)
    from (select) one
    left join lateral (
        select c.cursor, c.lease_expires_at, c.retry_at, c.last_consumed_at, c.redriven
        from queen.partition_consumers c
        where c.partition_id = p_partition_id and c.consumer_group = p_consumer_group
        limit 1
    ) c on true
$$;

-- pop_sm_resolve(queue, group, limit) → partitions
-- The partitions of a queue from which the group could pop now, least recently served first.
--
--   select * from queen.pop_sm_resolve('orders', 'billing');
--
-- Gives  partition_id, partition_name, queue_id, lease_time, window_buffer, delayed_processing.
-- It looks at all partitions of the queue: right for a person and for consumers that speak SQL. The server remembers
-- which partitions have news (pop_sm_news, pop_sm_sweep) and does not call it. No lock is taken: the lease decides.
create function queen.pop_sm_resolve(p_queue_name text, p_consumer_group text, p_limit integer default 1)
returns table (
    partition_id       uuid,
    partition_name     text,
    queue_id           uuid,
    lease_time         integer,
    window_buffer      integer,
    delayed_processing integer
)
language sql stable
as $$
    select p.id, p.name, q.id, q.lease_time, q.window_buffer, q.delayed_processing
    from queen.queues q
    join queen.partitions p on p.queue_id = q.id
    cross join lateral queen.pop_sm_standing(q.name, p.id, p.name, p.head, p.last_push_at, p_consumer_group) c
    where q.name = p_queue_name
      and (p.head > greatest(c.cursor, p.tail) or c.redriven > 0)
      and (c.lease_expires_at is null or c.lease_expires_at <= now())
      and (c.retry_at is null or c.retry_at <= now())
      and (q.window_buffer = 0 or c.redriven > 0 or p.last_push_at <= now() - make_interval(secs => q.window_buffer))
    order by c.last_consumed_at nulls first, p.last_push_at
    limit p_limit
$$;
