-- take_room_v1(queue, messages) → how many of them may be stored
-- Room in a queue with max_size. Its size is what the slowest of the groups that read a partition has not consumed yet,
-- summed over its partitions; where nobody reads, all that is stored.
-- The room found by a count is used up push by push without counting again, because consuming only makes it larger; it
-- is counted when it does not suffice, and when a group began, moved back or went away (recount_room_v1). So a queue far from its limit costs one row update a push.
-- Redriven messages do not count: they were let in before.
-- Locks  the row of queue_room until the caller commits: pushes to a queue with a limit go one list at a time.
create function queen.take_room_v1(p_queue_id uuid, p_messages integer) returns integer
language plpgsql
as $$
declare
    v_room    bigint;
    v_granted integer;
begin
    update queen.queue_room r
    set room = r.room - p_messages
    where r.queue_id = p_queue_id and r.room >= p_messages
      and not exists (select from queen.queue_recounts n where n.queue_id = p_queue_id);
    if found then
        return p_messages;
    end if;

    insert into queen.queue_room (queue_id, room)
    select q.id, 0 from queen.queues q where q.id = p_queue_id
    on conflict do nothing;
    perform from queen.queue_room r where r.queue_id = p_queue_id for update;
    delete from queen.queue_recounts n where n.queue_id = p_queue_id;

    select greatest(q.max_size - coalesce(sum(least(p.head - p.removed, p.head - greatest(p.tail, c.cursor))), 0), 0)
    into v_room
    from queen.queues q
    left join queen.partitions p on p.queue_id = q.id
    left join lateral (
        select min(c.cursor) as cursor from queen.partition_consumers c where c.partition_id = p.id
    ) c on true
    where q.id = p_queue_id
    group by q.id;

    v_granted := least(p_messages, coalesce(v_room, p_messages));
    update queen.queue_room r set room = v_room - v_granted where r.queue_id = p_queue_id;
    return v_granted;
end
$$;
