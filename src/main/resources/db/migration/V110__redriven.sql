-- Messages that a group gets again after it gave them up. A redrive takes a dead letter of the group, and the message,
-- which is still where it was, waits in queen.redriven for that group alone: no other group sees it, its id, transaction
-- id and payload are what they were, and the group's cursor stays where it is (only a seek moves one back).
--
-- Its place of order: before everything the group has not been given yet, among its like by sequence number. What the
-- group consumed since it failed stays consumed. It is delivered in a batch of its own, never together with messages
-- after the cursor, so a lease is of one kind: one that ends at or before the cursor is for redriven messages, and
-- holds the rows that carry its id.
--
--   the message is                       row in redriven    row.lease_id          dead letter
--   dead for the group                   none               -                     yes
--   waiting to be delivered again        yes                null, or of no lease  none
--   being processed                      yes                the group's lease     none
--   done: acked, auto-acked, sought past none               -                     none
--
--   event                                from → to
--   redrive                              dead → waiting; not yet passed by the cursor: → comes in its turn
--   pop                                  waiting → being processed; with autoAck → done
--   ack completed                        being processed → done, and what the lease holds before it
--   ack failed, retries left; retry      being processed → waiting, and all that the lease holds; the lease ends
--   ack failed, no retries left; dlq     being processed → dead; what the lease holds before it → done
--   release, lease expired               being processed → waiting
--   ack without a lease                  waiting → done or dead, this message alone; failed and retry leave it waiting
--   ack with a lease that does not hold it   no change: it was done under that lease
--   dead-lettered by hand                waiting, being processed → dead
--   seek, the group deleted              waiting, being processed → done (what lies after the new cursor comes in its turn)
--   the message removed                  gone with it. Retention of completed messages leaves it alone while it waits
--
-- Retries are counted per message, from 0 at each redrive, and do not touch the counter of the batch after the cursor. The
-- retry delay of the queue holds; window and delayed processing do not: the message has waited before.
--
-- partition_consumers.redriven counts the rows, so that who has none pays nothing. Rows and count change together, under
-- the lock of that row. A message may be removed while somebody holds the lock: then the count is too high until the
-- next pop that finds nothing.

-- redriven_left_v1(partition, group, place, waiting) → place, waiting
-- Looks whether any of a group's redriven messages is still stored; when none is, drops the rows and the count. The caller
-- holds the lock of the row at `place`, and goes on with the place that this gives.
create function queen.redriven_left_v1(p_partition_id uuid, p_consumer_group text, inout place tid, inout waiting integer)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
begin
    perform
    from queen.redriven r
    cross join lateral (
        select from queen.messages m where m.partition_id = r.partition_id and m.seq = r.seq limit 1
    ) m
    where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group
    limit 1;
    if not found then
        delete from queen.redriven r where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group;
        update queen.partition_consumers k set redriven = 0
        where k.partition_id = p_partition_id and k.consumer_group = p_consumer_group
        returning k.ctid, k.redriven into place, waiting;
    end if;
end
$$;

-- take_redriven_v1(partition, group, lease, batch, bytes) → seqs, retry_count
-- Takes the first p_batch redriven messages of a group, up to so many payload bytes (the first always; null is no limit):
-- under the lease, or without one for good. The caller holds the lock of the group's row and writes its lease and count.
--
-- Gives  seqs         in order; null when their messages have just been removed
--        retry_count  of the one that failed most often since it was redriven
-- The rows are read in the order of their key, as many as are taken: sorting is not allowed, because right after a large
-- redrive PostgreSQL knows nothing of the table yet and would read all of it.
create function queen.take_redriven_v1(
    p_partition_id uuid, p_consumer_group text, p_lease_id uuid, p_batch bigint, p_bytes bigint,
    out seqs bigint[], out retry_count integer)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
begin
    select array_agg(t.seq order by t.seq), max(t.retry_count)
    into seqs, retry_count
    from (
        select t.seq, t.retry_count, sum(t.size) over (order by t.seq rows unbounded preceding) - t.size as before
        from (
            select r.seq, r.retry_count, octet_length(m.payload) as size
            from queen.redriven r
            cross join lateral (
                select m.payload from queen.messages m where m.partition_id = r.partition_id and m.seq = r.seq limit 1
            ) m
            where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group
            order by r.seq
            limit p_batch
        ) t
    ) t
    where (t.before < p_bytes) is not false;

    if p_lease_id is null then
        delete from queen.redriven r
        where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group
          and r.seq >= seqs[1] and r.seq <= seqs[cardinality(seqs)] and r.seq = any (seqs);
    else
        update queen.redriven r set lease_id = p_lease_id
        where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group
          and r.seq >= seqs[1] and r.seq <= seqs[cardinality(seqs)] and r.seq = any (seqs);
    end if;
