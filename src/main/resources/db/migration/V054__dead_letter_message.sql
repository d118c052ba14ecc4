-- dead_letter_message_v1(partition, transaction id, group, error) → known, and what became of the group's lease
-- Makes a message a dead letter of a group by hand. When it is the message that the group would get next, the group's
-- cursor passes it, as an ack with status dlq would do. When the group has consumed it, or has others to consume
-- before, only the dead letter is written: the group's order stays as it is, and it will still get the message.
-- The same when the group never consumed the partition while others did: no cursor is made for it.
-- One that was redriven for the group, and waits or is being processed, is dead again (V110).
--
-- Gives  known, queue_name, partition_name; lease_released and pending as ack_list_v1, for who waits.
-- Locks  the row of the group, as ack_list_v1.
create function queen.dead_letter_message_v1(
    p_partition_id uuid, p_transaction_id text, p_consumer_group text, p_error text,
    out known boolean, out queue_name text, out partition_name text, out lease_released boolean, out pending boolean)
language plpgsql
as $$
declare
    v_seq    bigint;
    v_id     uuid;
    v_cursor bigint;
    v_others boolean;
    v_lease  uuid;
begin
    select c.cursor, c.lease_id into v_cursor, v_lease
    from queen.partition_consumers c
    where c.partition_id = p_partition_id and c.consumer_group = p_consumer_group
    for update;

    select m.seq, m.id, q.name, p.name,
           exists (select from queen.partition_consumers c where c.partition_id = p.id)
    into v_seq, v_id, queue_name, partition_name, v_others
    from queen.messages m
    join queen.partitions p on p.id = m.partition_id
    join queen.queues q on q.id = p.queue_id
    where m.partition_id = p_partition_id and m.transaction_id = p_transaction_id;
    known := v_seq is not null;
    lease_released := false;
    pending := false;
    if not known then
        return;
    end if;

    if (v_cursor is not null or not v_others) and v_seq > coalesce(v_cursor, 0) and not exists (
        select from queen.messages m
        where m.partition_id = p_partition_id and m.seq > coalesce(v_cursor, 0) and m.seq < v_seq)
    then
        select a.lease_released, a.pending into lease_released, pending
        from queen.ack_list_v1(
            array[p_partition_id], array[p_transaction_id], array[p_consumer_group], array[null::uuid], array['dlq'],
            array[p_error]) a;
    else
        insert into queen.dead_letters
            (partition_id, consumer_group, seq, message_id, transaction_id, error_message, failed_at)
        values (p_partition_id, p_consumer_group, v_seq, v_id, p_transaction_id, p_error, clock_timestamp())
        on conflict do nothing;
        delete from queen.redriven r
        where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group and r.seq = v_seq;
        if found then
            perform queen.settle_redriven_v1(p_partition_id, v_seq - 1, v_seq);
            select v_lease is not null and c.lease_id is null, p.head > c.cursor or c.redriven > 0
            into lease_released, pending
            from queen.partition_consumers c
            join queen.partitions p on p.id = c.partition_id
            where c.partition_id = p_partition_id and c.consumer_group = p_consumer_group;
        end if;
    end if;
end
$$;
