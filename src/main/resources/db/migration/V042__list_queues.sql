-- list_queues_v1(namespace, task, limit, offset, with processing) → JSON
-- Queues with their settings and counters, the newest first; null is any namespace or task. Only the queues of the page
-- are counted.
--
-- Takes  p_with_processing  pending includes what is being processed, as the status routes have it
-- Gives  queues, total (all that match), pagination.
create function queen.list_queues_v1(
    p_namespace text, p_task text, p_limit integer, p_offset integer, p_with_processing boolean) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set work_mem = '32MB'
set jit = off
as $$
declare
    v_ids   uuid[];
    v_total bigint;
begin
    select count(*) into v_total
    from queen.queues q
    where (p_namespace is null or q.namespace = p_namespace) and (p_task is null or q.task = p_task);

    select array_agg(q.id) into v_ids
    from (
        select q.id
        from queen.queues q
        where (p_namespace is null or q.namespace = p_namespace) and (p_task is null or q.task = p_task)
        order by q.created_at desc, q.id
        limit p_limit offset p_offset
    ) q;

    return json_build_object('queues', (
        select coalesce(json_agg(json_build_object(
            'id', q.id, 'name', q.name, 'namespace', q.namespace, 'task', q.task,
            'createdAt', queen.iso_time(q.created_at),
            'partitions', d.partitions, 'partitionCount', d.partitions,
            'messages', queen.message_counts_v1(
                d.total, d.pending, d.processing, d.dead_letter, d.estimated)::jsonb
                || case when p_with_processing
                       then jsonb_build_object('pending', d.pending + d.processing) else '{}' end,
            'priority', q.priority, 'leaseTime', q.lease_time, 'retryLimit', q.retry_limit, 'maxSize', q.max_size,
            'encryptionEnabled', q.encryption_enabled,
            'paused', exists (select from queen.pauses z where z.queue_id = q.id and z.consumer_group = '')
        ) order by q.created_at desc, q.id), '[]')
        from queen.queue_depths_v1(v_ids) d
        join queen.queues q on q.id = d.queue_id),
        'total', v_total, 'pagination', json_build_object('limit', p_limit, 'offset', p_offset));
end
$$;
