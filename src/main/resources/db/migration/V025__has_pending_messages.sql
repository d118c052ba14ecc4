-- has_pending_messages(queue, partition, group) → boolean
-- Whether a pop would find something: a partition with messages after the group's cursor, or redriven ones,
-- and no live lease. The cheap
-- look before a claim. p_partition null or '*' is any partition of the queue.
create function queen.has_pending_messages(p_queue_name text, p_partition_name text, p_consumer_group text) returns boolean
language sql stable
as $$
    select exists (
        select
        from queen.queues q
        join queen.partitions p on p.queue_id = q.id
        cross join lateral queen.pop_sm_standing(q.name, p.id, p.name, p.head, p.last_push_at, p_consumer_group) c
        where q.name = p_queue_name
          and (p_partition_name is null or p_partition_name = '*' or p.name = p_partition_name)
          and (p.head > greatest(c.cursor, p.tail) or c.redriven > 0)
          and (c.lease_expires_at is null or c.lease_expires_at <= now())
          and (c.retry_at is null or c.retry_at <= now())
    )
$$;
