-- due_partitions_v1(kind, queue, after, limit) → partitions with messages due for removal, and where to go on
-- Looks at the next p_limit partitions of a queue in name order: one look at the oldest message of each that holds any.
--
-- Takes  p_kind   retention, completed or eviction, see expired_range_v1
--        p_after  the name after which to go on, null to begin
-- Gives  ids        the partitions of this step that have something due
--        last_name  where the next step goes on; null when all have been seen
-- Locks  nothing.
create function queen.due_partitions_v1(
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
          and (select m.created_at
               from queen.messages m
               where m.partition_id = s.id
                 and m.seq > case p_kind when 'eviction' then greatest(s.tail, coalesce(g.slowest, 0)) else s.tail end
               order by m.seq
               limit 1) < now() - make_interval(secs => s.seconds)
    )
    select (select array_agg(d.id) from due d), (select max(s.name) from step s having count(*) = p_limit)
$$;
