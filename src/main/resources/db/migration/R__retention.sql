-- Retention and eviction: what is removed because of its age.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- remove_expired_v1(kind, run, partitions, limit, wait) → removed, remaining
-- One portion of retention or eviction: removes up to p_limit messages that are due in the given partitions, and adds
-- them to the history of the run.
--
-- Takes  p_kind   retention, completed or eviction, see expired_range_v1
--        p_run    when the run began: its key in the history
--        p_wait   wait for a partition that somebody writes to; only for a single one
-- Gives  removed    messages removed; null when another server is at it
--        remaining  the partitions to call for again: somebody held them, or the limit was reached before their end
-- Locks  an advisory lock for the transaction, so that one server at a time removes; then partitions, skipping those that
--        others hold: it never waits while it holds one, and a push waits for one portion at most. Then rows of
--        partition_consumers, see remove_messages_v1. The advisory lock ends with the transaction and not with the
--        session, so that it is right behind a pooler too.
create or replace function queen.remove_expired_v1(
    p_kind text, p_run timestamptz, p_partition_ids uuid[], p_limit integer, p_wait boolean,
    out removed bigint, out remaining uuid[])
language plpgsql
as $$
declare
    v_id    uuid;
    v_after bigint;
    v_upto  bigint;
    v_count bigint;
    v_done  boolean;
begin
    if not pg_try_advisory_xact_lock(hashtext('queen.remove_expired')) then
        return;
    end if;
    removed := 0;
    remaining := '{}';
    foreach v_id in array p_partition_ids loop
        if removed >= p_limit then
            remaining := remaining || v_id;
            continue;
        end if;
        if p_wait then
            perform from queen.partitions p where p.id = v_id for no key update;
        else
            perform from queen.partitions p where p.id = v_id for no key update skip locked;
        end if;
        if not found then
            if exists (select from queen.partitions p where p.id = v_id) then
                remaining := remaining || v_id;
            end if;
            continue;
        end if;
        select r.after, r.upto into v_after, v_upto
        from queen.expired_range_v1(p_kind, v_id, (p_limit - removed)::integer) r;
        continue when v_upto <= v_after;
        select r.removed, r.done into v_count, v_done
        from queen.remove_messages_v1(v_id, v_after, v_upto, (p_limit - removed)::integer) r;
        removed := removed + v_count;
        if not v_done then
            remaining := remaining || v_id;
        end if;
        if v_count > 0 then
            insert into queen.retention_history as h (executed_at, queue_name, kind, deleted_count)
            select p_run, q.name, p_kind, v_count
            from queen.partitions p
            join queen.queues q on q.id = p.queue_id
            where p.id = v_id
            on conflict (executed_at, queue_name, kind) do update set deleted_count = h.deleted_count + excluded.deleted_count;
        end if;
    end loop;
end
$$;

-- due_partitions_v1(kind, queue, after, limit) → partitions with messages due for removal, and where to go on
-- Looks at the next p_limit partitions of a queue in name order: one look at the oldest message of each that holds any.
--
-- Takes  p_kind   retention, completed or eviction, see expired_range_v1
--        p_after  the name after which to go on, null to begin
-- Gives  ids        the partitions of this step that have something due
--        last_name  where the next step goes on; null when all have been seen
-- Locks  nothing.
create or replace function queen.due_partitions_v1(
    p_kind text, p_queue_id uuid, p_after text, p_limit integer, out ids uuid[], out last_name text)
language sql stable
as $$
    with step as (
        select p.id, p.name, p.head, p.tail, p.removed, s.seconds
        from queen.queues q
        cross join lateral queen.expiry_seconds(q, p_kind) s (seconds)
        join queen.partitions p on p.queue_id = q.id
        where q.id = p_queue_id and s.seconds > 0 and p.name >= coalesce(p_after, '')
          and p.name is distinct from p_after
        order by p.name
        limit p_limit
    ), due as (
        select s.id
        from step s
        cross join lateral (
            select min(c.cursor) from queen.partition_consumers c where c.partition_id = s.id) g (slowest)
        where s.head > s.removed
          and (p_kind <> 'completed' or g.slowest > s.tail)
          and (select greatest(m.created_at, m.deliver_at)
               from queen.messages m
               where m.partition_id = s.id
                 and m.seq > case p_kind when 'eviction' then greatest(s.tail, coalesce(g.slowest, 0)) else s.tail end
               order by m.seq
               limit 1) < now() - make_interval(secs => s.seconds)
    )
    select (select array_agg(d.id) from due d), (select max(s.name) from step s having count(*) = p_limit)
