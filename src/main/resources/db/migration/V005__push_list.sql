-- push_list_v1(lanes, items) → missing, dup_ords, dup_ids
-- The server's own way to store messages: one list, one call, one transaction; arrays instead of JSON, so that nothing
-- is parsed here, and partition ids instead of names, which the server remembers. push_messages_v2 is the same for
-- callers that speak SQL.
--
-- Takes  p_lane_id     the partitions of the list, ascending, each once; p_lane_count how many items each has
--        p_lane, p_nth and the other item arrays, all of one length and in the order of arrival:
--                      the item's lane (from 1), its place within that lane (from 1), and the message itself.
--                      p_trace_id, p_encrypted and p_producer_sub may be null or short: missing means none.
--        The caller has seen to it that no transaction id comes twice in one lane.
-- Gives  missing       true when a partition is gone (its queue was deleted); nothing is stored then
--        dup_ords      the items (from 1) that were stored before, null for none; dup_ids the ids of those messages
--
-- The partitions are locked in id order, then the sequence numbers head + 1 … are taken and the head is moved: so
-- sequence order is commit order. created_at never falls within a partition, whatever the clock does.
-- It is tried without a look for duplicates, because the unique index finds them for nothing and they are rare; when
-- it finds one, all is undone and done again with a look: after the lock, in a statement of its own, so that it sees
-- what those committed whom we waited for.
--
-- The settings, as of all functions of the hot path: the plans do not depend on the values, and planning costs more than
-- running them; and a plan that was made while the tables were small must not scan them when they have grown, so each row
-- is always found through its key.
create function queen.push_list_v1(
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
    out missing      boolean,
    out dup_ords     integer[],
    out dup_ids      uuid[]
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
declare
    v_heads  bigint[];
    v_now    timestamptz;
    v_counts integer[];
begin
    missing := false;
    begin
        select * into v_heads, v_now from queen.push_advance_v1(p_lane_id, p_lane_count);
        missing := v_heads is null;
        if missing then
            return;
        end if;
        insert into queen.messages
            (partition_id, seq, id, trace_id, created_at, is_encrypted, transaction_id, producer_sub, payload)
        select p_lane_id[i.lane], v_heads[i.lane] + i.nth, i.id, i.trace_id, v_now, coalesce(i.encrypted, false),
               i.transaction_id, i.producer_sub, i.payload
        from unnest(p_lane, p_nth, p_message_id, p_trace_id, p_encrypted, p_transaction_id, p_producer_sub, p_payload)
            i (lane, nth, id, trace_id, encrypted, transaction_id, producer_sub, payload);
        return;
    exception when unique_violation then
        null;
    end;

    perform from queen.partitions p where p.id = any (p_lane_id) order by p.id for no key update;

    select array_agg(i.ord::integer order by i.ord), array_agg(m.id order by i.ord)
    into dup_ords, dup_ids
    from unnest(p_lane, p_transaction_id) with ordinality i (lane, transaction_id, ord)
    cross join lateral (
        select m.id
        from queen.messages m
        where m.partition_id = p_lane_id[i.lane] and m.transaction_id = i.transaction_id
        limit 1
    ) m;

    select array_agg(l.n - (select count(*) from unnest(dup_ords) d (ord) where p_lane[d.ord] = l.lane) order by l.lane)
    into v_counts
    from unnest(p_lane_count) with ordinality l (n, lane);

    select * into v_heads, v_now from queen.push_advance_v1(p_lane_id, v_counts);
    missing := v_heads is null;
    if missing then
        return;
    end if;
    insert into queen.messages
        (partition_id, seq, id, trace_id, created_at, is_encrypted, transaction_id, producer_sub, payload)
    select p_lane_id[i.lane], v_heads[i.lane] + row_number() over (partition by i.lane order by i.nth), i.id,
           i.trace_id, v_now, coalesce(i.encrypted, false), i.transaction_id, i.producer_sub, i.payload
    from unnest(p_lane, p_nth, p_message_id, p_trace_id, p_encrypted, p_transaction_id, p_producer_sub, p_payload)
        with ordinality i (lane, nth, id, trace_id, encrypted, transaction_id, producer_sub, payload, ord)
    where i.ord <> all (coalesce(dup_ords, '{}'));
end
$$;
