-- Transactions: acks and pushes that apply whole or not at all.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- ---------------------------------------------------------------------------------------------------------------------
-- Public SQL interface: applications call what follows. Names, arguments and answers stay.
-- ---------------------------------------------------------------------------------------------------------------------

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
create or replace function queen.execute_transaction_v2(p_operations jsonb) returns jsonb
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
        cross join lateral queen.transaction_list_v1(null, null, null, null, null, null, null, null, null, null, null, null, null,
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

-- ---------------------------------------------------------------------------------------------------------------------
-- The server's own: what follows may change with every release.
-- ---------------------------------------------------------------------------------------------------------------------

-- transaction_list_v1(push, acks) → missing, and what became of the acks
-- One transaction of the HTTP route, all or nothing: the pushes as in push_list_v1, the acks as in ack_list_v1, stricter.
--
-- Takes  the arrays of push_list_v1 (null partitions for a transaction without pushes), then those of ack_list_v1 without
--        leases of their own, and p_required_lease: when it is not empty, every ack of a message not yet consumed must
--        be covered by one of these leases, live; so must one that was redriven and is not done. p_push_op and p_ack_op
--        are the places of the pushes and acks among the operations, for the error. p_again: the call was sent before and its outcome is not known. When its
--        pushes find no duplicate it was not applied then, and its acks are judged as if for the first time: another
--        may have consumed the messages and pushed for them meanwhile. Without pushes it is as in ack_list_v1.
-- Gives  missing  true when a partition to push to is gone; nothing is done then
--        ack_*    per ack, as ack_list_v1 gives them
-- Fails  with QU002 on a duplicate transaction id, QU003 on a refused ack and QU004 on a full queue; the message tells
--        why and the detail is the place of the operation.
--
-- `failed` dead-letters at once and gives the whole lease back: who rolls work into a transaction has decided.
-- Locks  as push_limited_v1 (push), then partition_consumers by key (ack).
create or replace function queen.transaction_list_v1(
    p_partition_id       uuid[],
    p_count              integer[],
    p_partition_nr       integer[],
    p_nth                integer[],
    p_transaction_id     text[],
    p_message_id         uuid[],
    p_payload            text[],
    p_trace_id           uuid[],
    p_encrypted          boolean[],
    p_producer_sub       text[],
    p_headers            text[],
    p_deliver_at         timestamptz[],
    p_push_op            integer[],
    p_ack_partition_id   uuid[],
    p_ack_transaction_id text[],
    p_ack_consumer_group text[],
    p_ack_lease_id       uuid[],
    p_ack_status         text[],
    p_ack_error          text[],
    p_ack_op             integer[],
    p_required_lease     uuid[],
    p_again              boolean,
    out missing          boolean,
    out ack_queue        text[],
    out ack_partition    text[],
    out ack_released     boolean[],
    out ack_dlq          boolean[],
    out ack_pending      boolean[]
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_push   record;
    v_failed record;
    v_again  boolean := p_again and coalesce(cardinality(p_partition_id), 0) = 0;
begin
    missing := false;
    if cardinality(p_partition_id) > 0 then
        select * into v_push
        from queen.push_limited_v1(p_partition_id, p_count, p_partition_nr, p_nth, p_transaction_id, p_message_id, p_payload,
            p_trace_id, p_encrypted, p_producer_sub, p_headers, p_deliver_at);
        missing := v_push.missing;
        if missing then
            return;
        end if;
        if v_push.dup_ords is not null then
            raise exception 'Duplicate transactionId: %', p_transaction_id[v_push.dup_ords[1]]
                using errcode = 'QU002', detail = p_push_op[v_push.dup_ords[1]];
        end if;
        if v_push.refused_ords is not null then
            raise exception '%', v_push.refusals[1] using errcode = 'QU004', detail = p_push_op[v_push.refused_ords[1]];
        end if;
    end if;
    if coalesce(cardinality(p_ack_partition_id), 0) = 0 then
        return;
    end if;

    -- Locked here so that nothing moves between this look and the acks.
    perform
    from (select distinct a.partition_id, a.consumer_group
          from unnest(p_ack_partition_id, p_ack_consumer_group) a (partition_id, consumer_group)) a
    join queen.partition_consumers c using (partition_id, consumer_group)
    order by c.partition_id, c.consumer_group
    for update of c;

    if cardinality(p_required_lease) > 0 then
        select a.op, a.partition_id, a.consumer_group into v_failed
        from unnest(p_ack_partition_id, p_ack_transaction_id, p_ack_consumer_group, p_ack_op)
            a (partition_id, transaction_id, consumer_group, op)
        join queen.messages m on m.partition_id = a.partition_id and m.transaction_id = a.transaction_id
        left join queen.partition_consumers c
            on c.partition_id = a.partition_id and c.consumer_group = a.consumer_group
        left join queen.redriven r
            on c.redriven > 0 and r.partition_id = a.partition_id and r.consumer_group = a.consumer_group and r.seq = m.seq
        where (m.seq > coalesce(c.cursor, 0) or r.seq is not null)
          and (c.lease_id = any (p_required_lease) and c.lease_expires_at > clock_timestamp()
               and (r.seq is null or r.lease_id = c.lease_id)) is not true
        order by a.op
        limit 1;
        if found then
            -- Of the leases the one that another group holds there, if any: its text is the longest.
            raise exception '%', (
                select max(queen.lease_error_v1(v_failed.partition_id, v_failed.consumer_group, l))
                from unnest(p_required_lease) l)
                using errcode = 'QU003', detail = v_failed.op;
        end if;
    end if;

    select array_agg(r.queue_name order by r.ord) as queue, array_agg(r.partition_name order by r.ord) as partition,
           array_agg(r.lease_released or p_ack_status[r.ord] = 'failed' order by r.ord) as released,
           array_agg(r.dlq order by r.ord) as dlq,
           array_agg(r.pending or p_ack_status[r.ord] = 'failed' order by r.ord) as pending,
           (array_agg(r.error order by r.ord) filter (where r.error is not null))[1] as error,
           (array_agg(p_ack_op[r.ord] order by r.ord) filter (where r.error is not null))[1] as op
    into v_failed
    from queen.ack_list_v1(p_ack_partition_id, p_ack_transaction_id, p_ack_consumer_group, p_ack_lease_id,
            array(select case s when 'failed' then 'dlq' else s end from unnest(p_ack_status) with ordinality x (s, o) order by o),
            p_ack_error, v_again)
        with ordinality r (error, queue_name, partition_name, lease_released, dlq, pending, ord);
    if v_failed.error is not null then
        raise exception '%', v_failed.error using errcode = 'QU003', detail = v_failed.op;
    end if;
    ack_queue := v_failed.queue;
    ack_partition := v_failed.partition;
    ack_released := v_failed.released;
    ack_dlq := v_failed.dlq;
    ack_pending := v_failed.pending;

    update queen.partition_consumers c
    set lease_id = null, lease_expires_at = null, lease_last_seq = null
    from unnest(p_ack_partition_id, p_ack_consumer_group, p_ack_status) a (partition_id, consumer_group, status)
    where a.status = 'failed' and c.partition_id = a.partition_id and c.consumer_group = a.consumer_group
      and c.lease_id is not null;
end
$$;
