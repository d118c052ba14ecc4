-- Consumer groups: listed and described, moved by a seek, deleted.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- list_groups_v1(limit, offset, visible) → JSON array
-- One element per group and queue, by group, then queue: see group_page_v1.
--   members     partitions with a cursor of the group
--   maxTimeLag  seconds since the last push to the partition that was left unread longest; lagSeconds is the same
--   consumers   how many were seen lately
create or replace function queen.list_groups_v1(p_limit integer, p_offset integer, p_visible text[] default null) returns text
language sql stable
set jit = off
as $$
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
        'state', w.state,
        'health', w.health,
        'paused', w.paused,
        'leases', w.leases,
        'waiting', w.waiting,
        'consumers', cardinality(w.holders),
        'subscriptionMode', s.subscription_mode,
        'subscriptionTimestamp', queen.iso_time(s.subscription_timestamp),
        'subscriptionCreatedAt', queen.iso_time(s.created_at)
    ) order by w.consumer_group, w.queue_name), '[]'::json)::text
    from queen.group_page_v1(null, p_limit, p_offset, p_visible) w
    left join queen.subscriptions s
        on s.queue_name = w.queue_name and s.consumer_group = w.consumer_group and s.partition_name = ''
$$;

-- describe_group_v1(group, limit, offset, visible) → JSON object by queue
-- The partitions of the queues that a group knows, by queue and partition name. '{}' for a group nobody knows. The page
-- counts partitions over all queues; `total` of a queue is how many it has.
--   offsetLag       unread and redriven messages; too high by those that were removed one by one after the cursor
--   timeLagSeconds  age of the oldest unread message, counted from its deliver_at if it has one, 0 for none
--   waitsUntil      when that message may be delivered, null when it may be now
--   cursor          null where the group has none yet
--   leaseHolder     who holds the lease: the address, and the name it gave; workerId is the name, else the address
-- Beside the partitions of a queue stands how the group fares there, see group_page_v1.
-- Costs the look at the group's queues and a few look-ups of keys per partition of the page.
create or replace function queen.describe_group_v1(
    p_consumer_group text, p_limit integer, p_offset integer, p_visible text[] default null) returns text
language sql stable
set jit = off
as $$
    with queue as (
        select k.*, sum(k.partitions) over (order by k.queue_name) - k.partitions as before
        from queen.group_page_v1(p_consumer_group, null, 0, p_visible) k
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
                'timeLagSeconds', greatest(coalesce(floor(extract(epoch from now() - o.due_at)), 0), 0)::bigint,
                'waitsUntil', case when o.due_at > now() then queen.iso_time(o.due_at) end,
                'leaseActive', s.leased_until is not null,
                'leaseExpiresAt', queen.iso_time(s.leased_until),
                'leaseRemainingMillis', floor(extract(epoch from s.leased_until - clock_timestamp()) * 1000)::bigint,
                'leaseHolder', s.holder
            ) order by s.name)) as content
        from standing s
        left join lateral (
            select greatest(m.created_at, m.deliver_at) as due_at
            from queen.messages m
            where m.partition_id = s.id
              and m.seq > queen.before_waiting_v1(s.id, p_consumer_group, s.position, s.redriven)
            order by m.seq
            limit 1
        ) o on true
        group by s.queue_name
    )
    select coalesce(json_object_agg(d.queue_name, d.content order by d.queue_name), '{}'::json)::text
    from described d
$$;

