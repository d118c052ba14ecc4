-- Which partitions have something for a group, for pops of any partition: what changed since a server last asked, read
-- from the push log, or a walk over all partitions.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- changes_since_v1(queue, group, mark, after, limit) → partitions with messages
-- What a server asks before it answers a pop of any partition: the changes since its mark (push_log_since_v1), or, when it
-- has no mark that can be trusted, the next page of a scan over all partitions (scan_page_v1). No scan is needed where
-- there is a clear mark: the changes since then are all there is. Mark and changes are read by one statement, because marks
-- go together with their log.
-- Marks are `life:transaction id` here. A mark of an earlier life of the database is answered with nulls: the server has
-- to scan.
create or replace function queen.changes_since_v1(
    p_queue_name text, p_consumer_group text, p_mark text, p_after text, p_limit integer,
    out ids uuid[], out due_ms bigint[], out last_name text, out mark text)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_life text := queen.push_log_life_v1();
begin
    if p_mark is null and p_after is null then
        select n.ids, n.due_ms, n.mark into ids, due_ms, mark
        from (
            select m.xid::text as since from queen.clear_marks m
            where m.queue_id = (select q.id from queen.queues q where q.name = p_queue_name)
              and m.consumer_group = p_consumer_group and m.life = v_life
            order by m.xid desc
            limit 1
        ) m
        cross join lateral queen.push_log_since_v1(p_queue_name, p_consumer_group, m.since) n;
    end if;
    if mark is not null then
        null;
    elsif p_mark is null then
        select s.ids, s.due_ms, s.last_name, s.mark into ids, due_ms, last_name, mark
        from queen.scan_page_v1(p_queue_name, p_consumer_group, p_after, p_limit) s;
    elsif split_part(p_mark, ':', 1) = v_life then
        select n.ids, n.due_ms, n.mark into ids, due_ms, mark
        from queen.push_log_since_v1(p_queue_name, p_consumer_group, split_part(p_mark, ':', 2)) n;
    end if;
    mark := v_life || ':' || mark;
end
$$;

-- push_log_since_v1(queue, group, since) → partitions with messages
-- What the push log tells since the last call: the partitions pushed to, or given back before their lease ran out, by any
-- server or by SQL, that have messages after the group's cursor. Costs what was pushed since, however many partitions the
-- queue has.
--
-- Takes  p_since  the mark that the last call gave
-- Gives  ids, due_ms and mark as scan_page_v1
--
-- In PL/pgSQL, as the two that follow: a function in SQL that gives one row is planned anew at each call, which took half a
-- millisecond of an empty pop.
create or replace function queen.push_log_since_v1(
    p_queue_name text, p_consumer_group text, p_since text, out ids uuid[], out due_ms bigint[], out mark text)
language plpgsql stable
as $$
begin
    select s.ids, s.due_ms, pg_snapshot_xmin(pg_current_snapshot())::text into ids, due_ms, mark
    from queen.check_partitions_v1(p_consumer_group, array(
        select distinct u.id
        from queen.push_log l
        cross join lateral unnest(l.partition_ids) u (id)
        where l.queue_id = (select q.id from queen.queues q where q.name = p_queue_name)
          and l.xid >= p_since::xid8)) s;
end
$$;

-- check_partitions_v1(group, partitions) → those that have messages for the group
-- What push_log_since_v1 asks of the partitions it found, and a server of those it remembers: others may have consumed
-- them, so after a few that turn out to be empty it has the rest checked in one call.
--
-- Gives  ids, due_ms as scan_page_v1. No lock is taken: the lease decides.
create or replace function queen.check_partitions_v1(p_consumer_group text, p_ids uuid[], out ids uuid[], out due_ms bigint[])
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
begin
    with news as (
        select p.id, ceil(extract(epoch from greatest(c.lease_expires_at, c.retry_at, now(),
                   case when (q.window_buffer > 0 or q.delayed_processing > 0 or p.delayed_until > now()) and c.redriven = 0
                       then queen.available_at_v1(p.id, greatest(c.cursor, p.tail), p.last_push_at, q.window_buffer,
                           q.delayed_processing, p.delayed_until)
                   end) - now()) * 1000)::bigint as due_ms
        from unnest(p_ids) u (id)
        cross join lateral (select p.* from queen.partitions p where p.id = u.id limit 1) p
        cross join lateral (select q.* from queen.queues q where q.id = p.queue_id limit 1) q
        cross join lateral queen.pop_sm_standing(q.name, p.id, p.name, p.head, p.last_push_at, p_consumer_group) c
        where p.head > greatest(c.cursor, p.tail) or c.redriven > 0
    )
    select (select array_agg(n.id) from news n), (select array_agg(n.due_ms) from news n) into ids, due_ms;
end
$$;

-- scan_page_v1(queue, group, after, limit) → the partitions with messages among the next in name order, and where to go on
-- How a server learns which partitions of a queue have messages for a group: it scans them once, in pages of p_limit
-- partitions, and hears of later changes from the push log.
--
-- Takes  p_after     the name after which to go on, null to begin
-- Gives  ids         the partitions of this page with messages after the group's cursor
--        due_ms      milliseconds until each can be popped: 0, or the rest of its lease, retry delay, window or delay
--        last_name   where the next page goes on; null when all partitions have been seen
--        mark        everything committed below this transaction id was visible to this call
create or replace function queen.scan_page_v1(
    p_queue_name text, p_consumer_group text, p_after text, p_limit integer,
    out ids uuid[], out due_ms bigint[], out last_name text, out mark text)