$$;

-- expired_range_v1(kind, partition, limit) → after, upto
-- Which messages of a partition are due for removal: those after `after` up to `upto`, none when upto is not larger. The age
-- of a message counts from its deliver_at if it has one, and what stands behind one that is too young stays with it: only
-- the first p_limit messages are looked through for one, so no more of them may be removed at once.
--   retention   older than the queue's retentionSeconds, consumed or not
--   completed   older than completedRetentionSeconds and passed by every group that has a cursor here, up to the first that
--               was redriven and is not done; a group that never consumed keeps everything, and so does a partition
--               without groups
--   eviction    older than maxWaitTimeSeconds and not passed by every group: what all have passed is no longer waiting
-- Time is looked up by halving (seq_before), never by a scan.
create or replace function queen.expired_range_v1(
    p_kind text, p_partition_id uuid, p_limit integer, out after bigint, out upto bigint)
language sql stable
as $$
    select b.after,
           case
               when s.seconds is null or (p_kind = 'completed' and coalesce(g.slowest, 0) <= p.tail) then 0
               else least(
                   queen.seq_before(p.id, now() - make_interval(secs => s.seconds)),
                   case p_kind when 'completed' then g.slowest end,
                   case when p.delayed_until > now() - make_interval(secs => s.seconds) then (
                       select min(m.seq) - 1
                       from (
                           select m.seq, m.deliver_at from queen.messages m
                           where m.partition_id = p.id and m.seq > b.after
                           order by m.seq
                           limit p_limit
                       ) m
                       where m.deliver_at > now() - make_interval(secs => s.seconds)) end)
           end
    from queen.partitions p
    join queen.queues q on q.id = p.queue_id
    cross join lateral queen.expiry_seconds(q, p_kind) s (seconds)
    cross join lateral (
        select min(least(c.cursor, case when c.redriven > 0 and p_kind = 'completed' then (
            select min(r.seq) - 1 from queen.redriven r
            where r.partition_id = c.partition_id and r.consumer_group = c.consumer_group and r.seq > p.tail) end))
        from queen.partition_consumers c
        where c.partition_id = p.id) g (slowest)
    cross join lateral (
        select case p_kind when 'eviction' then greatest(p.tail, coalesce(g.slowest, 0)) else p.tail end) b (after)
    where p.id = p_partition_id
$$;

-- expiry_seconds(queue, kind) → seconds
-- The age from which messages of a queue are removed by retention, completed retention or eviction; null for never.
create or replace function queen.expiry_seconds(p_queue queen.queues, p_kind text) returns integer
language sql immutable
as $$
    select nullif(case p_kind
        when 'retention' then case when p_queue.retention_enabled then p_queue.retention_seconds end
        when 'completed' then case when p_queue.retention_enabled then p_queue.completed_retention_seconds end
        when 'eviction' then p_queue.max_wait_time_seconds
    end, 0)
$$;

-- remove_messages_v1(partition, after, upto, limit) → removed, done
-- Removes the oldest p_limit messages after p_after up to p_upto, with their dead letters, traces and redriven rows.
-- The caller holds the row lock of the partition.
-- Cursors that stood in what is gone now stand behind it, and a lease that has no message left ends, or consumers would
-- wait for nothing. A group whose row somebody else holds right now keeps its cursor: its next pop finds nothing there
-- and moves it. The tail moves up when nothing is left before p_after.
--
-- Gives  removed  messages removed
--        done     false when the limit was reached: there may be more
-- Locks  rows of partition_consumers in key order, skipping those that others hold.
create or replace function queen.remove_messages_v1(
    p_partition_id uuid, p_after bigint, p_upto bigint, p_limit integer, out removed bigint, out done boolean)
language plpgsql
as $$
declare
    v_tail bigint;
    v_upto bigint;
