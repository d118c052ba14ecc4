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
set jit = off
as $$
declare
    v_place record;
begin
    loop
        begin
            v_place := queen.push_advance_v1(p_lane_id, p_lane_count);
            missing := v_place.heads is null;
            if not missing then
                insert into queen.messages
                    (partition_id, seq, id, trace_id, created_at, is_encrypted, transaction_id, producer_sub, payload)
                select p_lane_id[p_lane[i]], v_place.heads[p_lane[i]] + p_nth[i], p_message_id[i], p_trace_id[i], v_place.now,
                       coalesce(p_encrypted[i], false), p_transaction_id[i], p_producer_sub[i], p_payload[i]
                from generate_series(1, cardinality(p_lane)) i
                where dup_ords is null or i <> all (dup_ords);
            end if;
            return;
        exception when unique_violation then
            null;
        end;

        perform from queen.partitions p where p.id = any (p_lane_id) order by p.id for no key update;

        select array_agg(i order by i), array_agg(m.id order by i)
        into dup_ords, dup_ids
        from generate_series(1, cardinality(p_lane)) i
        cross join lateral (
            select m.id
            from queen.messages m
            where m.partition_id = p_lane_id[p_lane[i]] and m.transaction_id = p_transaction_id[i]
            limit 1
        ) m;

        -- The places within the lanes, and the counts, of what is left.
        select array_agg(i.nth order by i.ord) into p_nth
        from (
            select ord, row_number() over (partition by p_lane[ord], ord = any (dup_ords) order by p_nth[ord])::integer as nth
            from generate_series(1, cardinality(p_lane)) ord
        ) i;
        select array_agg(p_lane_count[lane] - (select count(*) from unnest(dup_ords) d where p_lane[d] = lane)::integer order by lane)
        into p_lane_count
        from generate_series(1, cardinality(p_lane_id)) lane;
    end loop;
end
$$;
