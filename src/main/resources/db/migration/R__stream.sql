-- Streams: queries, their state, and cycles, which write state, push results and ack what was processed, all or nothing.
--
-- Locks  A cycle locks its row of stream_partitions first, then as a push, then as an ack: stream_partitions by key,
--        partitions by id, partition_consumers by key. A list of cycles locks all of the first kind before any of the
--        second. Nothing that holds a partition or a partition_consumers row waits for one of stream_partitions: so
--        cycles, pushes and acks never deadlock. State is written under the lock of its row of stream_partitions.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- register_query_v1(name, source, sink, hash, reset, retention, mine) → id, fresh, was_reset, conflict, forbidden
-- Registers a query by its name, or finds it. One with the same hash keeps its state, also when a reset is asked for:
-- programs that always ask for one go on where they were. With another hash its state is dropped, or it is a conflict.
--
-- Takes  p_retention  seconds, null to leave it as it is
--        p_mine       the queues that the caller may consume, null for all: a query of another source is not the caller's
-- Gives  conflict     the hash is another one and no reset was asked for; nothing changed
--        forbidden    the query is not the caller's; nothing changed
-- Locks  the row of stream_queries.
create or replace function queen.register_query_v1(
    p_name text, p_source_queue text, p_sink_queue text, p_config_hash text, p_reset boolean, p_retention integer,
    p_mine text[],
    out id uuid, out fresh boolean, out was_reset boolean, out conflict boolean, out forbidden boolean)
language plpgsql
as $$
declare
    v_query queen.stream_queries;
begin
    fresh := false;
    was_reset := false;
    conflict := false;
    forbidden := false;
    loop
        insert into queen.stream_queries as q (name, source_queue, sink_queue, config_hash, state_retention_seconds)
        values (p_name, p_source_queue, p_sink_queue, p_config_hash, coalesce(p_retention, 0))
        on conflict (name) do nothing
        returning q.id into register_query_v1.id;
        if found then
            fresh := true;
            return;
        end if;
        select q.* into v_query from queen.stream_queries q where q.name = p_name for update;
        exit when found;
    end loop;

    id := v_query.id;
    forbidden := p_mine is not null and not queen.is_visible_v1(v_query.source_queue, p_mine);
    was_reset := v_query.config_hash <> p_config_hash and p_reset;
    conflict := v_query.config_hash <> p_config_hash and not p_reset;
    if forbidden or conflict then
        was_reset := false;
        return;
    end if;
    update queen.stream_queries q
    set source_queue = p_source_queue, sink_queue = p_sink_queue, config_hash = p_config_hash,
        state_id = case when was_reset then gen_random_uuid() else q.state_id end,
        state_retention_seconds = coalesce(p_retention, q.state_retention_seconds),
        registered_at = now()
    where q.id = v_query.id;
end
$$;

