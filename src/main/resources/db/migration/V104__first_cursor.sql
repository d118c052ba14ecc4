-- first_cursor_v1(partition, group) → sequence number
-- Where a group that has no cursor in a partition begins: by its subscription, else at the beginning.
create function queen.first_cursor_v1(p_partition_id uuid, p_consumer_group text) returns bigint
language sql stable
as $$
    select case when s.start is null then 0 else queen.seq_before(p_partition_id, s.start) end
    from queen.partitions p
    join queen.queues q on q.id = p.queue_id
    cross join lateral queen.subscribed_from_v1(p_consumer_group, q.name, p.name) s (start)
    where p.id = p_partition_id
$$;
