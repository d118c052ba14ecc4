-- push_messages_v2(items) → results
-- Pushes from SQL, inside the caller's own transaction if it has one open: the outbox pattern with no outbox.
--
--   select queen.push_messages_v2('[{"queue": "orders", "partition": "customer-1", "payload": {"n": 1}}]');
--
-- Takes  an array of objects: queue (required), partition ('Default'), payload (null), transactionId (made here when
--        missing or ''), traceId (a UUID).
-- Gives  an array in the same order, one object per item: index, status 'queued', 'duplicate', or 'failed' with an error
--        (the queue is full), transaction_id,
--        message_id (of the stored message, for a duplicate the earlier one), partition_id, trace_id, queueName.
-- Fails  with QU001 when an item has no queue.
--
-- jsonb is not byte-exact (key order, number form): what must come back as it was sent goes through HTTP.
-- Unknown queues and partitions are created; locks as in push_limited_v1, held until the caller commits.
create function queen.push_messages_v2(p_items jsonb) returns jsonb
language plpgsql
as $$
declare
    v_queues     text[];
    v_partitions text[];
    v_tx         text[];
    v_ids        uuid[];
    v_lane_id    uuid[];
    v_lane_count integer[];
    v_first      integer[];
    v_lane       integer[];
    v_missing    boolean;
    v_result     jsonb;
begin
    if exists (select from jsonb_array_elements(p_items) i where coalesce(jsonb_typeof(i -> 'queue'), '') <> 'string') then
        raise exception 'every item needs a queue' using errcode = 'QU001';
    end if;

    select array_agg(i ->> 'queue' order by ord),
           array_agg(coalesce(i ->> 'partition', 'Default') order by ord),
           array_agg(coalesce(nullif(i ->> 'transactionId', ''), queen.uuid_v7()::text) order by ord)
    into v_queues, v_partitions, v_tx
    from jsonb_array_elements(p_items) with ordinality e (i, ord);
    if v_queues is null then
        return '[]';
    end if;
    -- Again when a queue was deleted in between: it is then created anew.
    loop
        perform queen.ensure_partitions_v1(v_queues, v_partitions);

        -- The lane of each item, and the first item with the same transaction id in that lane.
        with item as (
            select i.ord, p.id, i.tx
            from unnest(v_queues, v_partitions, v_tx) with ordinality i (queue, partition, tx, ord)
            join queen.queues q on q.name = i.queue
            join queen.partitions p on p.queue_id = q.id and p.name = i.partition
        ), placed as (
            select i.*, dense_rank() over (order by i.id) as lane, min(i.ord) over (partition by i.id, i.tx) as first
            from item i
        )
        select array_agg(id order by ord), array_agg(lane order by ord), array_agg(first order by ord)
        into v_ids, v_lane, v_first
        from placed;
        continue when cardinality(v_ids) is distinct from cardinality(v_tx);

        with lane as (
            select i.id, count(*) filter (where i.first = i.ord) as n
            from unnest(v_ids, v_first) with ordinality i (id, first, ord)
            group by i.id
        )
        select array_agg(id order by id), array_agg(n order by id) into v_lane_id, v_lane_count from lane;

        with item as (
            select i.ord, i.lane, i.tx, queen.uuid_v7() as id, nullif(e.item ->> 'traceId', '')::uuid as trace_id,
                   coalesce(e.item -> 'payload', 'null')::text as payload,
                   row_number() over (partition by i.lane order by i.ord) as nth,
                   row_number() over (order by i.ord) as sent
            from unnest(v_lane, v_tx, v_first) with ordinality i (lane, tx, first, ord)
            join jsonb_array_elements(p_items) with ordinality e (item, ord) using (ord)
            where i.first = i.ord
        ), list as (
            select queen.push_limited_v1(v_lane_id, v_lane_count, array_agg(lane order by ord), array_agg(nth::integer order by ord),
                    array_agg(tx order by ord), array_agg(id order by ord), array_agg(payload order by ord),
                    array_agg(trace_id order by ord), null, null) as r
            from item
        ), stored as (
            select i.ord, i.id, i.trace_id, (select d.id from unnest((l.r).dup_ords, (l.r).dup_ids) d (ord, id) where d.ord = i.sent) as dup,
                   (l.r).missing, (l.r).refusals[array_position((l.r).refused_ords, i.sent::integer)] as refusal
            from item i cross join list l
        )
        select jsonb_agg(
            case when s.refusal is not null
                then jsonb_build_object('index', i.ord - 1, 'status', 'failed', 'transaction_id', i.tx, 'transactionId', i.tx,
                    'error', s.refusal, 'partition_id', v_lane_id[i.lane], 'queueName', i.queue)
                when s.dup is null and v_first[i.ord] = i.ord
                then jsonb_build_object('index', i.ord - 1, 'status', 'queued', 'transaction_id', i.tx, 'transactionId', i.tx,
                    'message_id', s.id, 'partition_id', v_lane_id[i.lane], 'trace_id', s.trace_id, 'queueName', i.queue)
                else jsonb_build_object('index', i.ord - 1, 'status', 'duplicate', 'transaction_id', i.tx, 'transactionId', i.tx,
                    'message_id', coalesce(s.dup, s.id), 'partition_id', v_lane_id[i.lane], 'queueName', i.queue)
            end order by i.ord), bool_or(s.missing)
        into v_result, v_missing
        from unnest(v_queues, v_lane, v_tx) with ordinality i (queue, lane, tx, ord)
        join stored s on s.ord = v_first[i.ord];
        exit when not v_missing;
    end loop;
    return v_result;
end
$$;
