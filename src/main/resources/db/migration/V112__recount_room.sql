-- recount_room_v1(partitions) → nothing
-- Has the room in the queues of these partitions counted anew by the next push, if they have max_size. Called by whoever
-- makes a group slower or the slowest: a cursor that is new, moved back, or taken away (where nobody reads, all that is
-- stored counts). It adds a row and changes none, so that a pop does not wait for a push that holds the queue's room.
create function queen.recount_room_v1(p_partition_ids uuid[]) returns void
language sql
as $$
    insert into queen.queue_recounts (queue_id)
    select distinct q.id
    from queen.partitions p
    join queen.queues q on q.id = p.queue_id and q.max_size > 0
    where p.id = any (p_partition_ids)
      and not exists (select from queen.queue_recounts r where r.queue_id = q.id)
$$;
