-- queue_status_v1(name, limit, offset) → JSON, null when there is no such queue
-- What queue_detail_v1 tells, in the shape of the status routes.
create function queen.queue_status_v1(p_name text, p_limit integer, p_offset integer) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set work_mem = '32MB'
set jit = off
as $$
declare
    v_id uuid[] := (select array_agg(q.id) from queen.queues q where q.name = p_name);
begin
    return (select json_build_object(
        'queue', json_build_object(
            'id', q.id, 'name', q.name, 'namespace', q.namespace, 'task', q.task, 'priority', q.priority,
            'createdAt', queen.iso_time(q.created_at),
            'paused', exists (select from queen.pauses z where z.queue_id = q.id and z.consumer_group = ''),
            'config', json_build_object(
                'leaseTime', q.lease_time, 'retryLimit', q.retry_limit, 'retryDelay', q.retry_delay, 'ttl', q.ttl,
                'maxQueueSize', q.max_size, 'deadLetterQueue', q.dead_letter_queue)),
        'partitions', queen.partition_page_v1(v_id, p_limit, p_offset),
        'totals', jsonb_build_object('messages', c.counts) || c.counts,
        'total', d.partitions, 'pagination', json_build_object('limit', p_limit, 'offset', p_offset))
    from queen.queues q
    cross join lateral queen.queue_depths_v1(v_id) d
    cross join lateral (
        select queen.message_counts_v1(d.total, d.pending, d.processing, d.dead_letter, d.estimated)::jsonb as counts
    ) c
    where q.id = any (v_id));
end
$$;
