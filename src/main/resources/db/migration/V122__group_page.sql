-- group_page_v1(group, limit, offset) → a group in its queues, or with null all groups
-- Where groups stand and how they fare, by group, then queue. Lag is head - cursor of each partition, never a count; where
-- the group has no cursor yet, what its subscription will give it counts too.
--
-- Gives  members     partitions with a cursor of the group, partitions those of the queue, with_lag those with something
--                    unread
--        lag         unread messages: too high by those that were removed one by one after a cursor, and a partition in
--                    which only a search would tell (see untouched_partitions_v1) counts as one
--        seconds     since the last push to the partition that was left unread longest
--        leases, waiting, holders   leases held now, pops that wait now, and consumers seen lately, on all servers
--        state       as published clients read it: a group that holds a lease or waits is never Dead
--        health      see group_health_v1; what the queue delays on purpose does not wait
-- A group of which nothing moved for five minutes has the oldest unread message looked up, in a hundred partitions at most.
-- Groups that have neither a cursor nor a subscription in a queue would get all of it: that is summed up once for all of
-- them, because callers can make up any number of names.
create function queen.group_page_v1(p_consumer_group text, p_limit integer, p_offset integer)
returns table (
    consumer_group text,
    queue_id       uuid,
    queue_name     text,
    partitions     bigint,
    members        bigint,
    with_lag       bigint,
    lag            bigint,
    seconds        bigint,
    leases         bigint,
    waiting        bigint,
    holders        text[],
    paused         boolean,
    state          text,
    health         text
)
language sql stable
as $$
    with page as (
        select k.*, q.delayed_processing::bigint + q.window_buffer as delay,
               k.members = 0 and not exists (
                   select from queen.subscriptions s
                   where s.queue_name = k.queue_name and s.consumer_group = k.consumer_group) as fresh
        from queen.known_queues_v1(p_consumer_group) k
        join queen.queues q on q.id = k.queue_id
        order by k.consumer_group, k.queue_name
        limit p_limit offset p_offset
    ), stored as (
        select p.queue_id, count(*) as with_lag, sum(p.head - p.tail) as lag, min(p.last_push_at) as waiting_since
        from queen.partitions p
        where p.queue_id in (select k.queue_id from page k where k.fresh) and p.head > p.tail
        group by p.queue_id
    ), whole as (
        select k.consumer_group, k.queue_id, k.queue_name, k.members, k.partitions, k.consumed, k.leases, k.delay,
               floor(extract(epoch from now() - k.progressed_at))::bigint as still,
               k.with_lag + u.with_lag + coalesce(f.with_lag, 0) as with_lag,
               k.lag + coalesce(u.lag, f.lag, 0) as lag,
               greatest(coalesce(floor(extract(
                   epoch from now() - least(k.waiting_since, u.waiting_since, f.waiting_since))), 0), 0)::bigint as seconds,
               coalesce(floor(extract(epoch from now() - o.created_at)), 0)::bigint as oldest,
               h.waiting, h.holders,
               exists (
                   select from queen.pauses z
                   where z.queue_id = k.queue_id and z.consumer_group in (k.consumer_group, '')) as paused
        from page k
        -- What decides whether to look stands inside: as a condition of the join it would be asked after the look.
        cross join lateral (
            select count(*) as with_lag, sum(coalesce(n.head - n.position, 1)) as lag, min(n.last_push_at) as waiting_since
            from queen.untouched_partitions_v1(k.consumer_group, k.queue_id) n
            where k.members < k.partitions and not k.fresh and (n.position is null or n.head > n.position)
        ) u
        left join stored f on k.fresh and f.queue_id = k.queue_id
        cross join lateral (
            select min(m.created_at) as created_at
            from (
                select p.id, queen.before_waiting_v1(p.id, k.consumer_group, greatest(c.cursor, p.tail), c.redriven) as position
                from queen.partitions p
                cross join lateral (
                    -- A look-up each, not a join of all: a few are enough.
                    select c.cursor, c.redriven from queen.partition_consumers c
                    where c.partition_id = p.id and c.consumer_group = k.consumer_group
                    limit 1
                ) c
                where k.with_lag > 0 and k.progressed_at < now() - interval '5 minutes'
                  and p.queue_id = k.queue_id and (p.head > greatest(c.cursor, p.tail) or c.redriven > 0)
                limit 100
            ) b
            cross join lateral (
                select m.created_at from queen.messages m
                where m.partition_id = b.id and m.seq > b.position
                order by m.seq
                limit 1
            ) m
        ) o
        cross join lateral queen.present_consumers_v1(k.consumer_group, k.queue_name) h
    )
    select w.consumer_group, w.queue_id, w.queue_name, w.partitions, w.members, w.with_lag, w.lag::bigint, w.seconds,
           w.leases, w.waiting, w.holders, w.paused,
           case
               when w.seconds > 300 then 'Lagging'
               when w.consumed > 0 or w.leases > 0 or w.waiting > 0 then 'Stable'
               else 'Dead'
           end,
           queen.group_health_v1(w.paused, w.leases, w.waiting, cardinality(w.holders), w.lag::bigint,
               greatest(w.seconds, w.oldest) - w.delay, w.still)
    from whole w
    order by w.consumer_group, w.queue_name
$$;
