-- known_queues_v1(group) → groups and their queues
-- Which queues a group knows, by a cursor, a subscription, a pause or a consumer seen lately, and what it has read there;
-- null is all groups. One pass over the cursors and their partitions, whatever was pushed; no message is counted.
--
-- Gives  consumer_group, queue_id, queue_name
--        partitions     of the queue
--        members        those with a cursor of the group
--        with_lag       those of the members with something unread, lag the messages unread or redriven there (too high by
--                       those that were removed one by one after the cursor)
--        waiting_since  the oldest last push to one of those
--        consumed       messages ever
--        leases         that are held now
--        progressed_at  when a cursor last moved by an ack, or was made; null without one
create function queen.known_queues_v1(p_consumer_group text)
returns table (
    consumer_group text,
    queue_id       uuid,
    queue_name     text,
    partitions     bigint,
    members        bigint,
    with_lag       bigint,
    lag            bigint,
    waiting_since  timestamptz,
    consumed       bigint,
    leases         bigint,
    progressed_at  timestamptz
)
language sql stable
as $$
    with cursors as (
        select c.consumer_group, p.queue_id, count(*) as members,
               count(*) filter (where p.head > greatest(c.cursor, p.tail) or c.redriven > 0) as with_lag,
               sum(p.head - greatest(c.cursor, p.tail) + c.redriven) as lag,
               min(p.last_push_at) filter (where p.head > greatest(c.cursor, p.tail) or c.redriven > 0) as waiting_since,
               sum(c.total_consumed) as consumed,
               count(*) filter (where c.lease_expires_at > now()) as leases,
               max(coalesce(c.progressed_at, c.created_at)) as progressed_at
        from queen.partition_consumers c
        join queen.partitions p on p.id = c.partition_id
        where p_consumer_group is null or c.consumer_group = p_consumer_group
        group by c.consumer_group, p.queue_id
    ), known as (
        select c.consumer_group, c.queue_id from cursors c
        union
        select s.consumer_group, q.id
        from queen.subscriptions s
        join queen.queues q on q.name = s.queue_name
        where p_consumer_group is null or s.consumer_group = p_consumer_group
        union
        select z.consumer_group, z.queue_id
        from queen.pauses z
        where z.consumer_group <> '' and (p_consumer_group is null or z.consumer_group = p_consumer_group)
        union
        select h.consumer_group, q.id
        from queen.consumers h
        join queen.queues q on q.name = h.queue_name
        where h.believed_until > now() and (p_consumer_group is null or h.consumer_group = p_consumer_group)
    ), size as (
        select p.queue_id, count(*) as partitions
        from queen.partitions p
        where p.queue_id in (select k.queue_id from known k)
        group by p.queue_id
    )
    select k.consumer_group, k.queue_id, q.name, coalesce(s.partitions, 0), coalesce(c.members, 0),
           coalesce(c.with_lag, 0), coalesce(c.lag, 0)::bigint, c.waiting_since, coalesce(c.consumed, 0)::bigint,
           coalesce(c.leases, 0), c.progressed_at
    from known k
    join queen.queues q on q.id = k.queue_id
    left join size s on s.queue_id = k.queue_id
    left join cursors c on c.consumer_group = k.consumer_group and c.queue_id = k.queue_id
$$;
