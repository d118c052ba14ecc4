-- clear_messages_v1(queue, partition, after, upto, limit) → deleted, last_partition, last_upto; nulls when unknown
-- Removes the messages of a queue or of one of its partitions (null: all), with their dead letters and traces, in
-- portions: each call removes p_limit messages at most and goes on where the last one stopped, partition by partition in
-- id order. What is pushed to a partition after its turn has come stays. Where all is removed, cursors move to the end of
-- it, so that nothing looks pending, and leases on what is gone end.
--
-- Takes  p_after, p_upto   null at the first call, then what the last one gave
-- Gives  deleted           messages removed by this call
--        last_partition    null when all is done
--        last_upto         null when that partition is done
-- Locks  the partitions of the portion in id order, then the rows of their groups in key order.
create function queen.clear_messages_v1(
    p_queue text, p_partition text, p_after uuid, p_upto bigint, p_limit integer,
    out deleted bigint, out last_partition uuid, out last_upto bigint)
language plpgsql
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
    v_queue_id uuid := (select q.id from queen.queues q where q.name = p_queue);
    v_ids      uuid[];
    v_uptos    bigint[];
    v_done     integer;
begin
    if v_queue_id is null or (p_partition is not null and not exists (
        select from queen.partitions p where p.queue_id = v_queue_id and p.name = p_partition))
    then
        return;
    end if;

    -- As many partitions as hold p_limit messages, the one that is under way first.
    select array_agg(p.id order by p.id)
    into v_ids
    from (
        select p.id,
               coalesce(sum(p.head - p.removed) over (order by p.id rows between unbounded preceding and 1 preceding), 0) as before
        from queen.partitions p
        where p.queue_id = v_queue_id and (p_partition is null or p.name = p_partition) and p.head > p.removed
          and (p_after is null or p.id > p_after or (p.id = p_after and p_upto is not null))
    ) p
    where p.before < p_limit;
    deleted := 0;
    if v_ids is null then
        return;
    end if;

    select array_agg(p.id), array_agg(case when p.id = p_after then p_upto else p.head end) into v_ids, v_uptos
    from (
        select p.id, p.head from queen.partitions p where p.id = any (v_ids) order by p.id for no key update
    ) p;
    if v_ids is null then
        return;
    end if;

    with gone as (
        delete from queen.messages m
        using (
            select n.partition_id, n.seq
            from unnest(v_ids, v_uptos) with ordinality f (id, upto, ord)
            cross join lateral (
                select n.partition_id, n.seq from queen.messages n
                where n.partition_id = f.id and n.seq <= f.upto order by n.seq limit p_limit
            ) n
            order by f.ord, n.seq
            limit p_limit
        ) n
        where m.partition_id = n.partition_id and m.seq = n.seq
        returning m.partition_id, m.seq, m.transaction_id
    ), letters as (
        delete from queen.dead_letters d using gone g where d.partition_id = g.partition_id and d.seq = g.seq
    ), traces as (
        delete from queen.traces t
        using gone g where t.partition_id = g.partition_id and t.transaction_id = g.transaction_id
    ), counted as (
        update queen.partitions p
        set removed = p.removed + g.n, tail = greatest(p.tail, g.last)
        from (select g.partition_id, count(*) as n, max(g.seq) as last from gone g group by g.partition_id) g
        where p.id = g.partition_id
        returning g.n
    )
    select coalesce(sum(c.n), 0) into deleted from counted c;

    -- The first partition with messages left is where the next call goes on.
    select f.ord - 1, f.id, f.upto into v_done, last_partition, last_upto
    from unnest(v_ids, v_uptos) with ordinality f (id, upto, ord)
    where exists (select from queen.messages m where m.partition_id = f.id and m.seq <= f.upto)
    order by f.ord
    limit 1;
    if found then
        v_ids := v_ids[:v_done];
        v_uptos := v_uptos[:v_done];
    else
        last_partition := v_ids[cardinality(v_ids)];
    end if;

    perform
    from queen.partition_consumers c
    where c.partition_id = any (v_ids)
    order by c.partition_id, c.consumer_group
    for update;
    perform queen.settle_redriven_v1(f.id, 0, f.upto) from unnest(v_ids, v_uptos) f (id, upto);
    with freed as (
        update queen.partition_consumers c
        set cursor = greatest(c.cursor, f.upto), retry_count = 0, retry_at = null,
            lease_id = case when c.lease_last_seq > f.upto then c.lease_id end,
            lease_expires_at = case when c.lease_last_seq > f.upto then c.lease_expires_at end,
            lease_last_seq = case when c.lease_last_seq > f.upto then c.lease_last_seq end
        from unnest(v_ids, v_uptos) f (id, upto)
        where c.partition_id = f.id
        returning c.partition_id, c.cursor, c.lease_id
    )
    -- A partition that is free before its time, with messages left, is news to the servers.
    insert into queen.push_log (queue_id, partition_ids)
    select v_queue_id, array_agg(distinct p.id)
    from freed f
    join queen.partitions p on p.id = f.partition_id and p.head > f.cursor
    where f.lease_id is null
    having count(*) > 0;

    update queen.partitions p
    set tail = greatest(p.tail, f.upto)
    from unnest(v_ids, v_uptos) f (id, upto)
    where p.id = f.id and p.tail < f.upto;
end
$$;
