-- list_labels_v1(kind, limit, offset) → JSON
-- The namespaces or the tasks ('namespace', 'task') that queues have, by name, with their counters; pending includes what
-- is being processed. Queues without one are left out. total is the number of all names.
create function queen.list_labels_v1(p_kind text, p_limit integer, p_offset integer) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set work_mem = '32MB'
set jit = off
as $$
declare
    v_labels text[];
    v_ids    uuid[];
    v_total  bigint;
begin
    select count(distinct case p_kind when 'task' then q.task else q.namespace end) into v_total
    from queen.queues q
    where case p_kind when 'task' then q.task else q.namespace end <> '';

    select array_agg(l.label) into v_labels
    from (
        select distinct case p_kind when 'task' then q.task else q.namespace end as label
        from queen.queues q
        where case p_kind when 'task' then q.task else q.namespace end <> ''
        order by label
        limit p_limit offset p_offset
    ) l;
    select array_agg(q.id) into v_ids
    from queen.queues q
    where case p_kind when 'task' then q.task else q.namespace end = any (v_labels);

    return json_build_object(p_kind || 's', (
        select coalesce(json_agg(json_build_object(
            p_kind, l.label, 'name', l.label, 'queues', l.queues, 'queueCount', l.queues, 'partitions', l.partitions,
            'messages', json_build_object('total', l.total, 'pending', l.pending, 'estimated', l.estimated)
        ) order by l.label), '[]')
        from (
            select case p_kind when 'task' then q.task else q.namespace end as label, count(*) as queues,
                   sum(d.partitions)::bigint as partitions, sum(d.total)::bigint as total,
                   sum(d.pending + d.processing)::bigint as pending, bool_or(d.estimated) as estimated
            from queen.queue_depths_v1(v_ids) d
            join queen.queues q on q.id = d.queue_id
            group by label
        ) l),
        'total', v_total, 'pagination', json_build_object('limit', p_limit, 'offset', p_offset));
end
$$;
