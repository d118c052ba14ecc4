-- move_cursors_v1(partitions, group, to, time) → cursors moved
-- Puts the cursors of a group where they are wanted, forward or back, creating those that are not there, and drops the
-- leases; an ack that names one of these leases is refused from then on. Retry counters stay. Redriven messages
-- are forgotten: those after the new cursor come in their turn, the others the group has passed.
--
-- Takes  p_to   end        after the newest message
--               beginning  before the oldest
--               time       after the last message that is not younger than p_time
-- What lies after a cursor is news to every server, so it goes into the push log.
-- Locks  the partitions by id, against being deleted (a push does not wait for that), then rows of partition_consumers
--        in key order.
create function queen.move_cursors_v1(
    p_partition_ids uuid[], p_consumer_group text, p_to text, p_time timestamptz) returns integer
language plpgsql
as $$
declare
    v_moved integer;
begin
    perform from queen.partitions p where p.id = any (p_partition_ids) order by p.id for key share;

    with moved as (
        insert into queen.partition_consumers as c (partition_id, consumer_group, cursor)
        select p.id, p_consumer_group, case p_to
            when 'end' then p.head
            when 'beginning' then 0
            else queen.seq_before(p.id, p_time + interval '1 microsecond') end
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
