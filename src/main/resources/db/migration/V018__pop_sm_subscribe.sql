-- meeting_lock_v1(queue, group) → key of an advisory lock
-- Shared by who creates cursors of the group in the queue, exclusive for who concludes that there are none.
create function queen.meeting_lock_v1(p_queue_id uuid, p_consumer_group text) returns bigint
language sql immutable
as $$
    select hashtextextended(p_queue_id::text || p_consumer_group, 0)
$$;

-- pop_sm_subscribe(queue, group, partition, mode, time) → whether it left a record for a queue that does not exist
-- Records where a group starts, at its first pop: the first writer wins, later calls change nothing but the time at which
-- it was last asked for. p_partition is '' for the whole queue; p_time null is now. The group __QUEUE_MODE__ has no
-- subscription.
--
-- A group that starts now, and has no cursor and no other record in the queue, gets nothing but what is pushed from now
-- on: that is noted as a clear mark. The mark is taken before the time: what is pushed at that time or later was not yet
-- committed when it was taken. A group whose first cursor is just being made gets none.
-- A record for one partition may begin earlier than that of the queue, so the partition is news to the servers.
-- Locks  its record; for a clear mark the advisory lock of the meeting, if it is free.
create function queen.pop_sm_subscribe(
    p_queue_name text, p_consumer_group text, p_partition_name text, p_mode text, p_time timestamptz) returns boolean
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_life     text := queen.push_log_life_v1();
    v_xid      xid8;
    v_queue_id uuid;
    v_past     boolean;
begin
    select pg_snapshot_xmin(pg_current_snapshot()) into v_xid;
    v_past := p_time <= clock_timestamp();
    insert into queen.subscriptions (queue_name, consumer_group, partition_name, subscription_mode, subscription_timestamp)
    values (p_queue_name, p_consumer_group, p_partition_name, p_mode, coalesce(p_time, clock_timestamp()))
    on conflict do nothing;
    if not found then
        -- Somebody else who is at the record does the same.
        update queen.subscriptions s set asked_at = now()
        where s.ctid = (
            select o.ctid from queen.subscriptions o
            where o.queue_name = p_queue_name and o.consumer_group = p_consumer_group and o.partition_name = p_partition_name
              and o.asked_at < now() - interval '10 minutes'
            for no key update skip locked);
        return false;
    end if;

    select q.id into v_queue_id from queen.queues q where q.name = p_queue_name;
    if v_queue_id is null then
        return true;
    elsif p_partition_name <> '' then
        insert into queen.push_log (queue_id, partition_ids)
        select p.queue_id, array[p.id] from queen.partitions p
        where p.queue_id = v_queue_id and p.name = p_partition_name and p.head > p.tail;
    elsif v_past is not true and p_consumer_group <> '__QUEUE_MODE__'
          and pg_try_advisory_xact_lock(queen.meeting_lock_v1(v_queue_id, p_consumer_group)) then
        insert into queen.clear_marks (queue_id, consumer_group, life, xid)
        select v_queue_id, p_consumer_group, v_life, v_xid
        where not exists (
            select from queen.met_queues m where m.queue_id = v_queue_id and m.consumer_group = p_consumer_group)
          and not exists (
            select from queen.subscriptions s
            where s.queue_name = p_queue_name and s.consumer_group = p_consumer_group and s.partition_name > '');
    end if;
    return false;
end
$$;
