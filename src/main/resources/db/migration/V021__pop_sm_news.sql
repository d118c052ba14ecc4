-- pop_sm_sift(group, partitions) → those that have messages for the group
-- What pop_sm_news asks of the partitions it found, and a server of those it remembers: others may have consumed them, so
-- after a few that turn out to be empty it has the rest looked at in one call.
--
-- Gives  ids, due_ms as pop_sm_sweep. No lock is taken: the lease decides.
create function queen.pop_sm_sift(p_consumer_group text, p_ids uuid[], out ids uuid[], out due_ms bigint[])
language sql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
    with news as (
        select p.id, ceil(extract(epoch from greatest(c.lease_expires_at, c.retry_at, now(),
                   case when (q.window_buffer > 0 or q.delayed_processing > 0) and c.redriven = 0 then queen.pop_sm_due(
                       p.id, greatest(c.cursor, p.tail), p.last_push_at, q.window_buffer, q.delayed_processing)
                   end) - now()) * 1000)::bigint as due_ms
        from unnest(p_ids) u (id)
        cross join lateral (select p.* from queen.partitions p where p.id = u.id limit 1) p
        cross join lateral (select q.* from queen.queues q where q.id = p.queue_id limit 1) q
        cross join lateral queen.pop_sm_standing(q.name, p.id, p.name, p.head, p.last_push_at, p_consumer_group) c
        where p.head > greatest(c.cursor, p.tail) or c.redriven > 0
    )
    select (select array_agg(n.id) from news n), (select array_agg(n.due_ms) from news n)
$$;

-- pop_sm_news(queue, group, since) → partitions that got news
-- What the push log tells since the last look: the partitions pushed to, or given back before their lease ran out, by any
-- server or by SQL, that have messages after the group's cursor. Costs what was pushed since, however many partitions the queue has.
--
-- Takes  p_since  the mark of the last look
-- Gives  ids, due_ms and mark as pop_sm_sweep
create function queen.pop_sm_news(
    p_queue_name text, p_consumer_group text, p_since text, out ids uuid[], out due_ms bigint[], out mark text)
language sql stable
as $$
    select s.ids, s.due_ms, pg_snapshot_xmin(pg_current_snapshot())::text
    from queen.pop_sm_sift(p_consumer_group, array(
        select distinct u.id
        from queen.push_log l
        cross join lateral unnest(l.partition_ids) u (id)
        where l.queue_id = (select q.id from queen.queues q where q.name = p_queue_name)
          and l.xid >= p_since::xid8)) s
$$;
