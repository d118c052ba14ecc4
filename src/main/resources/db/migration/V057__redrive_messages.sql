-- redrive_messages_v1(filters, limit) → one row per partition that got messages
-- Gives dead letters another chance: each message is pushed again to the end of its partition, and its dead letters, of
-- all groups, are dropped. Messages of one partition keep their order among themselves. The message that failed stays
-- where it is, consumed; the copy has an id of its own and its transaction id is `<transaction id>~<message id>`, so that
-- it is no duplicate, now or when it fails and is redriven again. Every group gets the copy.
--
-- Takes  p_partition_id, p_transaction_id  one message, or nulls and the filters of matching_dead_letters_v1
--        p_until   nothing that failed later: null at the first call, then what that gave, or a consumer that fails what
--                  it is given would keep the redrive going forever
--        p_limit   messages at most; less were redriven when nothing is left
-- Gives  partition_id, queue_name, partition_name, redriven, message_id (the last copy), until.
-- Locks  the partitions in id order, then does what push_list_v1 does. Two at once redrive no message twice.
create function queen.redrive_messages_v1(
    p_queue text, p_partition text, p_group text, p_from timestamptz, p_to timestamptz,
    p_partition_id uuid, p_transaction_id text, p_until timestamptz, p_limit integer)
returns table (
    partition_id   uuid,
    queue_name     text,
    partition_name text,
    redriven       integer,
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
    select l.partition_id, q.name, p.name, l.n, l.last_id, v_until
    from pushed u
    cross join lane l
    join queen.partitions p on p.id = l.partition_id
    join queen.queues q on q.id = p.queue_id
    where not (u.done).missing
    order by l.partition_id;
end
$$;
