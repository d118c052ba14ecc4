-- session_holder_v1() → text
-- Who holds what is leased by SQL: the session, by its address and the application_name it gave.
create function queen.session_holder_v1() returns text
language sql stable
as $$
    select rtrim(concat_ws(' ', coalesce(host(inet_client_addr()), 'local'), left(current_setting('application_name'), 100)))
$$;

-- pop_messages_v2(queue, partition, group, batch, lease seconds, mode, from) → {"messages": […], "leaseId": …}
-- A whole pop in one call, for consumers that speak only SQL, built from the same pieces as the server's.
--
--   select queen.pop_messages_v2('orders', p_consumer_group => 'billing', p_batch_size => 10);
--
-- p_partition_name null is any partition. p_lease_time_seconds 0 is the lease time of the queue. Subscription as over
-- HTTP: mode 'new', or p_subscription_from a time. Encrypted payloads are given as they are stored. While the queue or the
-- group is paused there are no messages, and "paused" is true.
create function queen.pop_messages_v2(
    p_queue_name         text,
    p_partition_name     text default null,
    p_consumer_group     text default '__QUEUE_MODE__',
    p_batch_size         integer default 10,
    p_lease_time_seconds integer default 0,
    p_subscription_mode  text default 'all',
    p_subscription_from  text default null
) returns jsonb
language plpgsql
as $$
declare
    v_start   timestamptz;
    v_ids     uuid[];
    v_claim   record;
    v_removed boolean;
begin
    if exists (
        select from queen.queues q
        join queen.pauses z on z.queue_id = q.id and z.consumer_group in (p_consumer_group, '')
        where q.name = p_queue_name
    ) then
        return jsonb_build_object('messages', '[]'::jsonb, 'leaseId', null, 'paused', true);
    end if;

    v_start := case when p_subscription_from = 'now' or (p_subscription_from is null and p_subscription_mode in ('new', 'new-only'))
                    then clock_timestamp() else p_subscription_from::timestamptz end;
    if v_start is not null and p_consumer_group <> '__QUEUE_MODE__' then
        perform queen.pop_sm_subscribe(p_queue_name, p_consumer_group, coalesce(p_partition_name, ''),
            case when p_subscription_from is null or p_subscription_from = 'now' then 'new' else 'timestamp' end, v_start);
    end if;

    if p_partition_name is null then
        select array_agg(r.partition_id) into v_ids from queen.pop_sm_resolve(p_queue_name, p_consumer_group, 10) r;
    else
        select array_agg(p.id) into v_ids
        from queen.queues q join queen.partitions p on p.queue_id = q.id
        where q.name = p_queue_name and p.name = p_partition_name;
    end if;

    if v_ids is null then
        return jsonb_build_object('messages', '[]'::jsonb, 'leaseId', null);
    end if;

    loop
        v_removed := false;
        for v_claim in
            with fresh as (select queen.uuid_v7() as id), taken as materialized (
                select t.*
                from fresh
                cross join lateral queen.pop_sm_take(array_fill(1, array[cardinality(v_ids)]), v_ids,
                    array_fill(p_consumer_group, array[cardinality(v_ids)]), array_fill(p_batch_size, array[cardinality(v_ids)]),
                    array_fill(1, array[cardinality(v_ids)]), array_fill(fresh.id, array[cardinality(v_ids)]),
                    array_fill(false, array[cardinality(v_ids)]), array_fill(v_start, array[cardinality(v_ids)]),
                    array_fill(queen.session_holder_v1(), array[cardinality(v_ids)]), false, 9223372036854775807) t
            )
            select c.*, v_ids[c.candidate] as partition_id, (
                select jsonb_agg(jsonb_build_object('id', m.id, 'transactionId', m.transaction_id, 'traceId', m.trace_id,
                    'data', m.payload::jsonb, 'producerSub', m.producer_sub, 'retryCount', c.retry_count,
                    'createdAt', to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                    'queue', c.queue_name, 'partition', c.partition_name, 'partitionId', v_ids[c.candidate],
                    'leaseId', c.lease_id, 'consumerGroup', p_consumer_group) order by m.seq)
                from taken m
                where m.outcome is null and m.candidate = c.candidate) as messages
            from taken c
            where c.outcome = 'claimed'
        loop
            if v_claim.messages is not null then
                if p_lease_time_seconds > 0 then
                    update queen.partition_consumers k
                    set lease_expires_at = clock_timestamp() + make_interval(secs => p_lease_time_seconds)
                    where k.partition_id = v_claim.partition_id and k.consumer_group = p_consumer_group;
                end if;
                return jsonb_build_object('messages', v_claim.messages, 'leaseId', v_claim.lease_id);
            end if;
            perform queen.pop_sm_release(array[v_claim.partition_id], array[p_consumer_group], array[v_claim.lease_id],
                array[v_claim.last_seq]);
            v_removed := true;
        end loop;
        -- What was claimed had been removed, and the cursor is behind it now: there may be more.
        exit when not v_removed;
    end loop;
    return jsonb_build_object('messages', '[]'::jsonb, 'leaseId', null);
end
$$;
