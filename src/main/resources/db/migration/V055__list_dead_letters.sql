-- matching_dead_letters_v1(queue, partition, group, from, to) → dead letters
-- Those of a queue, a partition (by name), a group, and a span of failed_at, both ends included; null for any.
create function queen.matching_dead_letters_v1(
    p_queue text, p_partition text, p_group text, p_from timestamptz, p_to timestamptz) returns setof queen.dead_letters
language sql stable
as $$
    select d.*
    from queen.dead_letters d
    join queen.partitions p on p.id = d.partition_id
    join queen.queues q on q.id = p.queue_id
    where (p_queue is null or q.name = p_queue)
      and (p_partition is null or p.name = p_partition)
      and (p_group is null or d.consumer_group = p_group)
      and (p_from is null or d.failed_at >= p_from)
      and (p_to is null or d.failed_at <= p_to)
$$;

-- list_dead_letters_v1(filters, limit, offset) → total, letter, payload, is_encrypted
-- A page of dead letters, the newest failure first. One row each: letter is a JSON object without the payload, which is
-- given as it is stored; null when the message is gone. The first row is not a dead letter: it has the number of all
-- that match as total, and nulls.
create function queen.list_dead_letters_v1(
    p_queue text, p_partition text, p_group text, p_from timestamptz, p_to timestamptz, p_limit integer, p_offset integer)
returns table (total bigint, letter json, payload text, is_encrypted boolean)
language plpgsql stable
set plan_cache_mode = force_custom_plan
set jit = off
as $$
begin
    return query
    select count(*), null::json, null::text, null::boolean
    from queen.matching_dead_letters_v1(p_queue, p_partition, p_group, p_from, p_to);

    return query
    select null::bigint,
           json_build_object(
               'id', d.message_id, 'transactionId', d.transaction_id, 'partitionId', d.partition_id,
               'queue', q.name, 'partition', p.name, 'consumerGroup', d.consumer_group,
               'errorMessage', d.error_message, 'retryCount', d.retry_count, 'traceId', m.trace_id,
               'producerSub', m.producer_sub, 'createdAt', queen.iso_time(m.created_at),
               'failedAt', queen.iso_time(d.failed_at)),
           m.payload, m.is_encrypted
    from (
        select d.*
        from queen.matching_dead_letters_v1(p_queue, p_partition, p_group, p_from, p_to) d
        order by d.failed_at desc, d.id
        limit p_limit offset p_offset
    ) d
    join queen.partitions p on p.id = d.partition_id
    join queen.queues q on q.id = p.queue_id
    left join queen.messages m on m.partition_id = d.partition_id and m.seq = d.seq
    order by d.failed_at desc, d.id;
end
$$;