language plpgsql stable
as $$
begin
    with page as (
        select p.id, p.name, p.head, p.tail, p.queue_id, p.last_push_at, p.delayed_until
        from queen.partitions p
        where p.queue_id = (select q.id from queen.queues q where q.name = p_queue_name)
          and p.name >= coalesce(p_after, '') and p.name is distinct from p_after
        order by p.name
        limit p_limit
    ), news as (
        select s.id, ceil(extract(epoch from greatest(c.lease_expires_at, c.retry_at, now(),
                   case when (q.window_buffer > 0 or q.delayed_processing > 0 or s.delayed_until > now()) and c.redriven = 0
                       then queen.available_at_v1(s.id, greatest(c.cursor, s.tail), s.last_push_at, q.window_buffer,
                           q.delayed_processing, s.delayed_until)
                   end) - now()) * 1000)::bigint as due_ms
        from page s
        cross join lateral (select q.* from queen.queues q where q.id = s.queue_id limit 1) q
        cross join lateral queen.pop_sm_standing(p_queue_name, s.id, s.name, s.head, s.last_push_at, p_consumer_group) c
        where s.head > s.tail and (s.head > c.cursor or c.redriven > 0)
    )
    select (select array_agg(n.id) from news n), (select array_agg(n.due_ms) from news n),
           (select max(s.name) from page s having count(*) = p_limit),
           pg_snapshot_xmin(pg_current_snapshot())::text
    into ids, due_ms, last_name, mark;
end
$$;

-- available_at_v1(partition, cursor, last push, window, delay, delayed until) → time
-- When the window of a partition closes or the message after the cursor is due (due_at_v1), whichever is later; null when
-- neither the queue nor the message says.
create or replace function queen.available_at_v1(
    p_partition_id uuid, p_cursor bigint, p_last_push_at timestamptz, p_window_buffer integer, p_delayed_processing integer,
    p_delayed_until timestamptz)
returns timestamptz
language sql stable
as $$
    select greatest(
        case when p_window_buffer > 0 then p_last_push_at + make_interval(secs => p_window_buffer) end,
        case when p_delayed_processing > 0 or p_delayed_until > now() then (
            select queen.due_at_v1(m.created_at, m.deliver_at, p_delayed_processing)
            from queen.messages m
            where m.partition_id = p_partition_id and m.seq > p_cursor
            order by m.seq
            limit 1) end)
$$;

-- push_log_life_v1() → text
-- The name of this life of the database, made up when there is none: it begins anew after a crash or a failover. A mark
-- of the push log is good in the life it was given in, `life:transaction id`; another life may have given out the same
-- ids again.
create or replace function queen.push_log_life_v1() returns text
language plpgsql
as $$
declare
    v_id uuid;
begin
    loop
        select l.id into v_id from queen.push_log_life l where l.single;
        if found then
            return v_id::text;
        end if;
        insert into queen.push_log_life default values on conflict do nothing;
    end loop;
end
$$;

-- trim_push_log_v1(before) → rows removed, mark
-- Removes what the push log holds of transactions before p_before (null: nothing), and gives the mark of now: the oldest
-- transaction still running. A server that calls it every so often with the mark it was given a minute ago keeps
-- everything that any server may still ask for, also of transactions that stay open for long.
-- Marks are `life:transaction id`; one of an earlier life of the database removes nothing.
-- Shared leases that no partition is held under any more go here too, a minute after they were taken: pops make them as
-- fast as pushes make log rows, 13 million a day at 150 pops a second.
-- Clear marks go with what they need of the log, in one transaction.
-- One at a time: who finds another at it leaves it alone.
create or replace function queen.trim_push_log_v1(p_before text, out removed bigint, out mark text)
language plpgsql
as $$
declare
    v_life text := queen.push_log_life_v1();
begin
    removed := 0;
    if split_part(p_before, ':', 1) = v_life and pg_try_advisory_xact_lock(hashtext('queen.trim_push_log')) then
        delete from queen.clear_marks m where m.life <> v_life or m.xid < split_part(p_before, ':', 2)::xid8;
        delete from queen.push_log l where l.xid < split_part(p_before, ':', 2)::xid8;
        get diagnostics removed = row_count;
        delete from queen.shared_leases s
        where s.created_at < now() - interval '1 minute'
          and not exists (
              select from unnest(s.partition_ids) u (id)
              cross join lateral (
                  select from queen.partition_consumers c where c.partition_id = u.id and c.lease_id = s.lease_id limit 1) c);
    end if;
    mark := v_life || ':' || pg_snapshot_xmin(pg_current_snapshot());
end
$$;

-- announce_partitions_v1(queue names, from)
-- Tells every server by the push log that the partitions of these queues that hold messages of that time or later may have
-- news for some group: because its subscription was moved or removed, and begins earlier now. A thousand partitions a row.
create or replace function queen.announce_partitions_v1(p_queue_names text[], p_from timestamptz) returns void
language sql
as $$
    insert into queen.push_log (queue_id, partition_ids)
    select n.queue_id, array_agg(n.id)
    from (
        select p.queue_id, p.id, row_number() over (partition by p.queue_id) / 1000 as portion
        from queen.partitions p
        where p.queue_id in (select q.id from queen.queues q where q.name = any (p_queue_names))
          and p.head > p.tail
          and (p_from is null or p.last_push_at >= p_from)
    ) n
    group by n.queue_id, n.portion
$$;
