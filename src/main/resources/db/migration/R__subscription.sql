-- Where a group starts in partitions it has not consumed yet, and which groups know which queues.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

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
create or replace function queen.pop_sm_subscribe(
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

-- subscribed_from_v1(group, queue, partition) → time
-- Where the subscription of a group begins in a partition: its record for the partition, else that for the queue; null is
-- the beginning. Consumers without a group have none.
create or replace function queen.subscribed_from_v1(p_consumer_group text, p_queue_name text, p_partition_name text)
returns timestamptz
language sql stable
as $$
    select s.subscription_timestamp
    from queen.subscriptions s
    where s.queue_name = p_queue_name and s.consumer_group = p_consumer_group
      and s.partition_name in (p_partition_name, '') and s.consumer_group <> '__QUEUE_MODE__'
    order by s.partition_name desc
    limit 1
$$;

-- first_cursor_v1(partition, group) → sequence number
-- Where a group that has no cursor in a partition begins: by its subscription, else at the beginning.
create or replace function queen.first_cursor_v1(p_partition_id uuid, p_consumer_group text) returns bigint
language sql stable
as $$
    select case when s.start is null then 0 else queen.seq_before(p_partition_id, s.start) end
    from queen.partitions p
    join queen.queues q on q.id = p.queue_id
    cross join lateral queen.subscribed_from_v1(p_consumer_group, q.name, p.name) s (start)
    where p.id = p_partition_id
$$;

-- seq_before(partition, time) → sequence number
-- The last sequence number whose message is older than the given time, 0 when there is none: the cursor of a group that
-- starts at that time. created_at never falls with the sequence number, so it is found by halving, in a few dozen
-- look-ups of the primary key at most; removed messages leave gaps, so each look-up takes the next one that is there.
create or replace function queen.seq_before(p_partition_id uuid, p_time timestamptz) returns bigint
language plpgsql stable
as $$
declare
    v_low  bigint;
    v_high bigint;
    v_seq  bigint;
    v_time timestamptz;
begin
    select p.tail, p.head into v_low, v_high
    from queen.partitions p
    where p.id = p_partition_id and p.last_push_at >= p_time;
    if not found then
        return coalesce((select p.head from queen.partitions p where p.id = p_partition_id), 0);
    end if;
    -- Everything up to v_low is older, everything after v_high is not.
    while v_low < v_high loop
        select m.seq, m.created_at into v_seq, v_time
        from queen.messages m
        where m.partition_id = p_partition_id and m.seq > (v_low + v_high) / 2
        order by m.seq
        limit 1;
        if not found or v_seq > v_high or v_time >= p_time then
            v_high := (v_low + v_high) / 2;
        else
            v_low := v_seq;
        end if;
    end loop;
    return v_low;
end
$$;

-- move_subscriptions_v1(group, time, queues) → subscriptions moved
-- Lets the recorded subscriptions of a group, in the queues that the caller may consume (patterns as in is_visible_v1, null
-- for all), begin at that time: it counts where the group has no cursor yet. What it can
-- get by that is news to every server.
create or replace function queen.move_subscriptions_v1(
    p_consumer_group text, p_time timestamptz, p_queues text[] default null) returns integer
language plpgsql
as $$
declare
    v_queues text[];
begin
    with moved as (
        update queen.subscriptions s
        set subscription_mode = 'timestamp', subscription_timestamp = p_time
        where s.consumer_group = p_consumer_group
          and (p_queues is null or queen.is_visible_v1(s.queue_name, p_queues))
        returning s.queue_name
    )
    select array_agg(m.queue_name) into v_queues from moved m;
    perform queen.announce_partitions_v1(v_queues, p_time);
    return coalesce(cardinality(v_queues), 0);
end
$$;

-- remove_idle_subscriptions_v1(hours, keep, limit) → records removed
-- A group may subscribe to a queue or partition before that exists, and then gets all that is pushed later. The record of
-- one that never comes to be must not stay for ever: it goes when no pop asked for it for so many hours, and when more
-- than p_keep are kept the longest not asked for go first. At most p_limit in one call.
-- Records of queues and partitions that exist stay.
-- Locks  an advisory lock for the transaction, so that one server at a time removes.
create or replace function queen.remove_idle_subscriptions_v1(p_hours integer, p_keep integer, p_limit integer) returns integer
language plpgsql
as $$
declare
    v_removed integer;
begin
    if not pg_try_advisory_xact_lock(hashtext('queen.remove_idle_subscriptions')) then
        return 0;
    end if;
    with early as (
        select s.queue_name, s.consumer_group, s.partition_name, s.asked_at,
               row_number() over (order by s.asked_at desc) as place
        from queen.subscriptions s
        left join queen.queues q on q.name = s.queue_name
        left join queen.partitions p on p.queue_id = q.id and p.name = s.partition_name
        where q.id is null or (s.partition_name <> '' and p.id is null)
    )
    delete from queen.subscriptions s
    using (
        select * from early e
        where e.place > p_keep or e.asked_at < now() - make_interval(hours => p_hours)
        order by e.asked_at
        limit p_limit
    ) e
    where s.queue_name = e.queue_name and s.consumer_group = e.consumer_group and s.partition_name = e.partition_name
      and s.asked_at = e.asked_at;
    get diagnostics v_removed = row_count;
    return v_removed;
end
$$;

-- meet_queues_v1, after rows were inserted into partition_consumers
-- Notes that the group has a cursor in the queue, so that nobody concludes it has none: see pop_sm_subscribe, which then
-- leaves a clear mark. Either that waits for nothing and leaves none because the lock is held here, or this waits for its
-- end, a moment, and sees the mark. Where the group has a clear mark the partitions are news: the statement that inserted
-- may have been begun before the subscription was there, and have put a cursor before it. So it is, too, in a transaction
-- that does not see what others commit.
-- Locks  the advisory lock of the meeting, shared.
create or replace function queen.meet_queues_v1() returns trigger
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_met record;
begin
    for v_met in
        select p.queue_id, f.consumer_group, array_agg(f.partition_id) filter (where p.head > f.cursor) as ids
        from fresh f
        cross join lateral (select p.queue_id, p.head from queen.partitions p where p.id = f.partition_id limit 1) p
        group by p.queue_id, f.consumer_group
    loop
        perform pg_advisory_xact_lock_shared(queen.meeting_lock_v1(v_met.queue_id, v_met.consumer_group));
        insert into queen.met_queues (queue_id, consumer_group)
        select v_met.queue_id, v_met.consumer_group
        where not exists (
            select from queen.met_queues m
            where m.queue_id = v_met.queue_id and m.consumer_group = v_met.consumer_group);
        insert into queen.push_log (queue_id, partition_ids)
        select v_met.queue_id, v_met.ids
        where v_met.ids is not null
          and (current_setting('transaction_isolation') <> 'read committed'
               or exists (
                   select from queen.clear_marks m
                   where m.queue_id = v_met.queue_id and m.consumer_group = v_met.consumer_group));
    end loop;
    return null;
end
$$;

-- The trigger that calls it. Made once: making it anew would keep pops and acks waiting.
do $$
begin
    if not exists (select from pg_trigger t where t.tgrelid = 'queen.partition_consumers'::regclass and t.tgname = 'meet_queues') then
        create trigger meet_queues after insert on queen.partition_consumers
        referencing new table as fresh
        for each statement execute function queen.meet_queues_v1();
    end if;
end
$$;

-- meeting_lock_v1(queue, group) → key of an advisory lock
-- Shared by who creates cursors of the group in the queue, exclusive for who concludes that there are none.
create or replace function queen.meeting_lock_v1(p_queue_id uuid, p_consumer_group text) returns bigint
language sql immutable
as $$
    select hashtextextended(p_queue_id::text || p_consumer_group, 0)
$$;
