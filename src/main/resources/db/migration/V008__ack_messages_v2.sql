-- ack_messages_v2(acknowledgments) → results
-- Acknowledges from SQL, inside the caller's own transaction if it has one open.
--
--   select queen.ack_messages_v2('[{"partitionId": "…", "transactionId": "…", "consumerGroup": "billing"}]');
--
-- Takes  an array of objects: transactionId and partitionId (required), status ('completed'; 'success', 'failed', 'dlq',
--        'retry'), leaseId (checked when given), consumerGroup ('__QUEUE_MODE__'), error.
-- Gives  an array in the same order: index, transactionId, success, error, queueName, partitionName, leaseReleased, dlq.
-- Fails  with QU001 on an unknown status or a missing id. Locks and order as in ack_list_v1.
create function queen.ack_messages_v2(p_acknowledgments jsonb) returns jsonb
language plpgsql
as $$
declare
    v_result jsonb;
begin
    if exists (
        select from jsonb_array_elements(p_acknowledgments) a
        where coalesce(a ->> 'status', 'completed') not in ('completed', 'success', 'failed', 'dlq', 'retry')
           or a ->> 'transactionId' is null or a ->> 'partitionId' is null)
    then
        raise exception 'every acknowledgment needs a transactionId, a partitionId and a known status'
            using errcode = 'QU001';
    end if;

    with ack as (
        select a.item ->> 'transactionId' as transaction_id, a.ord
        from jsonb_array_elements(p_acknowledgments) with ordinality a (item, ord)
    ), outcome as (
        select r.*
        from (
            select array_agg((a ->> 'partitionId')::uuid order by ord) as partition_id,
                   array_agg(a ->> 'transactionId' order by ord) as transaction_id,
                   array_agg(coalesce(a ->> 'consumerGroup', '__QUEUE_MODE__') order by ord) as consumer_group,
                   array_agg(nullif(a ->> 'leaseId', '')::uuid order by ord) as lease_id,
                   array_agg(case coalesce(a ->> 'status', 'completed') when 'success' then 'completed'
                             else coalesce(a ->> 'status', 'completed') end order by ord) as status,
                   array_agg(a ->> 'error' order by ord) as error
            from jsonb_array_elements(p_acknowledgments) with ordinality e (a, ord)
        ) a
        cross join lateral queen.ack_list_v1(a.partition_id, a.transaction_id, a.consumer_group, a.lease_id, a.status, a.error)
            with ordinality r (error, queue_name, partition_name, lease_released, dlq, pending, ord)
        where a.partition_id is not null
    )
    select jsonb_agg(jsonb_build_object('index', a.ord - 1, 'transactionId', a.transaction_id, 'success', o.error is null,
            'error', o.error, 'queueName', o.queue_name, 'partitionName', o.partition_name,
            'leaseReleased', o.lease_released, 'dlq', o.dlq) order by a.ord)
    into v_result
    from ack a
    join outcome o using (ord);
    return coalesce(v_result, '[]');
end
$$;
