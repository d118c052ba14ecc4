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
    left join queen.partition_consumers c on c.partition_id = p.id and c.consumer_group = p_consumer_group
    where q.name = p_queue_name
      and p.head > greatest(coalesce(c.cursor, 0), p.tail)
      and (c.lease_expires_at is null or c.lease_expires_at <= now())
      and (c.retry_at is null or c.retry_at <= now())
      and (q.window_buffer = 0 or p.last_push_at <= now() - make_interval(secs => q.window_buffer))
    order by c.last_consumed_at nulls first, p.last_push_at
    limit p_limit
$$;
