-- lagging_groups_v1(seconds, limit, offset) → JSON array
-- The partitions whose oldest unread message is older than so many seconds for a group, the oldest first, also where the
-- group has no cursor yet; a redriven message is unread again. offset_lag is too high by messages that were removed one by
-- one after the cursor.
-- Costs a pass over all cursors, and one look-up of a key per partition that has something unread.
create function queen.lagging_groups_v1(p_seconds bigint, p_limit integer, p_offset integer) returns text
language sql stable
set jit = off
as $$
    with standing as (
        select c.consumer_group, p.queue_id, p.id, p.name, p.head, greatest(c.cursor, p.tail) as position,
               c.redriven, c.last_consumed_at
        from queen.partition_consumers c
        join queen.partitions p on p.id = c.partition_id
        where p.head > greatest(c.cursor, p.tail) or c.redriven > 0
        union all
        select k.consumer_group, k.queue_id, n.partition_id, n.partition_name, n.head,
               coalesce(n.position, queen.seq_before(n.partition_id, n.start_at)), 0, null
        from queen.known_queues_v1(null) k
        cross join lateral queen.untouched_partitions_v1(k.consumer_group, k.queue_id) n
        where k.members < k.partitions and (n.position is null or n.head > n.position)
    ), behind as (
        select s.*, q.name as queue_name, m.created_at as oldest
        from standing s
        join queen.queues q on q.id = s.queue_id
        cross join lateral (
            select m.created_at
            from queen.messages m
            where m.partition_id = s.id and m.seq > queen.before_waiting_v1(s.id, s.consumer_group, s.position, s.redriven)
            order by m.seq
            limit 1
        ) m
        where m.created_at < now() - make_interval(secs => p_seconds)
        order by m.created_at, s.consumer_group, q.name, s.name
        limit p_limit offset p_offset
    )
    select coalesce(json_agg(json_build_object(
        'consumer_group', b.consumer_group,
        'queue_name', b.queue_name,
        'partition_name', b.name,
        'partition_id', b.id,
        'worker_id', null,
        'offset_lag', b.head - b.position + b.redriven,
        'time_lag_seconds', floor(extract(epoch from now() - b.oldest))::bigint,
        'lag_hours', round((extract(epoch from now() - b.oldest) / 3600)::numeric, 2),
        'oldest_unconsumed_at', queen.iso_time(b.oldest),
        'last_consumed_at', queen.iso_time(b.last_consumed_at)
    ) order by b.oldest, b.consumer_group, b.queue_name, b.name), '[]'::json)::text
    from behind b
$$;
