-- message_detail_v1(partition, transaction id) → detail, payload, is_encrypted; nulls when there is no such message
-- All that is known of a message: detail is a JSON object without the payload, which is given as it is stored.
-- errorMessage and retryCount are those of its last dead letter.
create function queen.message_detail_v1(
    p_partition_id uuid, p_transaction_id text, out detail json, out payload text, out is_encrypted boolean)
language sql stable
as $$
    select json_build_object(
        'id', m.id, 'transactionId', m.transaction_id, 'partitionId', m.partition_id,
        'queuePath', q.name || '/' || p.name, 'queue', q.name, 'partition', p.name,
        'namespace', q.namespace, 'task', q.task, 'status', s.status, 'queueStatus', s.queue_status,
        'busStatus', json_build_object('consumedBy', s.consumed_by, 'totalGroups', s.total_groups),
        'isEncrypted', m.is_encrypted, 'traceId', m.trace_id, 'producerSub', m.producer_sub,
        'createdAt', queen.iso_time(m.created_at), 'errorMessage', d.error_message, 'retryCount', d.retry_count,
        'leaseExpiresAt', queen.iso_time(s.lease_expires_at),
        'queueConfig', json_build_object(
            'leaseTime', q.lease_time, 'retryLimit', q.retry_limit, 'retryDelay', q.retry_delay, 'ttl', q.ttl,
            'priority', q.priority),
        'mode', json_build_object(
            'hasQueueMode', s.queue_mode, 'busGroupsCount', s.total_groups, 'consumedByGroups', s.consumed_by,
            'type', case when s.queue_mode and s.total_groups > 0 then 'hybrid' when s.queue_mode then 'queue'
                when s.total_groups > 0 then 'bus' else 'none' end),
        'consumerGroups', (
            select coalesce(json_agg(json_build_object(
                'name', c.consumer_group, 'consumed', c.cursor >= m.seq and r.seq is null,
                'leaseExpiresAt', case when c.lease_expires_at > now() and case when r.seq is not null
                        then r.lease_id = c.lease_id else c.cursor < m.seq and c.lease_last_seq >= m.seq end
                    then queen.iso_time(c.lease_expires_at) end
            ) order by c.consumer_group), '[]')
            from queen.partition_consumers c
            left join queen.redriven r on c.redriven > 0 and r.partition_id = c.partition_id
                and r.consumer_group = c.consumer_group and r.seq = m.seq
            where c.partition_id = m.partition_id)),
        m.payload, m.is_encrypted
    from queen.messages m
    join queen.partitions p on p.id = m.partition_id
    join queen.queues q on q.id = p.queue_id
    cross join lateral queen.message_standing_v1(m.partition_id, m.seq, null) s
    left join lateral (
        select d.error_message, d.retry_count
        from queen.dead_letters d
        where d.partition_id = m.partition_id and d.seq = m.seq
        order by d.failed_at desc, d.id
        limit 1
    ) d on true
    where m.partition_id = p_partition_id and m.transaction_id = p_transaction_id
$$;
