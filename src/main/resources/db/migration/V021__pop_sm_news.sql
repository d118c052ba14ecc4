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
    with pushed as (
        select distinct u.id
        from queen.push_log l
        cross join lateral unnest(l.partition_ids) u (id)
        where l.queue_id = (select q.id from queen.queues q where q.name = p_queue_name)
          and l.xid >= p_since::xid8
    ), news as (
        select p.id, ceil(extract(epoch from greatest(c.lease_expires_at, c.retry_at, now(),
                   case when q.window_buffer > 0 or q.delayed_processing > 0 then queen.pop_sm_due(
                       p.id, greatest(coalesce(c.cursor, 0), p.tail), p.last_push_at, q.window_buffer, q.delayed_processing)
                   end) - now()) * 1000)::bigint as due_ms
        from pushed u
        cross join lateral (select p.* from queen.partitions p where p.id = u.id limit 1) p
        cross join lateral (select q.* from queen.queues q where q.id = p.queue_id limit 1) q
        left join lateral (
            select c.* from queen.partition_consumers c
            where c.partition_id = p.id and c.consumer_group = p_consumer_group limit 1
        ) c on true
        where p.head > greatest(coalesce(c.cursor, 0), p.tail)
    )
    select (select array_agg(n.id) from news n), (select array_agg(n.due_ms) from news n),
           pg_snapshot_xmin(pg_current_snapshot())::text
$$;
