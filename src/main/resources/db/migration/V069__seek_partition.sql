-- seek_partition_v1(group, queue, partition, to, time) → partition_id, moved, cursor_time
-- Moves the cursor of a group in one partition.
--
-- Takes  p_to, p_time as move_cursors_v1
-- Gives  partition_id null when there is no such partition
--        moved        false for a group that does not know the queue: nothing happened
--        cursor_time  when the message at the cursor was pushed; null at the beginning, or when it is gone
-- Locks  as move_cursors_v1.
create function queen.seek_partition_v1(
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
