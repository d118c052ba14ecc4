-- delete_queue_v1(name) → existed
-- Deletes a queue with its partitions, cursors, leases, subscriptions, dead letters and traces. Its messages are
-- unreachable from then on and are removed by purge_messages_v1 in small steps: there may be millions of them.
-- Locks  the queue, so that no partition is added, then the partitions by id, as a push does: it waits for pushes under
--        way, and later ones find them gone.
create function queen.delete_queue_v1(p_name text) returns boolean
language plpgsql
as $$
declare
    v_queue_id uuid;
begin
    select q.id into v_queue_id from queen.queues q where q.name = p_name for update;
    if not found then
        return false;
    end if;
    perform from queen.partitions p where p.queue_id = v_queue_id order by p.id for update;
    insert into queen.purges (partition_id)
    select p.id from queen.partitions p where p.queue_id = v_queue_id and p.head > p.tail;
    delete from queen.subscriptions s where s.queue_name = p_name;
    delete from queen.clear_marks m where m.queue_id = v_queue_id;
    delete from queen.met_queues m where m.queue_id = v_queue_id;
    delete from queen.queues q where q.id = v_queue_id;
    return found;
end
$$;
