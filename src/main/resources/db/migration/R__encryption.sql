-- The re-encryption of stored payloads. The keys are in the servers: the database gives payloads out and takes them back.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- stale_payloads_v1(queue, partition, seq, newest, limit, bytes) → messages
-- The next portion of a walk over the messages of a queue, in the order of partition names and sequence numbers: those that
-- are encrypted, but not with the newest key and format. What dead letters show are these messages too.
--
-- Takes  p_partition, p_seq  go on after this message; nulls to begin
--        p_newest            how a payload begins that needs nothing
--        p_limit             messages to look at, at most; p_bytes are about the most bytes of payloads to give
-- Gives  the messages, and a last row without payload when the walk is not over: where the next call goes on.
-- Locks  nothing.
create or replace function queen.stale_payloads_v1(
    p_queue text, p_partition text, p_seq bigint, p_newest text, p_limit integer, p_bytes bigint)
returns table (partition_id uuid, partition_name text, seq bigint, transaction_id text, payload text)
language plpgsql stable
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
    c_partitions constant integer := 1000;
    v_partitions integer := 0;
    v_looked     integer := 0;
    v_bytes      bigint := 0;
    v_full       boolean := false;
    v_name       text;
    v_seq        bigint;
    v_partition  record;
    v_message    record;
begin
    <<portion>>
    for v_partition in
        select p.id, p.name
        from queen.partitions p
        where p.queue_id = (select q.id from queen.queues q where q.name = p_queue) and p.name >= coalesce(p_partition, '')
        order by p.name
        limit c_partitions
    loop
        v_partitions := v_partitions + 1;
        for v_message in
            select m.seq, m.transaction_id, m.payload,
                   m.is_encrypted and substr(m.payload, 1, length(p_newest)) <> p_newest as stale
            from queen.messages m
            where m.partition_id = v_partition.id and m.seq > case when v_partition.name = p_partition then p_seq else 0 end
            order by m.seq
            limit p_limit - v_looked
        loop
            v_full := v_full or (v_message.stale and v_bytes >= p_bytes);
            exit portion when v_full;
            if v_message.stale then
                v_bytes := v_bytes + octet_length(v_message.payload);
                partition_id := v_partition.id;
                partition_name := v_partition.name;
                seq := v_message.seq;
                transaction_id := v_message.transaction_id;
                payload := v_message.payload;
                return next;
            end if;
            v_looked := v_looked + 1;
            v_name := v_partition.name;
            v_seq := v_message.seq;
        end loop;
        v_full := v_looked >= p_limit;
        exit portion when v_full;
        v_name := v_partition.name;
        v_seq := 9223372036854775807;
    end loop;
    if v_full or v_partitions = c_partitions then
        partition_id := null;
        partition_name := v_name;
        seq := v_seq;
        transaction_id := null;
        payload := null;
        return next;
    end if;
end
$$;

-- replace_payloads_v1(partitions, seqs, payloads) → number of messages that have the new payload now
-- Stores payloads that were encrypted anew. A message that is gone, or that another transaction holds (it is being removed,
-- or encrypted anew by another call), is passed over.
-- Locks  the messages, waiting for none: a removal waits for this short transaction at most, and nothing waits in a circle.
create or replace function queen.replace_payloads_v1(p_partition_ids uuid[], p_seqs bigint[], p_payloads text[])
returns bigint
language sql
as $$
    with held as materialized (
        select m.partition_id, m.seq, f.payload
        from unnest(p_partition_ids, p_seqs, p_payloads) f (partition_id, seq, payload)
        join queen.messages m on m.partition_id = f.partition_id and m.seq = f.seq
        where m.is_encrypted
        for no key update of m skip locked
    ), replaced as (
        update queen.messages m set payload = h.payload
        from held h
        where m.partition_id = h.partition_id and m.seq = h.seq
        returning 1
    )
    select count(*) from replaced
$$;
