-- partition_page_v1(queues, limit, offset) → JSON array
-- Partitions with their counters, by name (by queue name first when there are several queues). Only those of the page are
-- counted and looked into.
--
-- Gives  id, name, queue, createdAt, stats and messages (the same counters), cursor (what all groups together consumed),
--        lastActivity (the last push or pop), oldestMessage and newestMessage (times of the messages stored).
create function queen.partition_page_v1(p_queue_ids uuid[], p_limit integer, p_offset integer) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
    v_ids uuid[];
begin
    if cardinality(p_queue_ids) = 1 then
        -- In the order of the index: what lies behind the page is not read.
        select array_agg(p.id) into v_ids
        from (
            select p.id from queen.partitions p
            where p.queue_id = p_queue_ids[1]
            order by p.name
            limit p_limit offset p_offset
        ) p;
    else
        select array_agg(p.id) into v_ids
        from (
            select p.id
            from queen.partitions p
            join queen.queues q on q.id = p.queue_id
            where p.queue_id = any (p_queue_ids)
            order by q.name, p.name
            limit p_limit offset p_offset
        ) p;
    end if;

    return (
        select coalesce(json_agg(json_build_object(
            'id', p.id, 'name', p.name, 'queue', q.name, 'createdAt', queen.iso_time(p.created_at),
            'stats', s.counts, 'messages', s.counts,
            'cursor', json_build_object('totalConsumed', c.consumed, 'batchesConsumed', c.batches),
            'lastActivity', queen.iso_time(greatest(p.last_push_at, c.last_consumed_at)),
            'oldestMessage', queen.iso_time(o.created_at), 'newestMessage', queen.iso_time(n.created_at)
        ) order by q.name, p.name), '[]')
        from queen.partition_depths_v1(p_queue_ids, coalesce(v_ids, '{}')) d
        join queen.partitions p on p.id = d.partition_id
        join queen.queues q on q.id = p.queue_id
        cross join lateral (
            select count(distinct l.seq) as n from queen.dead_letters l where l.partition_id = p.id
        ) l
        cross join lateral (
            select queen.message_counts_v1(d.total, d.pending, d.processing, l.n, d.estimated) as counts
        ) s
        cross join lateral (
            select coalesce(sum(c.total_consumed), 0)::bigint as consumed, coalesce(sum(c.total_batches), 0)::bigint as batches,
                   max(c.last_consumed_at) as last_consumed_at
            from queen.partition_consumers c
            where c.partition_id = p.id
        ) c
        left join lateral (
            select m.created_at from queen.messages m
            where m.partition_id = p.id and m.seq > p.tail order by m.seq limit 1
        ) o on true
        left join lateral (
            select m.created_at from queen.messages m
            where m.partition_id = p.id and m.seq > p.tail order by m.seq desc limit 1
        ) n on true);
end
$$;
