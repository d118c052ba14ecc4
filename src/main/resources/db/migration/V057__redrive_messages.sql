-- redrive_messages_v1(filters, limit) → one row per partition and group that got messages
-- Gives dead letters another chance: each message goes to the group that failed it, and to no other. It is the same
-- message, with its id and transaction id, and comes before what the group has not been given yet; V110 tells how it
-- is delivered. A message that the group's cursor has not passed (it was dead-lettered by hand before its turn, or the
-- group was moved back) comes in its turn anyway, so only the dead letter is dropped; so for a group that has no cursor
-- here and will begin before it. One whose message has been removed meanwhile can't be delivered: its dead letter is
-- dropped too, and counted as gone.
--
-- Takes  p_partition_id, p_transaction_id  one message, or nulls and the filters of matching_dead_letters_v1
--        p_until   nothing that failed later: null at the first call, then what that gave, or a consumer that fails what
--                  it is given would keep the redrive going forever
--        p_limit   dead letters at most; no row when nothing is left
-- Gives  partition_id, queue_name, partition_name, consumer_group, redriven, gone, message_id (of the last), until.
-- Locks  the partitions in id order, as a push and a removal do, then rows of partition_consumers in key order. Two at once
--        redrive no message twice.
create function queen.redrive_messages_v1(
    p_queue text, p_partition text, p_group text, p_from timestamptz, p_to timestamptz,
    p_partition_id uuid, p_transaction_id text, p_until timestamptz, p_limit integer)
returns table (
    partition_id   uuid,
    queue_name     text,
    partition_name text,
    consumer_group text,
    redriven       integer,
    gone           integer,
    message_id     uuid,
    until          timestamptz
)
language plpgsql
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
    v_until      timestamptz := coalesce(p_until, clock_timestamp());
    v_letters    uuid[];
    v_partitions uuid[];
    v_groups     text[];
begin
    select array_agg(d.id), array_agg(d.partition_id), array_agg(d.consumer_group)
    into v_letters, v_partitions, v_groups
    from (
        select d.id, d.partition_id, d.consumer_group
        from queen.matching_dead_letters_v1(p_queue, p_partition, p_group, p_from, least(p_to, v_until)) d
        where (p_partition_id is null or d.partition_id = p_partition_id)
          and (p_transaction_id is null or d.transaction_id = p_transaction_id)
        order by d.partition_id, d.consumer_group, d.seq
        limit p_limit
    ) d;
    if v_letters is null then
        return;
    end if;

    perform from queen.partitions p where p.id = any (v_partitions) order by p.id for no key update;
    -- A group without a cursor here that begins behind the message needs one, where its first pop would put it.
    insert into queen.partition_consumers (partition_id, consumer_group, cursor)
    select d.partition_id, d.consumer_group, s.start
    from (
        select d.partition_id, d.consumer_group, min(d.seq) as first
        from queen.dead_letters d
        where d.id = any (v_letters)
        group by d.partition_id, d.consumer_group
    ) d
    join queen.partitions p on p.id = d.partition_id
    join queen.queues q on q.id = p.queue_id
    cross join lateral (select queen.subscribed_from_v1(d.consumer_group, q.name, p.name) as start_at) u
    cross join lateral (select case when u.start_at is null then 0 else queen.seq_before(p.id, u.start_at) end as start) s
    where s.start >= d.first
    order by d.partition_id, d.consumer_group
    on conflict do nothing;
    if found then
        perform queen.recount_room_v1(v_partitions);
    end if;
    perform
    from queen.partition_consumers c
    where (c.partition_id, c.consumer_group) in (select * from unnest(v_partitions, v_groups))
    order by c.partition_id, c.consumer_group
    for update;

    -- In a statement of its own after the locks: it sees what another redrive took whom we waited for.
    return query
    with letter as materialized (
        delete from queen.dead_letters d
        where d.id = any (v_letters)
        returning d.partition_id, d.consumer_group, d.seq
    ), found as materialized (
        select l.partition_id, l.consumer_group, l.seq, m.id
        from letter l
        left join queen.messages m on m.partition_id = l.partition_id and m.seq = l.seq
    ), waiting as (
        insert into queen.redriven (partition_id, consumer_group, seq)
        select f.partition_id, f.consumer_group, f.seq
        from found f
        join queen.partition_consumers c on c.partition_id = f.partition_id and c.consumer_group = f.consumer_group
        where f.id is not null and c.cursor >= f.seq
        on conflict do nothing
        returning queen.redriven.partition_id, queen.redriven.consumer_group
    ), counted as (
        update queen.partition_consumers c
        set redriven = c.redriven + w.n
        from (select w.partition_id, w.consumer_group, count(*) as n from waiting w group by 1, 2) w
        where c.partition_id = w.partition_id and c.consumer_group = w.consumer_group
    ), logged as (
        insert into queen.push_log (queue_id, partition_ids)
        select p.queue_id, array_agg(p.id)
        from queen.partitions p
        where p.id in (select w.partition_id from waiting w)
        group by p.queue_id
    )
    select f.partition_id, q.name, p.name, f.consumer_group, count(f.id)::integer, (count(*) - count(f.id))::integer,
           (array_agg(f.id order by f.seq desc) filter (where f.id is not null))[1], v_until
    from found f
    join queen.partitions p on p.id = f.partition_id
    join queen.queues q on q.id = p.queue_id
    group by f.partition_id, q.name, p.name, f.consumer_group
    order by f.partition_id, f.consumer_group;