begin
    select p.tail into v_tail from queen.partitions p where p.id = p_partition_id;
    select max(m.seq), count(*) into v_upto, removed
    from (
        select m.seq
        from queen.messages m
        where m.partition_id = p_partition_id and m.seq > p_after and m.seq <= p_upto
        order by m.seq
        limit p_limit
    ) m;
    done := removed < p_limit;
    if done then
        v_upto := p_upto;
    end if;

    with gone as (
        delete from queen.messages m
        where m.partition_id = p_partition_id and m.seq > p_after and m.seq <= v_upto
        returning m.transaction_id
    )
    delete from queen.traces t
    using gone g
    where t.partition_id = p_partition_id and t.transaction_id = g.transaction_id;
    -- Those before the tail too: an ack under way may have written one for a message that was just removed.
    delete from queen.dead_letters d
    where d.partition_id = p_partition_id and d.seq <= v_upto and (d.seq > p_after or d.seq <= v_tail);

    update queen.partitions p
    set removed = p.removed + remove_messages_v1.removed,
        tail = case
            when p.removed + remove_messages_v1.removed >= p.head then p.head
            when exists (
                select from queen.messages m
                where m.partition_id = p_partition_id and m.seq > p.tail and m.seq <= p_after) then p.tail
            else greatest(p.tail, v_upto)
        end
    where p.id = p_partition_id;

    perform queen.settle_redriven_v1(p_partition_id, case when p_after <= v_tail then 0 else p_after end, v_upto);
    with held as (
        select c.consumer_group, c.lease_last_seq <= v_upto and c.lease_last_seq > c.cursor as over
        from queen.partition_consumers c
        where c.partition_id = p_partition_id and c.cursor < v_upto and (c.cursor >= p_after or p_after <= v_tail)
        order by c.consumer_group
        for update skip locked
    ), moved as (
        update queen.partition_consumers c
        set cursor = v_upto,
            retry_count = 0,
            retry_at = null,
            lease_id = case when h.over then null else c.lease_id end,
            lease_expires_at = case when h.over then null else c.lease_expires_at end,
            lease_last_seq = case when h.over then null else c.lease_last_seq end
        from held h
        where c.partition_id = p_partition_id and c.consumer_group = h.consumer_group
        returning h.over
    )
    -- A partition that is free before its time, with messages left, is news to the servers.
    insert into queen.push_log (queue_id, partition_ids)
    select p.queue_id, array[p.id]
    from queen.partitions p
    where p.id = p_partition_id and p.head > v_upto and exists (select from moved m where m.over);
end
$$;

-- remove_idle_partitions_v1(days, limit) → queue_name, removed
-- Removes up to p_limit partitions that hold no message and got none for so many days, with the cursors of their groups,
-- and tells how many of each queue. `Default` stays: configure answers with its id.
-- A later push makes the partition anew, with another id and an empty order; a group starts there by its subscription or
-- at the beginning, and everything pushed then is newer than either: nothing is skipped, and nothing comes twice.
-- A partition under a live lease is left alone.
-- Locks  an advisory lock for the transaction, so that one server at a time removes; partitions by id, skipping those
--        that others hold; then the rows of their groups.
create or replace function queen.remove_idle_partitions_v1(p_days integer, p_limit integer)
returns table (queue_name text, removed bigint)
language plpgsql
as $$
begin
    if not pg_try_advisory_xact_lock(hashtext('queen.remove_idle_partitions')) then
        return;
    end if;
    return query
    with idle as (
        select p.id
        from queen.partitions p
        where p.removed >= p.head
          and p.name <> 'Default'
          and coalesce(p.last_push_at, p.created_at) < now() - make_interval(days => p_days)
          and not exists (select from queen.messages m where m.partition_id = p.id)
          and not exists (
              select from queen.partition_consumers c where c.partition_id = p.id and c.lease_expires_at > now())
        order by p.id
        limit p_limit
        for update skip locked
    ), gone as (
        delete from queen.partitions p
        using idle i
        where p.id = i.id
        returning p.queue_id
    )
    select q.name, count(*)
    from gone g
    join queen.queues q on q.id = g.queue_id
    group by q.name;
end
$$;

-- prune_metrics_v1(days, limit) → rows removed
-- Removes up to p_limit rows each of minute buckets and retention history older than so many days; oldest first, in small
-- portions, as everything that is removed in the background.
create or replace function queen.prune_metrics_v1(p_days integer, p_limit integer) returns bigint
language plpgsql
as $$
declare
    v_before  timestamptz := now() - make_interval(days => p_days);
    v_buckets bigint;
    v_history bigint;
begin
    if not pg_try_advisory_xact_lock(hashtext('queen.prune_metrics')) then
        return 0;
    end if;
    delete from queen.metric_buckets b
    where b.ctid = any (array(
        select o.ctid from queen.metric_buckets o where o.bucket < v_before order by o.bucket limit p_limit));
    get diagnostics v_buckets = row_count;
    delete from queen.retention_history h
    where h.ctid = any (array(
        select o.ctid from queen.retention_history o where o.executed_at < v_before order by o.executed_at limit p_limit));
    get diagnostics v_history = row_count;
    return v_buckets + v_history;
end
$$;
