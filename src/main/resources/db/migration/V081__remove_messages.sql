-- remove_messages_v1(partition, after, upto, limit) → removed, done
-- Removes the oldest p_limit messages after p_after up to p_upto, with their dead letters, traces and redriven rows.
-- The caller holds the row lock of the partition.
-- Cursors that stood in what is gone now stand behind it, and a lease that has no message left ends, or consumers would
-- wait for nothing. A group whose row somebody else holds right now keeps its cursor: its next pop finds nothing there
-- and moves it. The tail moves up when nothing is left before p_after.
--
-- Gives  removed  messages removed
--        done     false when the limit was reached: there may be more
-- Locks  rows of partition_consumers in key order, skipping those that others hold.
create function queen.remove_messages_v1(
    p_partition_id uuid, p_after bigint, p_upto bigint, p_limit integer, out removed bigint, out done boolean)
language plpgsql
as $$
declare
    v_tail bigint;
    v_upto bigint;
begin
    select p.tail into v_tail from queen.partitions p where p.id = p_partition_id;
    select max(m.seq), count(*) into v_upto, removed
    from (
        select m.seq
        from queen.messages m
        where m.partition_id = p_partition_id and m.seq > p_after and m.seq <= p_upto
        order by m.seq
        limit p_limit
    ) m;
    done := removed < p_limit;
    if done then
        v_upto := p_upto;
    end if;

    with gone as (
        delete from queen.messages m
        where m.partition_id = p_partition_id and m.seq > p_after and m.seq <= v_upto
        returning m.transaction_id
    )
    delete from queen.traces t
    using gone g
    where t.partition_id = p_partition_id and t.transaction_id = g.transaction_id;
    -- Those before the tail too: an ack under way may have written one for a message that was just removed.
    delete from queen.dead_letters d
    where d.partition_id = p_partition_id and d.seq <= v_upto and (d.seq > p_after or d.seq <= v_tail);

    update queen.partitions p
    set removed = p.removed + remove_messages_v1.removed,
        tail = case
            when p.removed + remove_messages_v1.removed >= p.head then p.head
            when exists (
                select from queen.messages m
                where m.partition_id = p_partition_id and m.seq > p.tail and m.seq <= p_after) then p.tail
            else greatest(p.tail, v_upto)
        end
    where p.id = p_partition_id;

    perform queen.settle_redriven_v1(p_partition_id, case when p_after <= v_tail then 0 else p_after end, v_upto);
    with held as (
        select c.consumer_group, c.lease_last_seq <= v_upto and c.lease_last_seq > c.cursor as over
        from queen.partition_consumers c
        where c.partition_id = p_partition_id and c.cursor < v_upto and (c.cursor >= p_after or p_after <= v_tail)
        order by c.consumer_group
        for update skip locked
    ), moved as (
        update queen.partition_consumers c
        set cursor = v_upto,
            retry_count = 0,
            retry_at = null,
            lease_id = case when h.over then null else c.lease_id end,
            lease_expires_at = case when h.over then null else c.lease_expires_at end,
            lease_last_seq = case when h.over then null else c.lease_last_seq end
        from held h
        where c.partition_id = p_partition_id and c.consumer_group = h.consumer_group
        returning h.over
    )
    -- A partition that is free before its time, with messages left, is news to the servers.
    insert into queen.push_log (queue_id, partition_ids)
    select p.queue_id, array[p.id]
    from queen.partitions p
    where p.id = p_partition_id and p.head > v_upto and exists (select from moved m where m.over);
end
$$;
