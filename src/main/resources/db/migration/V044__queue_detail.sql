-- queue_detail_v1(name, limit, offset) → JSON, null when there is no such queue
-- A queue with its settings, the counters of the whole queue (totals) and a page of its partitions, by name. total and
-- partitionCount are the number of all its partitions.
create function queen.queue_detail_v1(p_name text, p_limit integer, p_offset integer) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set work_mem = '32MB'
set jit = off
as $$
declare
    v_id uuid[] := (select array_agg(q.id) from queen.queues q where q.name = p_name);
begin
    return (select json_build_object(
        'id', q.id, 'name', q.name, 'namespace', q.namespace, 'task', q.task,
        'createdAt', queen.iso_time(q.created_at),
        'priority', q.priority, 'leaseTime', q.lease_time, 'retryLimit', q.retry_limit, 'maxSize', q.max_size,
        'encryptionEnabled', q.encryption_enabled,
        'paused', exists (select from queen.pauses z where z.queue_id = q.id and z.consumer_group = ''),
        'partitionCount', d.partitions,
        'partitions', queen.partition_page_v1(v_id, p_limit, p_offset),
        'totals', queen.message_counts_v1(d.total, d.pending, d.processing, d.dead_letter, d.estimated),
        'total', d.partitions, 'pagination', json_build_object('limit', p_limit, 'offset', p_offset))
    from queen.queues q
    cross join lateral queen.queue_depths_v1(v_id) d
    where q.id = any (v_id));
end
$$;
