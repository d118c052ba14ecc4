-- push_limited_v1(lanes, items) → missing, dup_ords, dup_ids, refused_ords, refusals
-- push_list_v1 for lists in which a queue has max_size: what exceeds it is refused item by item, from the first that
-- does not fit, and all else is stored. What was stored before is a duplicate and never refused.
--
-- Takes  as push_list_v1, and
--        p_promised    the items (from 1) that were accepted before and are never refused; they count
-- Gives  as push_list_v1, and
--        refused_ords  the items (from 1) that were not stored, null for none; refusals the reason of each
--
-- Locks  rows of queue_room by queue id, then as push_list_v1.
create function queen.push_limited_v1(
    p_lane_id        uuid[],
    p_lane_count     integer[],
    p_lane           integer[],
    p_nth            integer[],
    p_transaction_id text[],
    p_message_id     uuid[],
    p_payload        text[],
    p_trace_id       uuid[],
    p_encrypted      boolean[],
    p_producer_sub   text[],
    p_promised       integer[] default null,
    out missing      boolean,
    out dup_ords     integer[],
    out dup_ids      uuid[],
    out refused_ords integer[],
    out refusals     text[]
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
    v_queue record;
    v_ords  integer[];
    v_over  integer[];
    v_kept  record;
begin
    for v_queue in
        select q.id, q.name, q.max_size
        from queen.queues q
        where q.max_size > 0
          and q.id in (select p.queue_id from queen.partitions p where p.id = any (p_lane_id))
        order by q.id
    loop
        select array_agg(i.ord::integer order by i.ord) into v_ords
        from unnest(p_lane, p_transaction_id) with ordinality i (lane, transaction_id, ord)
        join queen.partitions p on p.id = p_lane_id[i.lane] and p.queue_id = v_queue.id
        where not exists (
            select from queen.messages m where m.partition_id = p.id and m.transaction_id = i.transaction_id);
        continue when v_ords is null;
        v_over := array(
            select o from unnest(v_ords[queen.take_room_v1(v_queue.id, cardinality(v_ords)) + 1:]) o
            where o <> all (coalesce(p_promised, '{}'))
            order by o);
        refused_ords := refused_ords || v_over;
        refusals := refusals || array_fill(
            format('queue %s would exceed its max capacity of %s', v_queue.name, v_queue.max_size),
            array[cardinality(v_over)]);
    end loop;

    if coalesce(cardinality(refused_ords), 0) = 0 then
        refused_ords := null;
        refusals := null;
        select * into missing, dup_ords, dup_ids
        from queen.push_list_v1(p_lane_id, p_lane_count, p_lane, p_nth, p_transaction_id, p_message_id, p_payload,
            p_trace_id, p_encrypted, p_producer_sub);
        return;
    end if;

    select array_agg(i.ord::integer order by i.ord) as ords, array_agg(i.lane order by i.ord) as lane,
           array_agg(i.nth::integer order by i.ord) as nth, array_agg(i.transaction_id order by i.ord) as transaction_id,
           array_agg(i.id order by i.ord) as id, array_agg(i.payload order by i.ord) as payload,
           array_agg(i.trace_id order by i.ord) as trace_id, array_agg(i.encrypted order by i.ord) as encrypted,
           array_agg(i.producer_sub order by i.ord) as producer_sub
    into v_kept
    from (
        select i.ord, i.lane, row_number() over (partition by i.lane order by i.nth) as nth, i.id, i.trace_id, i.encrypted,
               i.transaction_id, i.producer_sub, i.payload
        from unnest(p_lane, p_nth, p_message_id, p_trace_id, p_encrypted, p_transaction_id, p_producer_sub, p_payload)
            with ordinality i (lane, nth, id, trace_id, encrypted, transaction_id, producer_sub, payload, ord)
        where i.ord <> all (refused_ords)
    ) i;
    if v_kept.ords is null then
        missing := false;
        return;
    end if;

    select l.missing, (select array_agg(v_kept.ords[d.ord] order by d.n) from unnest(l.dup_ords) with ordinality d (ord, n)),
           l.dup_ids
    into missing, dup_ords, dup_ids
    from queen.push_list_v1(
        p_lane_id,
        array(select (select count(*) from unnest(v_kept.lane) k where k = n)::integer
              from generate_series(1, cardinality(p_lane_id)) n order by n),
        v_kept.lane, v_kept.nth, v_kept.transaction_id, v_kept.id, v_kept.payload, v_kept.trace_id, v_kept.encrypted,
        v_kept.producer_sub) l;
end
$$;