-- lagging_groups_v1(seconds, limit, offset, visible) → JSON array
-- The partitions whose oldest unread message could be had for more than so many seconds by a group, the oldest first, also where the
-- group has no cursor yet; a redriven message is unread again. offset_lag is too high by messages that were removed one by
-- one after the cursor.
-- Costs a pass over all cursors, and one look-up of a key per partition that has something unread.
create or replace function queen.lagging_groups_v1(
    p_seconds bigint, p_limit integer, p_offset integer, p_visible text[] default null) returns text
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
        from queen.known_queues_v1(null, p_visible) k
        cross join lateral queen.untouched_partitions_v1(k.consumer_group, k.queue_id) n
        where k.members < k.partitions and (n.position is null or n.head > n.position)
    ), behind as (
        select s.*, q.name as queue_name, m.created_at as oldest
        from standing s
        join queen.queues q on q.id = s.queue_id and (p_visible is null or queen.is_visible_v1(q.name, p_visible))
        cross join lateral (
            select greatest(m.created_at, m.deliver_at) as created_at
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

-- group_page_v1(group, limit, offset, visible) → a group in its queues, or with null all groups
-- Where groups stand and how they fare, by group, then queue. Lag is head - cursor of each partition, never a count; where
-- the group has no cursor yet, what its subscription will give it counts too.
--
-- Gives  members     partitions with a cursor of the group, partitions those of the queue, with_lag those with something
--                    unread
--        lag         unread messages: too high by those that were removed one by one after a cursor, and a partition in
--                    which only a search would tell (see untouched_partitions_v1) counts as one
--        seconds     since the last push to the partition that was left unread longest; delayed messages count from their
--                    deliver_at
--        leases, waiting, holders   leases held now, pops that wait now, and consumers seen lately, on all servers
--        state       as published clients read it: a group that holds a lease or waits is never Dead
--        health      see group_health_v1; what the queue delays on purpose does not wait
-- A group of which nothing moved for five minutes has the oldest unread message looked up, in a hundred partitions at most.
-- Groups that have neither a cursor nor a subscription in a queue would get all of it: that is summed up once for all of
-- them, because callers can make up any number of names.
create or replace function queen.group_page_v1(
    p_consumer_group text, p_limit integer, p_offset integer, p_visible text[] default null)
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
        from queen.known_queues_v1(p_consumer_group, p_visible) k
        join queen.queues q on q.id = k.queue_id
        order by k.consumer_group, k.queue_name
        limit p_limit offset p_offset
    ), stored as (
        select p.queue_id, count(*) as with_lag, sum(p.head - p.tail) as lag,
               min(greatest(p.last_push_at, p.delayed_until)) as waiting_since
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
            select count(*) as with_lag, sum(coalesce(n.head - n.position, 1)) as lag, min(n.waiting_since) as waiting_since
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
                select greatest(m.created_at, m.deliver_at) as created_at from queen.messages m
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

-- known_queues_v1(group, visible) → groups and their queues
-- Which queues of those that the caller may see (is_visible_v1) a group knows, by a cursor, a subscription, a pause or a consumer seen lately, and what it has read there;
-- null is all groups. One pass over the cursors and their partitions, whatever was pushed; no message is counted.
--
-- Gives  consumer_group, queue_id, queue_name
--        partitions     of the queue
--        members        those with a cursor of the group
--        with_lag       those of the members with something unread, lag the messages unread or redriven there (too high by
--                       those that were removed one by one after the cursor)
--        waiting_since  the oldest last push to one of those, or the last deliver_at there when that is later
--        consumed       messages ever
--        leases         that are held now
--        progressed_at  when a cursor last moved by an ack, or was made; null without one
create or replace function queen.known_queues_v1(p_consumer_group text, p_visible text[] default null)
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
               min(greatest(p.last_push_at, p.delayed_until)) filter (
                   where p.head > greatest(c.cursor, p.tail) or c.redriven > 0) as waiting_since,
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
    join queen.queues q on q.id = k.queue_id and (p_visible is null or queen.is_visible_v1(q.name, p_visible))
    left join size s on s.queue_id = k.queue_id
    left join cursors c on c.consumer_group = k.consumer_group and c.queue_id = k.queue_id
$$;

-- untouched_partitions_v1(group, queue id) → partitions
-- The partitions of a queue in which a group that knows the queue has no cursor yet, and where it would start.
--
-- Gives  partition_id, partition_name, head
--        waiting_since  the last push, or later when messages were delayed: deliver_at of the last
--        start_at  where the group's subscription begins, null for the beginning
--        position  all up to here lies before that. Null when both older and newer messages may be there:
--                  seq_before(partition_id, start_at) then tells, for a few look-ups
create or replace function queen.untouched_partitions_v1(p_consumer_group text, p_queue_id uuid)
returns table (
    partition_id   uuid,
    partition_name text,
    head           bigint,
    waiting_since  timestamptz,
    start_at       timestamptz,
    "position"     bigint
)
language sql stable
as $$
    select p.id, p.name, p.head, greatest(p.last_push_at, p.delayed_until), s.start_at,
           case
               when s.start_at is null or p.created_at >= s.start_at then p.tail
               when p.last_push_at is null or p.last_push_at < s.start_at then p.head
           end
    from queen.partitions p
    join queen.queues q on q.id = p.queue_id
    left join queen.subscriptions whole
        on whole.queue_name = q.name and whole.consumer_group = p_consumer_group and whole.partition_name = ''
    left join queen.subscriptions one
        on one.queue_name = q.name and one.consumer_group = p_consumer_group and one.partition_name = p.name
    cross join lateral (
        select case when p_consumer_group <> '__QUEUE_MODE__'
               then coalesce(one.subscription_timestamp, whole.subscription_timestamp) end as start_at
    ) s
    where p.queue_id = p_queue_id
      and not exists (
          select from queen.partition_consumers c
          where c.partition_id = p.id and c.consumer_group = p_consumer_group)
$$;

-- group_health_v1(paused, leases, waiting, consumers, lag, lag seconds, still seconds) → a word
-- How a group fares in a queue. The first that holds:
--   paused   an operator holds it back
--   stuck    messages wait for more than five minutes, and nothing was acked for as long
--   lagging  messages wait for more than five minutes, and some are acked
--   active   a consumer holds a lease, waits, or was seen lately
--   idle     nobody is there, and nothing waits for long
--
-- Takes  p_leases, p_waiting, p_consumers   leases held now, pops that wait now, consumers seen lately
--        p_lag, p_lag_seconds               messages that wait, and for how long the oldest of them could have been had
--        p_still_seconds                    since a cursor last moved by an ack; null for never
create or replace function queen.group_health_v1(
    p_paused boolean, p_leases bigint, p_waiting bigint, p_consumers bigint,
    p_lag bigint, p_lag_seconds bigint, p_still_seconds bigint) returns text
language sql immutable
as $$
    select case
        when p_paused then 'paused'
        when p_lag > 0 and p_lag_seconds > 300 and coalesce(p_still_seconds, p_lag_seconds) > 300 then 'stuck'
        when p_lag > 0 and p_lag_seconds > 300 then 'lagging'
        when p_leases > 0 or p_waiting > 0 or p_consumers > 0 then 'active'
        else 'idle'
    end
$$;

-- note_consumers_v1(server, seconds, queues, groups, waiting, holders) → nothing
-- A server tells who pops through it, all in one call; each row is believed for so many seconds. Rows that nobody believes
-- any more are removed, a thousand at a time, whoever told them.
--
-- Takes  arrays of one length, no (queue, group) twice: names, pops that wait now, and the consumers seen lately, one in
--        a line.
-- Locks  rows of queen.consumers: a server writes none but its own, and skips old ones that another is removing.
create or replace function queen.note_consumers_v1(
    p_server_id text, p_seconds integer, p_queue text[], p_consumer_group text[], p_waiting integer[], p_holders text[])
returns void
language sql
as $$
    delete from queen.consumers c
    using (
        select o.ctid as place from queen.consumers o
        where o.believed_until < clock_timestamp() - interval '1 minute'
        limit 1000
        for update skip locked
    ) o
    where c.ctid = o.place;

    insert into queen.consumers (queue_name, consumer_group, server_id, waiting, holders, believed_until)
    select c.queue, c.consumer_group, p_server_id, c.waiting, coalesce(string_to_array(nullif(c.holders, ''), e'\n'), '{}'),
           clock_timestamp() + make_interval(secs => p_seconds)
    from unnest(p_queue, p_consumer_group, p_waiting, p_holders) c (queue, consumer_group, waiting, holders)
    on conflict (queue_name, consumer_group, server_id) do update
    set waiting = excluded.waiting, holders = excluded.holders, believed_until = excluded.believed_until
$$;

-- present_consumers_v1(group, queue) → waiting, holders
-- Pops of the group that wait on any server, and its consumers seen lately, each once.
create or replace function queen.present_consumers_v1(
    p_consumer_group text, p_queue_name text, out waiting bigint, out holders text[])
language sql stable
as $$
    select (
        select coalesce(sum(c.waiting), 0)
        from queen.consumers c
        where c.queue_name = p_queue_name and c.consumer_group = p_consumer_group and c.believed_until > now()
    ), array(
        select distinct h.holder
        from queen.consumers c
        cross join lateral unnest(c.holders) h (holder)
        where c.queue_name = p_queue_name and c.consumer_group = p_consumer_group and c.believed_until > now()
        order by h.holder
    )
$$;

-- holder_v1(text) → JSON
-- The address and the name, null for none, of who holds a lease.
create or replace function queen.holder_v1(p_holder text) returns json
language sql immutable
as $$
    select case when p_holder is not null then json_build_object(
        'address', split_part(p_holder, ' ', 1),
        'name', nullif(substr(p_holder, length(split_part(p_holder, ' ', 1)) + 2), '')) end
$$;

-- holders_v1(texts) → JSON array
create or replace function queen.holders_v1(p_holders text[]) returns json
language sql immutable
as $$
    select coalesce(json_agg(queen.holder_v1(h.holder) order by h.holder), '[]') from unnest(p_holders) h (holder)
$$;

-- knows_queue_v1(group, queue) → boolean
-- Whether the group has ever popped from the queue: it has a cursor in one of its partitions, or a subscription.
create or replace function queen.knows_queue_v1(p_consumer_group text, p_queue_name text) returns boolean
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

-- seek_group_v1(group, queue, to, time, after, limit, mark) → moved, last_name, mark
-- Moves the cursors of a group in the next p_limit partitions of a queue, in name order: in all that have had messages,
-- also where the group has no cursor yet, or a seek to the end would deliver what lies there. Called until last_name is
-- null, each portion a transaction of its own, so that nobody waits long. Nothing happens for a group that does not know
-- the queue.
--
-- Takes  p_to, p_time as move_cursors_v1; p_after the name after which to go on, null to begin; p_mark what the portion
--        before gave
-- Gives  moved       partitions of this portion
--        last_name   where the next portion goes on, null when this was the last
--        mark        `life:transaction id` before the first portion. After the last portion of a seek to the end the
--                    group has nothing but what was pushed since then: that is noted as a clear mark
-- Locks  as move_cursors_v1.
create or replace function queen.seek_group_v1(
    p_consumer_group text, p_queue_name text, p_to text, p_time timestamptz, p_after text, p_limit integer,
    p_mark text default null, out moved integer, out last_name text, out mark text)
language plpgsql
as $$
declare
    v_ids uuid[];
begin
    moved := 0;
    select coalesce(p_mark, queen.push_log_life_v1() || ':' || pg_snapshot_xmin(pg_current_snapshot())) into mark;
    if p_after is null and not queen.knows_queue_v1(p_consumer_group, p_queue_name) then
        return;
    end if;

    select array_agg(s.id) filter (where s.head > 0), case when count(*) = p_limit then max(s.name) end
    into v_ids, last_name
    from (
        select p.id, p.name, p.head
        from queen.partitions p
        where p.queue_id = (select q.id from queen.queues q where q.name = p_queue_name)
          and p.name >= coalesce(p_after, '') and p.name is distinct from p_after
        order by p.name
        limit p_limit
    ) s;
    if v_ids is not null then
        moved := queen.move_cursors_v1(v_ids, p_consumer_group, p_to, p_time);
    end if;
    if p_to = 'end' and last_name is null then
        insert into queen.clear_marks (queue_id, consumer_group, life, xid)
        select q.id, p_consumer_group, split_part(mark, ':', 1), split_part(mark, ':', 2)::xid8
        from queen.queues q
        where q.name = p_queue_name;
    end if;
end
$$;

-- seek_partition_v1(group, queue, partition, to, time) → partition_id, moved, cursor_time
-- Moves the cursor of a group in one partition.
--
-- Takes  p_to, p_time as move_cursors_v1
-- Gives  partition_id null when there is no such partition
--        moved        false for a group that does not know the queue: nothing happened
--        cursor_time  when the message at the cursor was pushed; null at the beginning, or when it is gone
-- Locks  as move_cursors_v1.
create or replace function queen.seek_partition_v1(
    p_consumer_group text, p_queue_name text, p_partition_name text, p_to text, p_time timestamptz,
    out partition_id uuid, out moved boolean, out cursor_time timestamptz)
language plpgsql
as $$
begin
    select p.id into partition_id
    from queen.partitions p
    join queen.queues q on q.id = p.queue_id
    where q.name = p_queue_name and p.name = p_partition_name;
    moved := partition_id is not null and queen.knows_queue_v1(p_consumer_group, p_queue_name);
    if moved then
        perform queen.move_cursors_v1(array[seek_partition_v1.partition_id], p_consumer_group, p_to, p_time);
        select m.created_at into cursor_time
        from queen.partition_consumers c
        join queen.messages m on m.partition_id = c.partition_id and m.seq = c.cursor
        where c.partition_id = seek_partition_v1.partition_id and c.consumer_group = p_consumer_group;
    end if;
end
$$;

-- move_cursors_v1(partitions, group, to, time) → cursors moved
-- Puts the cursors of a group where they are wanted, forward or back, creating those that are not there, and drops the
-- leases; an ack that names one of these leases is refused from then on. Retry counters stay. Redriven messages
-- are forgotten: those after the new cursor come in their turn, the others the group has passed.
--
-- Takes  p_to, p_time as seek_target_v1
-- What lies after a cursor is news to every server, so it goes into the push log.
-- Locks  the partitions by id, against being deleted (a push does not wait for that), then rows of partition_consumers
--        in key order.
create or replace function queen.move_cursors_v1(
    p_partition_ids uuid[], p_consumer_group text, p_to text, p_time timestamptz) returns integer
language plpgsql
as $$
declare
    v_moved integer;
begin
    perform from queen.partitions p where p.id = any (p_partition_ids) order by p.id for key share;

    with moved as (
        insert into queen.partition_consumers as c (partition_id, consumer_group, cursor)
        select p.id, p_consumer_group, queen.seek_target_v1(p.id, p.head, p_to, p_time)
        from queen.partitions p
        where p.id = any (p_partition_ids)
        order by p.id
        on conflict (partition_id, consumer_group) do update
        set cursor = excluded.cursor, lease_id = null, lease_expires_at = null, lease_last_seq = null, redriven = 0
        returning c.partition_id, c.cursor
    ), logged as (
        insert into queen.push_log (queue_id, partition_ids)
        select p.queue_id, array_agg(p.id)
        from moved m
        join queen.partitions p on p.id = m.partition_id and p.head > greatest(m.cursor, p.tail)
        group by p.queue_id
    )
    select count(*) into v_moved from moved;
    delete from queen.redriven r where r.partition_id = any (p_partition_ids) and r.consumer_group = p_consumer_group;
    perform queen.recount_room_v1(p_partition_ids);
    return v_moved;
end
$$;

-- seek_target_v1(partition, head, to, time) → sequence number
-- Where a seek puts the cursor in a partition.
--
-- Takes  p_to   end        after the newest message
--               beginning  before the oldest
--               time       after the last message that is not younger than p_time
create or replace function queen.seek_target_v1(p_partition_id uuid, p_head bigint, p_to text, p_time timestamptz)
returns bigint
language sql stable
as $$
    select case p_to
        when 'end' then p_head
        when 'beginning' then 0
        else queen.seq_before(p_partition_id, p_time + interval '1 microsecond') end
$$;

-- preview_seek_v1(group, queue, partition, to, time, after, limit) → known, partitions, redelivered, skipped, last_name
-- What a seek would do, without doing it: in one partition, as seek_partition_v1, or in the next p_limit of the queue, as
-- seek_group_v1. Sequence numbers are subtracted, messages are not counted: one that was deleted on its own, between others
-- that are there, counts.
--
-- Takes  p_partition_name  null for all; p_to, p_time as seek_target_v1; p_after, p_limit as seek_group_v1
-- Gives  known        false when there is no partition of that name
--        partitions   in which a cursor would be put somewhere
--        redelivered  messages behind the group's cursor, or behind where it would begin, that would lie ahead of it
--        skipped      messages ahead of it, and redriven ones that wait for it, that would lie behind
--        last_name    where the next portion goes on, null when this was the last
-- Locks  nothing.
create or replace function queen.preview_seek_v1(
    p_consumer_group text, p_queue_name text, p_partition_name text, p_to text, p_time timestamptz, p_after text,
    p_limit integer, out known boolean, out partitions bigint, out redelivered bigint, out skipped bigint, out last_name text)
language plpgsql stable
as $$
begin
    known := p_partition_name is null or exists (
        select
        from queen.partitions p
        join queen.queues q on q.id = p.queue_id
        where q.name = p_queue_name and p.name = p_partition_name);
    partitions := 0;
    redelivered := 0;
    skipped := 0;
    if p_after is null and not queen.knows_queue_v1(p_consumer_group, p_queue_name) then
        return;
    end if;

    select count(*) filter (where s.counts),
           coalesce(sum(greatest(s.cursor - greatest(s.target, s.tail), 0)) filter (where s.counts), 0),
           coalesce(sum(greatest(s.target - greatest(s.cursor, s.tail), 0) + s.waiting) filter (where s.counts), 0),
           case when count(*) = p_limit then max(s.name) end
    into partitions, redelivered, skipped, last_name
    from (
        select p.name, p.tail, p.head > 0 or p_partition_name is not null as counts, t.target,
               coalesce(c.cursor, queen.first_cursor_v1(p.id, p_consumer_group)) as cursor,
               case when c.redriven > 0 then (
                   select count(*)
                   from queen.redriven r
                   where r.partition_id = p.id and r.consumer_group = p_consumer_group and r.seq <= t.target
               ) else 0 end as waiting
        from (
            select p.id, p.name, p.head, p.tail
            from queen.partitions p
            where p.queue_id = (select q.id from queen.queues q where q.name = p_queue_name)
              and (p_partition_name is null or p.name = p_partition_name)
              and p.name >= coalesce(p_after, '') and p.name is distinct from p_after
            order by p.name
            limit p_limit
        ) p
        cross join lateral (select queen.seek_target_v1(p.id, p.head, p_to, p_time) as target) t
        left join queen.partition_consumers c on c.partition_id = p.id and c.consumer_group = p_consumer_group
    ) s;
end
$$;

-- delete_group_v1(group, queue, metadata) → partitions, queues
-- Removes the cursors, leases, pauses and redriven messages of a group, in one queue or (null) in all; with p_metadata its
-- subscriptions too. Dead letters stay. A later pop starts as a new group, so what it had consumed is news again, and
-- without a subscription also what lay before it: that goes into the push log, a thousand partitions a row.
--
-- Gives  deleted   cursors removed
--        metadata  whether a subscription was removed
--        queues    the names of the queues in which something was removed
-- Locks  rows of partition_consumers in key order; at the end the advisory locks of the meetings that are free.
create or replace function queen.delete_group_v1(
    p_consumer_group text, p_queue_name text, p_metadata boolean,
    out deleted integer, out metadata boolean, out queues text[])
language plpgsql
as $$
declare
    v_ids          uuid[];
    v_unsubscribed text[];
    v_queue_id     uuid;
begin
    perform
    from queen.partition_consumers c
    join queen.partitions p on p.id = c.partition_id
    where c.consumer_group = p_consumer_group
      and (p_queue_name is null or p.queue_id = (select q.id from queen.queues q where q.name = p_queue_name))
    order by c.partition_id
    for update of c;

    with gone as (
        delete from queen.partition_consumers c
        using queen.partitions p
        where p.id = c.partition_id and c.consumer_group = p_consumer_group
          and (p_queue_name is null or p.queue_id = (select q.id from queen.queues q where q.name = p_queue_name))
        returning p.queue_id, p.id, p.head > p.tail as stored
    ), logged as (
        insert into queen.push_log (queue_id, partition_ids)
        select n.queue_id, array_agg(n.id)
        from (select g.*, row_number() over (partition by g.queue_id) / 1000 as portion from gone g where g.stored) n
        group by n.queue_id, n.portion
    )
    select count(*), array_agg(distinct q.name), array_agg(g.id)
    into deleted, queues, v_ids
    from gone g
    join queen.queues q on q.id = g.queue_id;

    delete from queen.redriven r where r.partition_id = any (v_ids) and r.consumer_group = p_consumer_group;
    perform queen.recount_room_v1(v_ids);
    delete from queen.pauses z
    using queen.queues q
    where q.id = z.queue_id and z.consumer_group = p_consumer_group and (p_queue_name is null or q.name = p_queue_name);

    metadata := false;
    if p_metadata then
        with gone as (
            delete from queen.subscriptions s
            where s.consumer_group = p_consumer_group and (p_queue_name is null or s.queue_name = p_queue_name)
            returning s.queue_name
        )
        select count(*) > 0, array(select unnest(delete_group_v1.queues) union select g.queue_name from gone g),
               array_agg(g.queue_name)
        into metadata, queues, v_unsubscribed
        from gone g;
        perform queen.announce_partitions_v1(v_unsubscribed, null);
    end if;
    queues := coalesce(queues, '{}');

    delete from queen.clear_marks m
    where m.consumer_group = p_consumer_group
      and (p_queue_name is null or m.queue_id = (select q.id from queen.queues q where q.name = p_queue_name));
    for v_queue_id in
        select distinct m.queue_id
        from queen.met_queues m
        where m.consumer_group = p_consumer_group
          and (p_queue_name is null or m.queue_id = (select q.id from queen.queues q where q.name = p_queue_name))
    loop
        -- A cursor that a pop makes meanwhile stays, and so does the note that there is one.
        if pg_try_advisory_xact_lock(queen.meeting_lock_v1(v_queue_id, p_consumer_group)) then
            delete from queen.met_queues m
            where m.queue_id = v_queue_id and m.consumer_group = p_consumer_group
              and not exists (
                  select
                  from queen.partitions p
                  join queen.partition_consumers c on c.partition_id = p.id and c.consumer_group = p_consumer_group
                  where p.queue_id = v_queue_id);
        end if;
    end loop;
end
$$;