-- cycle_list_v1(pushes, cycles, state operations) → what became of them
-- A list of cycles, each of another source partition, in one transaction. When one of them can't be done, nothing is.
--
-- Takes  the arrays of push_list_v1 for the pushes of all cycles (null partitions for none); p_limited when a queue among
--        them has max_size
--        per cycle: query, source partition, group, its own id, and the ack: transaction id (null for no ack), lease
--        (null: not checked), whether the message is to be dead-lettered, its error, and whether the lease is to end
--        p_op_*  the state operations: which cycle (from 1), key, value (null deletes), the end of its window. A key comes
--                once per cycle.
-- Gives  missing  a partition to push to is gone: nothing is done
--        errors   why a cycle can't be done, null for none; done, the cycle was applied before. When any is set nothing
--                 is done: the caller takes those out of the list and calls again
--        dup_*    as push_list_v1
--        queue_names, partition_names   of the sources
--        released, dead, pending        of the acks, as ack_list_v1 gives them
-- Fails  with QU003 on a refused ack and QU004 on a full queue: which of the cycles it is about shows when they are alone
--
-- Order  Sink messages of a cycle are stored in the order given. An ack moves the cursor to its message; the lease ends or
--        stays as the cycle says, whatever is left of its batch: what was not acked comes again when it ends.
-- Locks  see above.
create or replace function queen.cycle_list_v1(
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
    p_limited            boolean,
    p_query_id           uuid[],
    p_source_id          uuid[],
    p_consumer_group     text[],
    p_cycle_id           uuid[],
    p_ack_transaction_id text[],
    p_ack_lease_id       uuid[],
    p_ack_dead           boolean[],
    p_ack_error          text[],
    p_release            boolean[],
    p_op_cycle           integer[],
    p_op_key             text[],
    p_op_value           text[],
    p_op_window_end      double precision[],
    out missing          boolean,
    out errors           text[],
    out done             boolean[],
    out dup_ords         integer[],
    out dup_ids          uuid[],
    out queue_names      text[],
    out partition_names  text[],
    out released         boolean[],
    out dead             boolean[],
    out pending          boolean[]
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
    v_count    integer := cardinality(p_query_id);
    v_cycle    integer;
    v_row      record;
    v_source   record;
    v_push     record;
    v_acks     integer[];
    -- One element per cycle: its row of stream_partitions, and the generation of its state.
    v_rows     tid[] := array_fill(null::tid, array[v_count]);
    v_states   uuid[] := array_fill(null::uuid, array[v_count]);
begin
    missing := false;
    errors := array_fill(null::text, array[v_count]);
    queue_names := errors;
    partition_names := errors;
    done := array_fill(false, array[v_count]);
    released := done;
    dead := done;
    pending := done;

    for v_cycle in select i from generate_series(1, v_count) i order by p_query_id[i], p_source_id[i] loop
        v_row := queen.lock_cycle_v1(p_query_id[v_cycle], p_source_id[v_cycle]);
        -- After the lock, so that a cycle that waited for a reset writes into the new state.
        select q.state_id, s.queue_name, s.partition_name into v_source
        from queen.stream_queries q
        left join lateral (
            select u.name as queue_name, p.name as partition_name
            from queen.partitions p
            join queen.queues u on u.id = p.queue_id
            where p.id = p_source_id[v_cycle]
            limit 1
        ) s on true
        where q.id = p_query_id[v_cycle];
        if not found then
            errors[v_cycle] := 'Query not found';
        elsif v_source.queue_name is null then
            errors[v_cycle] := 'Partition not found';
        end if;
        v_rows[v_cycle] := v_row.place;
        v_states[v_cycle] := v_source.state_id;
        queue_names[v_cycle] := v_source.queue_name;
        partition_names[v_cycle] := v_source.partition_name;
        done[v_cycle] := coalesce(p_cycle_id[v_cycle] = any (v_row.last_cycles), false);
    end loop;

    v_acks := array(select i from generate_series(1, v_count) i where p_ack_transaction_id[i] is not null order by i);
    if v_count > 1 then
        -- A look without a lock, so that one refused ack does not take the list apart.
        for v_cycle in select i from unnest(v_acks) i where errors[i] is null and not done[i] loop
            errors[v_cycle] := queen.cycle_ack_error_v1(
                p_source_id[v_cycle], p_consumer_group[v_cycle], p_ack_transaction_id[v_cycle], p_ack_lease_id[v_cycle]);
        end loop;
    end if;
    if true = any (done) or cardinality(array_remove(errors, null)) > 0 then
        return;
    end if;

    if cardinality(p_partition_id) > 0 then
        if p_limited then
            select * into v_push
            from queen.push_limited_v1(p_partition_id, p_count, p_partition_nr, p_nth, p_transaction_id, p_message_id,
                p_payload, p_trace_id, p_encrypted, p_producer_sub);
            if v_push.refused_ords is not null then
                raise exception '%', v_push.refusals[1] using errcode = 'QU004';
            end if;
        else
            select * into v_push
            from queen.push_list_v1(p_partition_id, p_count, p_partition_nr, p_nth, p_transaction_id, p_message_id,
                p_payload, p_trace_id, p_encrypted, p_producer_sub);
        end if;
        missing := v_push.missing;
        if missing then
            return;
        end if;
        dup_ords := v_push.dup_ords;
        dup_ids := v_push.dup_ids;
    end if;

    if cardinality(v_acks) > 0 then
        for v_row in
            select v_acks[a.ord] as cycle, a.error, a.lease_released, a.dlq, a.pending
            from queen.cycle_acks_v1(
                    array(select p_source_id[i] from unnest(v_acks) with ordinality x (i, o) order by o),
                    array(select p_ack_transaction_id[i] from unnest(v_acks) with ordinality x (i, o) order by o),
                    array(select p_consumer_group[i] from unnest(v_acks) with ordinality x (i, o) order by o),
                    array(select p_ack_lease_id[i] from unnest(v_acks) with ordinality x (i, o) order by o),
                    array(select case when p_ack_dead[i] then 'dlq' else 'completed' end
                          from unnest(v_acks) with ordinality x (i, o) order by o),
                    array(select p_ack_error[i] from unnest(v_acks) with ordinality x (i, o) order by o),
                    array(select p_release[i] or p_ack_dead[i] from unnest(v_acks) with ordinality x (i, o) order by o))
                with ordinality a (error, lease_released, dlq, pending, ord)
        loop
            if v_row.error is not null then
                raise exception '%', v_row.error using errcode = 'QU003';
            end if;
            released[v_row.cycle] := v_row.lease_released;
            dead[v_row.cycle] := v_row.dlq;
            pending[v_row.cycle] := v_row.pending;
        end loop;
    end if;

    perform queen.write_state_v1(v_rows, v_states, p_source_id, p_consumer_group, p_cycle_id,
        p_op_cycle, p_op_key, p_op_value, p_op_window_end);
end
$$;

-- lock_cycle_v1(query, partition) → place, last_cycles
-- Locks the row of a query and partition, which it makes if it has to; nulls when there is no such query.
-- For cycle_list_v1, under whose settings it runs.
create or replace function queen.lock_cycle_v1(
    p_query_id uuid, p_partition_id uuid, out place tid, out last_cycles uuid[])
language plpgsql
as $$
begin
    loop
        select s.ctid, s.last_cycles into place, last_cycles
        from queen.stream_partitions s
        where s.query_id = p_query_id and s.partition_id = p_partition_id
        for update;
        exit when found;
        insert into queen.stream_partitions (query_id, partition_id, state_id)
        select q.id, p.id, q.state_id
        from queen.stream_queries q, queen.partitions p
        where q.id = p_query_id and p.id = p_partition_id
        on conflict do nothing;
        -- Neither made nor there: the query or the partition is not. Made by another: the next look finds it.
        exit when not found and not exists (
            select from queen.stream_partitions s where s.query_id = p_query_id and s.partition_id = p_partition_id);
    end loop;
end
$$;

-- cycle_ack_error_v1(partition, group, transaction id, lease) → text
-- Why the ack of a cycle would be refused now, null when it would not: ack_verdict_v1 without a lock. For cycle_list_v1.
create or replace function queen.cycle_ack_error_v1(
    p_partition_id uuid, p_consumer_group text, p_transaction_id text, p_lease_id uuid) returns text
language plpgsql
as $$
declare
    v_seq bigint;
    v_row record;
begin
    select m.seq into v_seq
    from queen.messages m
    where m.partition_id = p_partition_id and m.transaction_id = p_transaction_id;
    if not found then
        return 'Message not found';
    end if;
    if p_lease_id is null then
        return null;
    end if;
    select c.lease_id, c.lease_expires_at, c.lease_last_seq into v_row
    from queen.partition_consumers c
    where c.partition_id = p_partition_id and c.consumer_group = p_consumer_group;
    if (v_row.lease_id = p_lease_id and v_row.lease_expires_at > clock_timestamp() and v_seq <= v_row.lease_last_seq) is true then
        return null;
    end if;
    return queen.lease_error_v1(p_partition_id, p_consumer_group, p_lease_id);
end
$$;

-- cycle_acks_v1(acks, release) → one row per ack, in the order given
-- The acks of cycles, each of another (partition, group): as in ack_list_v1, but that the lease ends with the ack, or stays,
-- as p_release says, whatever is left of its batch.
--
-- Locks  rows of partition_consumers in key order.
create or replace function queen.cycle_acks_v1(
    p_partition_id uuid[], p_transaction_id text[], p_consumer_group text[], p_lease_id uuid[], p_status text[],
    p_error text[], p_release boolean[])
returns table (error text, lease_released boolean, dlq boolean, pending boolean)
language plpgsql
as $$
declare
    v_row     record;
    -- One element per ack; leases that are to stay, as they were before.
    v_held    queen.partition_consumers[] := array_fill(null::queen.partition_consumers, array[cardinality(p_release)]);
    v_place   integer := 0;
begin
    if false = any (p_release) then
        for v_row in
            select a.ord, c.held
            from (
                select a.ord::integer, a.partition_id, a.consumer_group
                from unnest(p_partition_id, p_consumer_group) with ordinality a (partition_id, consumer_group, ord)
                order by a.partition_id, a.consumer_group
            ) a
            cross join lateral (
                select c as held from queen.partition_consumers c
                where c.partition_id = a.partition_id and c.consumer_group = a.consumer_group
                for update
            ) c
        loop
            v_held[v_row.ord] := v_row.held;
        end loop;
    end if;

    for v_row in
        select * from queen.ack_list_v1(p_partition_id, p_transaction_id, p_consumer_group, p_lease_id, p_status, p_error)
    loop
        v_place := v_place + 1;
        error := v_row.error;
        lease_released := v_row.lease_released;
        dlq := v_row.dlq;
        pending := v_row.pending;
        if error is null and p_release[v_place] and not lease_released then
            update queen.partition_consumers c
            set lease_id = null, lease_expires_at = null, lease_last_seq = null
            where c.partition_id = p_partition_id[v_place] and c.consumer_group = p_consumer_group[v_place];
            -- Free before its time, with messages left: news to the other servers.
            insert into queen.push_log (queue_id, partition_ids)
            select p.queue_id, array[p.id]
            from queen.partitions p
            join queen.partition_consumers c on c.partition_id = p.id and c.consumer_group = p_consumer_group[v_place]
            where p.id = p_partition_id[v_place] and (p.head > greatest(c.cursor, p.tail) or c.redriven > 0);
            pending := found;
            lease_released := true;
        elsif error is null and not p_release[v_place] and lease_released and (v_held[v_place]).lease_id is not null then
            update queen.partition_consumers c
            set lease_id = (v_held[v_place]).lease_id, lease_expires_at = (v_held[v_place]).lease_expires_at,
                lease_last_seq = (v_held[v_place]).lease_last_seq
            where c.partition_id = p_partition_id[v_place] and c.consumer_group = p_consumer_group[v_place];
            pending := false;
            lease_released := false;
        end if;
        return next;
    end loop;
end
$$;

-- write_state_v1(cycles, state operations) → nothing
-- Writes the state of the cycles, and what their rows in stream_partitions tell of it. The caller holds the locks of those
-- rows, so that nothing else writes these keys. For cycle_list_v1, under whose settings it runs.
create or replace function queen.write_state_v1(
    p_rows tid[], p_states uuid[], p_source_id uuid[], p_consumer_group text[], p_cycle_id uuid[],
    p_op_cycle integer[], p_op_key text[], p_op_value text[], p_op_window_end double precision[]) returns void
language plpgsql
as $$
declare
    v_ops    integer := coalesce(cardinality(p_op_key), 0);
    -- One element per operation: the row of its key, and the bytes that it has.
    v_places tid[];
    v_bytes  integer[];
begin
    if v_ops > 0 then
        select array_agg(s.place order by i), array_agg(s.bytes order by i)
        into v_places, v_bytes
        from generate_series(1, v_ops) i
        left join lateral (
            select s.ctid as place, s.bytes
            from queen.stream_state s
            where s.state_id = p_states[p_op_cycle[i]] and s.partition_id = p_source_id[p_op_cycle[i]] and s.key = p_op_key[i]
            limit 1
        ) s on true;

        update queen.stream_state s
        set value = p_op_value[i], bytes = octet_length(p_op_key[i]) + octet_length(p_op_value[i]),
            window_end = p_op_window_end[i], updated_at = clock_timestamp()
        from generate_series(1, v_ops) i
        where s.ctid = v_places[i] and p_op_value[i] is not null;

        insert into queen.stream_state (state_id, partition_id, key, value, bytes, window_end, updated_at)
        select p_states[p_op_cycle[i]], p_source_id[p_op_cycle[i]], p_op_key[i], p_op_value[i],
               octet_length(p_op_key[i]) + octet_length(p_op_value[i]), p_op_window_end[i], clock_timestamp()
        from generate_series(1, v_ops) i
        where v_places[i] is null and p_op_value[i] is not null;

        delete from queen.stream_state s
        using generate_series(1, v_ops) i
        where s.ctid = v_places[i] and p_op_value[i] is null;
    end if;

    update queen.stream_partitions s
    set state_id = p_states[d.cycle],
        consumer_group = p_consumer_group[d.cycle],
        cycles = s.cycles + 1,
        keys = case when s.state_id = p_states[d.cycle] then s.keys else 0 end + d.keys,
        bytes = case when s.state_id = p_states[d.cycle] then s.bytes else 0 end + d.bytes,
        last_cycles = p_cycle_id[d.cycle] || s.last_cycles[1:7],
        last_cycle_at = clock_timestamp()
    from (
        select d.cycle, sum(d.keys) as keys, sum(d.bytes) as bytes
        from (
            select p_op_cycle[i] as cycle,
                   case when v_places[i] is null then 1 else 0 end - case when p_op_value[i] is null then 1 else 0 end as keys,
                   coalesce(octet_length(p_op_key[i]) + octet_length(p_op_value[i]), 0) - coalesce(v_bytes[i], 0) as bytes
            from generate_series(1, v_ops) i
            union all
            select c, 0, 0 from generate_series(1, cardinality(p_states)) c
        ) d
        group by d.cycle
    ) d
    where s.ctid = p_rows[d.cycle];
end
$$;

-- stream_state_v1(query, partition, keys, prefix, ripe, bytes) → JSON array of rows by key
-- The state of a query in a partition: key, value and updated_at. Nothing for what is not known.
--
-- Takes  p_keys    only these, null for all; p_prefix only keys that begin so; p_ripe only windows that end then or before
--        p_bytes   how much the answer may have; each row counts a hundred more
-- Gives  null when it would have more. Of ripe windows those that ended first are given then: the caller closes them and
--        asks again. One row is always given.
-- Locks  nothing.
create or replace function queen.stream_state_v1(
    p_query_id uuid, p_partition_id uuid, p_keys text[], p_prefix text, p_ripe double precision, p_bytes bigint) returns text
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
declare
    v_state uuid;
    v_rows  text;
    v_all   boolean;
begin
    select q.state_id into v_state from queen.stream_queries q where q.id = p_query_id;
    if not found then
        return '[]';
    end if;
    if p_keys is null and p_prefix = '' and p_ripe is null and exists (
        select from queen.stream_partitions s
        where s.query_id = p_query_id and s.partition_id = p_partition_id and s.state_id = v_state
          and s.keys > 1 and s.bytes + s.keys * 100 > p_bytes)
    then
        return null;
    end if;

    select '[' || coalesce(string_agg('{"key":' || to_json(r.key) || ',"value":' || r.value || ',"updated_at":"'
               || queen.iso_time(r.updated_at) || '"}', ',' order by r.key) filter (where r.fits), '') || ']',
           bool_and(r.fits)
    into v_rows, v_all
    from (
        select s.key, s.value, s.updated_at,
               sum(s.bytes + 100) over w <= p_bytes or row_number() over w = 1 as fits
        from (
            -- One of the three is run: what decides it is known before.
            (select s.key, s.value, s.bytes, s.window_end, s.updated_at
             from queen.stream_state s
             where p_ripe is not null
               and s.state_id = v_state and s.partition_id = p_partition_id and s.window_end <= p_ripe
               and (p_keys is null or s.key = any (p_keys)) and starts_with(s.key, p_prefix)
             order by s.window_end
             limit p_bytes / 100 + 2)
            union all
            (select s.key, s.value, s.bytes, s.window_end, s.updated_at
             from queen.stream_state s
             where p_ripe is null and p_keys is not null
               and s.state_id = v_state and s.partition_id = p_partition_id and s.key = any (p_keys)
               and starts_with(s.key, p_prefix)
             limit p_bytes / 100 + 2)
            union all
            -- A key has 2,000 bytes at most: none that begins so comes after this one.
            (select s.key, s.value, s.bytes, s.window_end, s.updated_at
             from queen.stream_state s
             where p_ripe is null and p_keys is null
               and s.state_id = v_state and s.partition_id = p_partition_id
               and s.key >= p_prefix collate "C" and s.key <= (p_prefix || repeat(chr(1114111), 500)) collate "C"
             limit p_bytes / 100 + 2)
        ) s
        window w as (order by case when p_ripe is not null then s.window_end end, s.key)
    ) r;
    return case when v_all is false and p_ripe is null then null else v_rows end;
end
$$;