end
$$;

-- redrive_copies_v1(filters, limit) → one row per partition that got messages
-- Gives dead letters another chance in all groups: each message is pushed again to the end of its partition, and its dead letters, of
-- all groups, are dropped. Messages of one partition keep their order among themselves. The message that failed stays
-- where it is, consumed; the copy has an id of its own and its transaction id is `<transaction id>~<message id>`, so that
-- it is no duplicate, now or when it fails and is redriven again. Every group gets the copy.
--
-- Takes  p_partition_id, p_transaction_id  one message, or nulls and the filters of matching_dead_letters_v1
--        p_until   nothing that failed later: null at the first call, then what that gave, or a consumer that fails what
--                  it is given would keep the redrive going forever
--        p_limit   messages at most; less were redriven when nothing is left
-- Gives  as redrive_messages_v1, one row per partition: consumer_group is null and message_id that of the last copy.
-- Locks  the partitions in id order, then does what push_list_v1 does. Two at once redrive no message twice.
create function queen.redrive_copies_v1(
    p_queue text, p_partition text, p_group text, p_from timestamptz, p_to timestamptz,
    p_partition_id uuid, p_transaction_id text, p_until timestamptz, p_limit integer)
returns table (
    partition_id   uuid,
    queue_name     text,
    partition_name text,
    consumer_group text,
    redriven       integer,
    gone           integer,
    message_id     uuid,
    until          timestamptz
)
language plpgsql
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
    v_until timestamptz := coalesce(p_until, clock_timestamp());
    v_ids   uuid[];
    v_seqs  bigint[];
begin
    select array_agg(d.partition_id order by d.partition_id, d.seq), array_agg(d.seq order by d.partition_id, d.seq)
    into v_ids, v_seqs
    from (
        select distinct d.partition_id, d.seq
        from queen.matching_dead_letters_v1(p_queue, p_partition, p_group, p_from, least(p_to, v_until)) d
        join queen.messages m on m.partition_id = d.partition_id and m.seq = d.seq
        where (p_partition_id is null or d.partition_id = p_partition_id)
          and (p_transaction_id is null or d.transaction_id = p_transaction_id)
        order by d.partition_id, d.seq
        limit p_limit
    ) d;

    -- In a statement of its own after the lock: it sees what another redrive took whom we waited for.
    perform from queen.partitions p where p.id = any (v_ids) order by p.id for no key update;
    with dropped as (
        delete from queen.dead_letters d
        using unnest(v_ids, v_seqs) f (partition_id, seq)
        where d.partition_id = f.partition_id and d.seq = f.seq
        returning d.partition_id, d.seq
    )
    select array_agg(d.partition_id order by d.partition_id, d.seq), array_agg(d.seq order by d.partition_id, d.seq)
    into v_ids, v_seqs
    from (select distinct d.partition_id, d.seq from dropped d) d;
    if v_ids is null then
        return;
    end if;

    return query
    with copy as materialized (
        select m.partition_id, m.seq, queen.uuid_v7() as id, m.transaction_id, m.payload, m.trace_id, m.is_encrypted,
               m.producer_sub, dense_rank() over (order by m.partition_id)::integer as lane,
               row_number() over (partition by m.partition_id order by m.seq)::integer as nth
        from unnest(v_ids, v_seqs) f (partition_id, seq)
        join queen.messages m on m.partition_id = f.partition_id and m.seq = f.seq
    ), lane as materialized (
        select c.partition_id, count(*)::integer as n, (array_agg(c.id order by c.seq desc))[1] as last_id
        from copy c
        group by c.partition_id
    ), pushed as materialized (
        select queen.push_list_v1(
            (select array_agg(l.partition_id order by l.partition_id) from lane l),
            (select array_agg(l.n order by l.partition_id) from lane l),
            array_agg(c.lane order by c.lane, c.nth), array_agg(c.nth order by c.lane, c.nth),
            array_agg(left(regexp_replace(c.transaction_id, '~[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', ''), 218)
                || '~' || c.id order by c.lane, c.nth),
            array_agg(c.id order by c.lane, c.nth), array_agg(c.payload order by c.lane, c.nth),
            array_agg(c.trace_id order by c.lane, c.nth), array_agg(c.is_encrypted order by c.lane, c.nth),
            array_agg(c.producer_sub order by c.lane, c.nth)) as done
        from copy c
    )
    select l.partition_id, q.name, p.name, null::text, l.n, 0, l.last_id, v_until
    from pushed u
    cross join lane l
    join queen.partitions p on p.id = l.partition_id
    join queen.queues q on q.id = p.queue_id
    where not (u.done).missing
    order by l.partition_id;
end
$$;
