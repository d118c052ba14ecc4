-- execute_transaction_v2(operations) → {"transactionId", "success", "results"} or {"transactionId", "success": false, "error", "results": []}
-- Pushes and acks from SQL, all or nothing.
--
--   select queen.execute_transaction_v2('[{"type": "push", "queue": "out", "payload": {"n": 1}},
--                                         {"type": "ack", "partitionId": "…", "transactionId": "…"}]');
--
-- Takes  operations as over HTTP: push with its fields flat (payload or data) or as `items`, and ack.
-- Gives  one result per operation, `items` expanded. When an operation fails nothing of this call is applied, and the
--        caller's transaction goes on: error tells why.
-- Locks  as in transaction_list_v1.
create function queen.execute_transaction_v2(p_operations jsonb) returns jsonb
language plpgsql
as $$
declare
    v_id     text := queen.uuid_v7()::text;
    v_ops    jsonb;
    v_bad    jsonb;
    v_pushed jsonb;
    v_acks   jsonb;
    v_failed jsonb;
begin
    -- Every operation on its own, with its place.
    select jsonb_agg(case when o.op ? 'items' then i.item || '{"type": "push"}' else o.op end order by o.ord, i.ord)
    into v_ops
    from jsonb_array_elements(p_operations) with ordinality o (op, ord)
    left join lateral jsonb_array_elements(o.op -> 'items') with ordinality i (item, ord) on o.op ->> 'type' = 'push';
    v_ops := coalesce(v_ops, '[]');

    select o into v_bad from jsonb_array_elements(v_ops) o
    where coalesce(o ->> 'type', '') not in ('push', 'ack')
       or (o ->> 'type' = 'ack' and coalesce(o ->> 'status', 'completed') not in ('completed', 'success', 'failed', 'dlq'))
    limit 1;
    if found then
        return jsonb_build_object('transactionId', v_id, 'success', false, 'results', '[]'::jsonb,
            'error', 'Unknown operation type or ack status: ' || concat_ws(' ', coalesce(v_bad ->> 'type', 'none'), v_bad ->> 'status'));
    end if;

    begin
        select queen.push_messages_v2(jsonb_agg(
            jsonb_build_object('payload', coalesce(o -> 'payload', o -> 'data', '{}')) || (o - 'payload' - 'data') order by ord))
        into v_pushed
        from jsonb_array_elements(v_ops) with ordinality e (o, ord)
        where o ->> 'type' = 'push'
        having count(*) > 0;
        select r into v_failed from jsonb_array_elements(v_pushed) r where r ->> 'status' = 'duplicate' limit 1;
        if found then
            raise exception 'Duplicate transactionId: %', v_failed ->> 'transactionId' using errcode = 'QU002';
        end if;
        select r into v_failed from jsonb_array_elements(v_pushed) r where r ->> 'status' = 'failed' limit 1;
        if found then
            raise exception '%', v_failed ->> 'error' using errcode = 'QU004';
        end if;

        select jsonb_agg(r) into v_acks
        from (
            select array_agg((o ->> 'partitionId')::uuid order by ord) as partition_id,
                   array_agg(o ->> 'transactionId' order by ord) as transaction_id,
                   array_agg(coalesce(o ->> 'consumerGroup', '__QUEUE_MODE__') order by ord) as consumer_group,
                   array_agg(nullif(o ->> 'leaseId', '')::uuid order by ord) as lease_id,
                   array_agg(case coalesce(o ->> 'status', 'completed') when 'success' then 'completed'
                             else coalesce(o ->> 'status', 'completed') end order by ord) as status,
                   array_agg(o ->> 'error' order by ord) as error,
                   array_agg(ord::integer - 1 order by ord) as op
            from jsonb_array_elements(v_ops) with ordinality e (o, ord)
            where o ->> 'type' = 'ack'
        ) a
        cross join lateral queen.transaction_list_v1(null, null, null, null, null, null, null, null, null, null, null,
            a.partition_id, a.transaction_id, a.consumer_group, a.lease_id, a.status, a.error, a.op, null, false) t
        cross join lateral unnest(t.ack_dlq) with ordinality r (dlq, ord)
        where a.partition_id is not null;
    exception when sqlstate 'QU001' or sqlstate 'QU002' or sqlstate 'QU003' or sqlstate 'QU004' then
        return jsonb_build_object('transactionId', v_id, 'success', false, 'error', sqlerrm, 'results', '[]'::jsonb);
    end;

    return jsonb_build_object('transactionId', v_id, 'success', true, 'results', (
        select coalesce(jsonb_agg(
            case when o ->> 'type' = 'push'
                then jsonb_build_object('index', ord - 1, 'type', 'push', 'success', true,
                    'transactionId', v_pushed -> nth ->> 'transactionId', 'messageId', v_pushed -> nth ->> 'message_id',
                    'partitionId', v_pushed -> nth ->> 'partition_id', 'queueName', o ->> 'queue')
                else jsonb_build_object('index', ord - 1, 'type', 'ack', 'success', true,
                    'transactionId', o ->> 'transactionId', 'error', null, 'dlq', v_acks -> nth -> 'dlq')
            end order by ord), '[]')
        from (
            select o, ord, (row_number() over (partition by o ->> 'type' order by ord) - 1)::integer as nth
            from jsonb_array_elements(v_ops) with ordinality e (o, ord)
        ) e));
end
$$;
