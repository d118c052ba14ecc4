-- list_groups_v1(limit, offset) → JSON array
-- One element per group and queue, by group, then queue. Lag is head - cursor of each partition, never a count; where the
-- group has no cursor yet, what its subscription will give it counts too.
--   members            partitions with a cursor of the group
--   partitions         partitions of the queue
--   partitionsWithLag  partitions with something unread
--   lagMessages        unread messages: too high by those that were removed one by one after a cursor, and a partition
--                      in which only a search would tell (see untouched_partitions_v1) counts as one
--   maxTimeLag         seconds since the last push to the partition that was left unread longest; lagSeconds is the same
create function queen.list_groups_v1(p_limit integer, p_offset integer) returns text
language sql stable
set jit = off
as $$
    with page as (
        select k.*
        from queen.known_queues_v1(null) k
        order by k.consumer_group, k.queue_name
        limit p_limit offset p_offset
    ), whole as (
        select k.consumer_group, k.queue_name, k.members, k.partitions, k.consumed,
               k.with_lag + coalesce(u.with_lag, 0) as with_lag,
               k.lag + coalesce(u.lag, 0) as lag,
               greatest(coalesce(floor(extract(epoch from now() - least(k.waiting_since, u.waiting_since))), 0), 0)::bigint
                   as seconds
        from page k
        left join lateral (
            select count(*) as with_lag, sum(coalesce(n.head - n.position, 1)) as lag, min(n.last_push_at) as waiting_since
            from queen.untouched_partitions_v1(k.consumer_group, k.queue_id) n
            where n.position is null or n.head > n.position
        ) u on k.members < k.partitions
    )
    select coalesce(json_agg(json_build_object(
        'name', w.consumer_group,
        'topics', json_build_array(w.queue_name),
        'queueName', w.queue_name,
        'queue', w.queue_name,
        'members', w.members,
        'partitions', w.partitions,
        'partitionsWithLag', w.with_lag,
        'totalLag', null,
        'lagMessages', w.lag,
        'maxTimeLag', w.seconds,
        'lagSeconds', w.seconds,
        'state', case when w.seconds > 300 then 'Lagging' when w.consumed > 0 then 'Stable' else 'Dead' end,
        'subscriptionMode', s.subscription_mode,
        'subscriptionTimestamp', queen.iso_time(s.subscription_timestamp),
        'subscriptionCreatedAt', queen.iso_time(s.created_at)
    ) order by w.consumer_group, w.queue_name), '[]'::json)::text
    from whole w
    left join queen.subscriptions s
        on s.queue_name = w.queue_name and s.consumer_group = w.consumer_group and s.partition_name = ''
$$;
