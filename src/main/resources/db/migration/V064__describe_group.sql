-- describe_group_v1(group, limit, offset) → JSON object by queue
-- The partitions of the queues that a group knows, by queue and partition name. '{}' for a group nobody knows. The page
-- counts partitions over all queues; `total` of a queue is how many it has.
--   offsetLag       unread and redriven messages; too high by those that were removed one by one after the cursor
--   timeLagSeconds  age of the oldest unread message, 0 for none
--   cursor          null where the group has none yet
--   leaseHolder     who holds the lease: the address, and the name it gave; workerId is the name, else the address
-- Beside the partitions of a queue stands how the group fares there, see group_page_v1.
-- Costs the look at the group's queues and a few look-ups of keys per partition of the page.
-- What it calls is made later, so its body is not checked here.
set local check_function_bodies = off;
create function queen.describe_group_v1(p_consumer_group text, p_limit integer, p_offset integer) returns text
language sql stable
set jit = off
as $$
    with queue as (
        select k.*, sum(k.partitions) over (order by k.queue_name) - k.partitions as before
        from queen.group_page_v1(p_consumer_group, null, 0) k
    ), place as (
        select q.queue_name, q.partitions, q.state, q.health, q.paused, q.leases, q.waiting, q.holders, p.*
        from queue q
        cross join lateral (
            select p.id, p.name, p.head, p.tail
            from queen.partitions p
            where p.queue_id = q.queue_id
            order by p.name
            limit greatest(p_limit + p_offset::bigint - q.before, 0)
            offset greatest(p_offset - q.before, 0)
        ) p
        where q.before < p_offset::bigint + p_limit and q.before + q.partitions > p_offset
        order by q.queue_name, p.name
        limit p_limit
    ), standing as (
        select p.*, c.cursor, coalesce(c.redriven, 0) as redriven, c.total_consumed, c.last_consumed_at,
               case when c.lease_expires_at > now() then c.lease_expires_at end as leased_until,
               case when c.lease_expires_at > now() then queen.holder_v1(c.leased_by) end as holder,
               greatest(p.tail, case
                   when c.cursor is not null then c.cursor
                   when s.start_at is not null then queen.seq_before(p.id, s.start_at) end) as position
        from place p
        left join queen.partition_consumers c on c.partition_id = p.id and c.consumer_group = p_consumer_group
        cross join lateral (
            select case when c.cursor is null then queen.subscribed_from_v1(p_consumer_group, p.queue_name, p.name) end
                as start_at
        ) s
    ), described as (
        select s.queue_name, json_build_object(
            'total', min(s.partitions),
            'state', min(s.state),
            'health', min(s.health),
            'paused', bool_or(s.paused),
            'leases', min(s.leases),
            'waiting', min(s.waiting),
            'consumers', queen.holders_v1(min(s.holders)),
            'partitions', json_agg(json_build_object(
                'partition', s.name,
                'partitionId', s.id,
                'workerId', coalesce(s.holder ->> 'name', s.holder ->> 'address'),
                'lastConsumedAt', queen.iso_time(s.last_consumed_at),
                'totalConsumed', coalesce(s.total_consumed, 0),
                'cursor', s.cursor,
                'offsetLag', s.head - s.position + s.redriven,
                'timeLagSeconds', greatest(coalesce(floor(extract(epoch from now() - (
                    select m.created_at
                    from queen.messages m
                    where m.partition_id = s.id
                      and m.seq > queen.before_waiting_v1(s.id, p_consumer_group, s.position, s.redriven)
                    order by m.seq
                    limit 1))), 0), 0)::bigint,
                'leaseActive', s.leased_until is not null,
                'leaseExpiresAt', queen.iso_time(s.leased_until),
                'leaseRemainingMillis', floor(extract(epoch from s.leased_until - clock_timestamp()) * 1000)::bigint,
                'leaseHolder', s.holder
            ) order by s.name)) as content
        from standing s
        group by s.queue_name
    )
    select coalesce(json_object_agg(d.queue_name, d.content order by d.queue_name), '{}'::json)::text
    from described d
$$;