end
$$;

-- ack_redriven_v1(message, lease given, lease held, status, late, retry limit, error) → verdict, done
-- One ack of a message that the group's cursor has passed. For ack_list_v1, which holds the lock of the group's row.
--
-- Takes  p_lease_id  what the ack names, null for none; p_held what the row says
--        p_late      an ack of this list before it has ended the lease
-- Gives  verdict     null: the ack has nothing to do here. completed, dead, failed or retry (the lease is to end), waits
--                    (nothing changed), late (to be refused)
--        done        rows removed
create function queen.ack_redriven_v1(
    p_partition_id uuid, p_consumer_group text, p_seq bigint, p_lease_id uuid, p_held uuid, p_status text, p_late boolean,
    p_retry_limit integer, p_error text, out verdict text, out done integer)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
declare
    v_lease_id    uuid;
    v_retry_count integer;
begin
    done := 0;
    select r.lease_id, r.retry_count into v_lease_id, v_retry_count
    from queen.redriven r
    where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group and r.seq = p_seq;
    if not found or (p_lease_id is not null and p_lease_id is distinct from v_lease_id) then
        return;
    elsif p_late then
        verdict := 'late';
    elsif p_status = 'retry' or (p_status = 'failed' and v_retry_count < p_retry_limit) then
        if v_lease_id = p_held then
            verdict := p_status;
            update queen.redriven r set lease_id = null, retry_count = r.retry_count + (p_status = 'failed')::integer
            where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group and r.seq = p_seq;
        else
            verdict := 'waits';
        end if;
    else
        verdict := case when p_status = 'completed' then 'completed' else 'dead' end;
        delete from queen.redriven r
        where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group
          and (r.seq = p_seq or (r.seq < p_seq and r.lease_id = p_held and v_lease_id = p_held));
        get diagnostics done = row_count;
        if verdict = 'dead' then
            insert into queen.dead_letters
                (partition_id, consumer_group, seq, message_id, transaction_id, error_message, retry_count, failed_at)
            select m.partition_id, p_consumer_group, m.seq, m.id, m.transaction_id,
                   coalesce(nullif(p_error, ''), 'Message processing failed'), v_retry_count, clock_timestamp()
            from queen.messages m
            where m.partition_id = p_partition_id and m.seq = p_seq
            on conflict do nothing;
        end if;
    end if;
end
$$;

-- holds_redriven_v1(partition, group, lease, upto) → whether the lease holds a redriven message up to there
create function queen.holds_redriven_v1(p_partition_id uuid, p_consumer_group text, p_lease_id uuid, p_upto bigint)
returns boolean
language sql stable
as $$
    select exists (
        select from queen.redriven r
        where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group and r.seq <= p_upto
          and r.lease_id = p_lease_id)
$$;

-- settle_redriven_v1(partition, after, upto) → nothing
-- Messages after p_after up to p_upto were removed, or their redriven rows: drops the rows of those that are gone, counts
-- anew, and ends a lease that holds none any more. What is left is news when a lease ended.
-- Locks  rows of partition_consumers in key order, skipping those that others hold: their count is corrected later.
create function queen.settle_redriven_v1(p_partition_id uuid, p_after bigint, p_upto bigint) returns void
language plpgsql
as $$
declare
    v_group record;
    v_freed boolean := false;
begin
    for v_group in
        select c.consumer_group, c.lease_id, c.lease_last_seq, coalesce(c.lease_last_seq <= c.cursor, false) as again
        from queen.partition_consumers c
        where c.partition_id = p_partition_id and c.redriven > 0
        order by c.consumer_group
        for update skip locked
    loop
        delete from queen.redriven r
        where r.partition_id = p_partition_id and r.consumer_group = v_group.consumer_group
          and r.seq > p_after and r.seq <= p_upto
          and not exists (select from queen.messages m where m.partition_id = r.partition_id and m.seq = r.seq);
        v_group.again := v_group.again and not queen.holds_redriven_v1(
            p_partition_id, v_group.consumer_group, v_group.lease_id, v_group.lease_last_seq);
        update queen.partition_consumers c
        set redriven = (
                select count(*) from queen.redriven r
                where r.partition_id = p_partition_id and r.consumer_group = v_group.consumer_group),
            lease_id = case when v_group.again then null else c.lease_id end,
            lease_expires_at = case when v_group.again then null else c.lease_expires_at end,
            lease_last_seq = case when v_group.again then null else c.lease_last_seq end
        where c.partition_id = p_partition_id and c.consumer_group = v_group.consumer_group;
        v_freed := v_freed or v_group.again;
    end loop;
    if v_freed then
        insert into queen.push_log (queue_id, partition_ids)
        select p.queue_id, array[p.id] from queen.partitions p where p.id = p_partition_id;
    end if;
end
$$;
