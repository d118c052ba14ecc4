-- pop_sm_due(partition, cursor, last push, window, delay) → time
-- When the window of a partition closes or the message after the cursor has waited its delay, whichever is later; null
-- when the queue has neither.
create function queen.pop_sm_due(
    p_partition_id uuid, p_cursor bigint, p_last_push_at timestamptz, p_window_buffer integer, p_delayed_processing integer)
returns timestamptz
language sql stable
as $$
    select greatest(
        case when p_window_buffer > 0 then p_last_push_at + make_interval(secs => p_window_buffer) end,
        case when p_delayed_processing > 0 then (
            select m.created_at + make_interval(secs => p_delayed_processing)
            from queen.messages m
            where m.partition_id = p_partition_id and m.seq > p_cursor
            order by m.seq
            limit 1) end)
$$;

-- pop_sm_sweep(queue, group, after, limit) → news of the next partitions in name order, and where to go on
-- How a server learns which partitions of a queue have messages for a group: it walks over them once, in steps of
-- p_limit partitions, and hears of later news from the push log.
--
-- Takes  p_after     the name after which to go on, null to begin
-- Gives  ids         the partitions of this step with messages after the group's cursor
--        due_ms      milliseconds until each can be popped: 0, or the rest of its lease, retry delay, window or delay
--        last_name   where the next step goes on; null when all partitions have been seen
--        mark        everything committed below this transaction id was visible to this call
create function queen.pop_sm_sweep(
    p_queue_name text, p_consumer_group text, p_after text, p_limit integer,
    out ids uuid[], out due_ms bigint[], out last_name text, out mark text)
language sql stable
as $$
    with step as (
        select p.id, p.name, p.head, p.tail, p.queue_id, p.last_push_at
        from queen.partitions p
        where p.queue_id = (select q.id from queen.queues q where q.name = p_queue_name)
          and p.name >= coalesce(p_after, '') and p.name is distinct from p_after
        order by p.name
        limit p_limit
    ), news as (
        select s.id, ceil(extract(epoch from greatest(c.lease_expires_at, c.retry_at, now(),
                   case when (q.window_buffer > 0 or q.delayed_processing > 0) and c.redriven = 0 then queen.pop_sm_due(
                       s.id, greatest(c.cursor, s.tail), s.last_push_at, q.window_buffer, q.delayed_processing)
                   end) - now()) * 1000)::bigint as due_ms
        from step s
        cross join lateral (select q.* from queen.queues q where q.id = s.queue_id limit 1) q
        cross join lateral queen.pop_sm_standing(p_queue_name, s.id, s.name, s.head, s.last_push_at, p_consumer_group) c
        where s.head > greatest(c.cursor, s.tail) or c.redriven > 0
    )
    select (select array_agg(n.id) from news n), (select array_agg(n.due_ms) from news n),
           (select max(s.name) from step s having count(*) = p_limit),
           pg_snapshot_xmin(pg_current_snapshot())::text
$$;
