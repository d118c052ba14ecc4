-- delete_message_v1(partition, transaction id) → existed
-- Removes a message with its dead letters and traces. A consumer that holds it gets "Message not found" when it acks.
-- The partition remembers that one message less is stored, and when it was the first one, where the messages begin now.
-- Locks  the partition, then rows of its groups that have redriven messages (settle_redriven_v1).
create function queen.delete_message_v1(p_partition_id uuid, p_transaction_id text) returns boolean
language plpgsql
as $$
declare
    v_seq bigint;
begin
    perform from queen.partitions p where p.id = p_partition_id for no key update;
    if not found then
        return false;
    end if;
    delete from queen.messages m
    where m.partition_id = p_partition_id and m.transaction_id = p_transaction_id
    returning m.seq into v_seq;
    if not found then
        return false;
    end if;
    update queen.partitions p
    set removed = p.removed + 1,
        tail = greatest(p.tail, coalesce(
            (select m.seq - 1 from queen.messages m where m.partition_id = p.id order by m.seq limit 1), p.head))
    where p.id = p_partition_id;
    delete from queen.dead_letters d where d.partition_id = p_partition_id and d.seq = v_seq;
    delete from queen.traces t where t.partition_id = p_partition_id and t.transaction_id = p_transaction_id;
    perform queen.settle_redriven_v1(p_partition_id, v_seq - 1, v_seq);
    return true;
end
$$;
