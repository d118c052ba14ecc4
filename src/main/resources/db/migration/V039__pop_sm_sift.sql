-- pop_sm_sift(group, partitions) → those that have messages for the group
-- A server remembers which partitions have news, but others may have consumed them: after a few that turn out to be
-- empty it has the rest looked at in one call.
--
-- Gives  ids, due_ms as pop_sm_sweep. No lock is taken: the lease decides.
create function queen.pop_sm_sift(p_consumer_group text, p_ids uuid[], out ids uuid[], out due_ms bigint[])
language sql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
    with news as (
        select p.id, ceil(extract(epoch from greatest(c.lease_expires_at, c.retry_at, now(),
                   case when q.window_buffer > 0 or q.delayed_processing > 0 then queen.pop_sm_due(
                       p.id, greatest(coalesce(c.cursor, 0), p.tail), p.last_push_at, q.window_buffer, q.delayed_processing)
                   end) - now()) * 1000)::bigint as due_ms
        from unnest(p_ids) u (id)
        cross join lateral (select p.* from queen.partitions p where p.id = u.id limit 1) p
        cross join lateral (select q.* from queen.queues q where q.id = p.queue_id limit 1) q
        left join lateral (
            select c.* from queen.partition_consumers c
            where c.partition_id = p.id and c.consumer_group = p_consumer_group limit 1
        ) c on true
        where p.head > greatest(coalesce(c.cursor, 0), p.tail)
    )
    select (select array_agg(n.id) from news n), (select array_agg(n.due_ms) from news n)
$$;
