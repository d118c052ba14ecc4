-- list_messages_v1(filters, limit, offset, brief) → JSON
-- Messages without their payloads, the newest first; filters and costs as in find_messages_v1.
--
-- Gives  messages, total, totalEstimated (total may be too high), mode, pagination. With p_brief the messages alone, as
--        an array.
--        mode: how the partitions of the filter are consumed: by __QUEUE_MODE__ ('queue'), by named groups ('bus'), by
--        both ('hybrid') or by nobody yet ('none').
create function queen.list_messages_v1(
    p_queue text, p_partition text, p_namespace text, p_task text, p_status text, p_group text,
    p_from timestamptz, p_to timestamptz, p_limit integer, p_offset integer, p_brief boolean) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set work_mem = '32MB'
set jit = off
as $$
declare
    v_found    record;
    v_messages json;
    v_queue    boolean;
    v_groups   bigint;
begin
    select * into v_found
    from queen.find_messages_v1(
        p_queue, p_partition, p_namespace, p_task, p_status, p_group, p_from, p_to, p_limit, p_offset);

    select coalesce(json_agg(json_build_object(
        'id', m.id, 'transactionId', m.transaction_id, 'partitionId', m.partition_id,
        'queuePath', q.name || '/' || p.name, 'queue', q.name, 'partition', p.name,
        'namespace', q.namespace, 'task', q.task, 'status', s.status, 'queueStatus', s.queue_status,
        'busStatus', json_build_object('consumedBy', s.consumed_by, 'totalGroups', s.total_groups),
        'traceId', m.trace_id, 'producerSub', m.producer_sub, 'queuePriority', q.priority,
        'createdAt', queen.iso_time(m.created_at), 'leaseExpiresAt', queen.iso_time(s.lease_expires_at)
    ) order by f.ord), '[]')
    into v_messages
    from unnest(v_found.partition_ids, v_found.seqs) with ordinality f (partition_id, seq, ord)
    join queen.messages m on m.partition_id = f.partition_id and m.seq = f.seq
    join queen.partitions p on p.id = m.partition_id
    join queen.queues q on q.id = p.queue_id
    cross join lateral queen.message_standing_v1(m.partition_id, m.seq, p_group) s;
    if p_brief then
        return v_messages;
    end if;

    select coalesce(bool_or(c.consumer_group = '__QUEUE_MODE__'), false),
           count(*) filter (where c.consumer_group <> '__QUEUE_MODE__')
    into v_queue, v_groups
    from (
        select c.consumer_group
        from queen.partition_consumers c
        join queen.partitions p on p.id = c.partition_id
        join queen.queues q on q.id = p.queue_id
        where (p_queue is null or q.name = p_queue) and (p_partition is null or p.name = p_partition)
          and (p_namespace is null or q.namespace = p_namespace) and (p_task is null or q.task = p_task)
        group by c.consumer_group
    ) c;
    return json_build_object(
        'messages', v_messages, 'total', v_found.total, 'totalEstimated', v_found.estimated,
        'mode', json_build_object('hasQueueMode', v_queue, 'busGroupsCount', v_groups, 'type', case
            when v_queue and v_groups > 0 then 'hybrid' when v_queue then 'queue' when v_groups > 0 then 'bus'
            else 'none' end),
        'pagination', json_build_object('limit', p_limit, 'offset', p_offset));
end
$$;
