-- knows_queue_v1(group, queue) → boolean
-- Whether the group has ever popped from the queue: it has a cursor in one of its partitions, or a subscription.
create function queen.knows_queue_v1(p_consumer_group text, p_queue_name text) returns boolean
language sql stable
as $$
    select exists (
        select from queen.subscriptions s where s.queue_name = p_queue_name and s.consumer_group = p_consumer_group
    ) or exists (
        select
        from queen.queues q
        join queen.partitions p on p.queue_id = q.id
        join queen.partition_consumers c on c.partition_id = p.id and c.consumer_group = p_consumer_group
        where q.name = p_queue_name
    )
$$;
