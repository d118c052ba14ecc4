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
    p_headers            text[],
    p_deliver_at         timestamptz[],
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
        select q.state_id, q.source_queue, s.queue_name, s.partition_name into v_source
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
        elsif v_source.queue_name <> v_source.source_queue then
            -- Else a caller that may consume one queue could write the state of any query.
            errors[v_cycle] := 'Partition is not of the source queue of the query';
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
                p_payload, p_trace_id, p_encrypted, p_producer_sub, p_headers, p_deliver_at);
            if v_push.refused_ords is not null then
                raise exception '%', v_push.refusals[1] using errcode = 'QU004';
            end if;
        else
            select * into v_push
            from queen.push_list_v1(p_partition_id, p_count, p_partition_nr, p_nth, p_transaction_id, p_message_id,
                p_payload, p_trace_id, p_encrypted, p_producer_sub, p_headers, p_deliver_at);
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
-- Locks the row of a query and partition, which it makes if it has to; nulls when there is no such query, or the partition
-- is not of its source queue.
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
        join queen.queues u on u.id = p.queue_id
        where q.id = p_query_id and p.id = p_partition_id and u.name = q.source_queue
        on conflict do nothing;
        -- Neither made nor there: the query has no such partition. Made by another: the next look finds it.
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
    if p_keys is null and p_ripe is null and exists (
        select from queen.stream_partitions s
        where s.query_id = p_query_id and s.partition_id = p_partition_id and s.state_id = v_state
          and s.keys > 1 and s.bytes + s.keys * 100 > p_bytes)
    then
        -- All of it is too much: of a part the bytes are added up before anything is made of them.
        select p_prefix <> '' and (count(*) < 2 or sum(s.bytes + 100) <= p_bytes) into v_all
        from (
            select s.bytes
            from queen.stream_state s
            where p_prefix <> '' and s.state_id = v_state and s.partition_id = p_partition_id
              and s.key >= p_prefix collate "C" and s.key <= (p_prefix || repeat(chr(1114111), 500)) collate "C"
            limit p_bytes / 100 + 2
        ) s;
        if not v_all then
            return null;
        end if;
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

-- list_queries_v1(limit, offset, visible) → JSON object
-- The queries that read a queue the caller may see (is_visible_v1), by name, with how much state each has and when its last
-- cycle was. Costs a look at the rows of stream_partitions of the page; no state is counted.
create or replace function queen.list_queries_v1(p_limit integer, p_offset integer, p_visible text[] default null) returns text
language sql stable
set jit = off
as $$
    with known as (
        select q.* from queen.stream_queries q where p_visible is null or queen.is_visible_v1(q.source_queue, p_visible)
    ), page as (
        select k.* from known k order by k.name limit p_limit offset p_offset
    )
    select json_build_object(
        'streams', coalesce((select json_agg(queen.query_json_v1(p.id) order by p.name) from page p), '[]'::json),
        'total', (select count(*) from known))::text
$$;

-- describe_query_v1(name, limit, offset, visible) → JSON object
-- One query as list_queries_v1 has it, how far its group is behind in the source queue (group_page_v1: messages, and seconds
-- since the last push to the partition that was left unread longest), and its partitions by name. Null when there is no
-- such query, or none that the caller may see.
create or replace function queen.describe_query_v1(
    p_name text, p_limit integer, p_offset integer, p_visible text[] default null) returns text
language sql stable
set jit = off
as $$
    select (queen.query_json_v1(q.id)::jsonb || jsonb_build_object(
        'lagMessages', coalesce(g.lag, 0),
        'lagSeconds', coalesce(g.seconds, 0),
        'health', g.health,
        'partitions', (
            select coalesce(jsonb_agg(jsonb_build_object(
                'partition', s.name,
                'partitionId', s.partition_id,
                'stateKeys', s.keys,
                'stateBytes', s.bytes,
                'cycles', s.cycles,
                'lastCycleAt', queen.iso_time(s.last_cycle_at)) order by s.name), '[]')
            from (
                select p.name, s.partition_id, s.cycles, s.last_cycle_at,
                       case when s.state_id = q.state_id then s.keys else 0 end as keys,
                       case when s.state_id = q.state_id then s.bytes else 0 end as bytes
                from queen.stream_partitions s
                join queen.partitions p on p.id = s.partition_id
                where s.query_id = q.id
                order by p.name
                limit p_limit offset p_offset
            ) s
        )))::text
    from queen.stream_queries q
    left join lateral (
        select g.lag, g.seconds, g.health
        from queen.group_page_v1(coalesce((
            select s.consumer_group from queen.stream_partitions s
            where s.query_id = q.id and s.consumer_group is not null
            order by s.last_cycle_at desc
            limit 1), ''), null, 0, p_visible) g
        where g.queue_name = q.source_queue
          and exists (select from queen.stream_partitions s where s.query_id = q.id and s.consumer_group = g.consumer_group)
    ) g on true
    where q.name = p_name and (p_visible is null or queen.is_visible_v1(q.source_queue, p_visible))
$$;

-- query_json_v1(id) → what a query is, and how much state it has
create or replace function queen.query_json_v1(p_query_id uuid) returns json
language sql stable
as $$
    select json_build_object(
        'name', q.name,
        'queryId', q.id,
        'sourceQueue', q.source_queue,
        'sinkQueue', q.sink_queue,
        'configHash', q.config_hash,
        'consumerGroup', (
            select s.consumer_group from queen.stream_partitions s where s.query_id = q.id
            order by s.last_cycle_at desc nulls last limit 1),
        'stateRetentionSeconds', q.state_retention_seconds,
        'stateKeys', s.keys,
        'stateBytes', s.bytes,
        'partitionCount', s.partitions,
        'cycles', s.cycles,
        'lastCycleAt', queen.iso_time(s.last_cycle_at),
        'createdAt', queen.iso_time(q.created_at),
        'registeredAt', queen.iso_time(q.registered_at))
    from queen.stream_queries q
    cross join lateral (
        select count(*) as partitions, coalesce(sum(s.cycles), 0) as cycles, max(s.last_cycle_at) as last_cycle_at,
               coalesce(sum(s.keys) filter (where s.state_id = q.state_id), 0) as keys,
               coalesce(sum(s.bytes) filter (where s.state_id = q.state_id), 0) as bytes
        from queen.stream_partitions s
        where s.query_id = q.id
    ) s
    where q.id = p_query_id
$$;

-- sweep_stream_state_v1(position, limit) → position, removed
-- One portion of the removal of state that is not needed: of generations that no query has (it was reset or deleted), of
-- partitions that are gone, and of keys that no cycle wrote for as long as their query keeps them.
--
-- Takes  the position that the portion before gave, nulls to begin; p_limit rows and partitions to look at
-- Gives  the position to go on from, nulls when all was seen, or another server is at it
-- State that is in use is passed over, one look per query and partition. Generations that a cycle under way still writes to
-- are found by a later run.
-- Locks  an advisory lock for the transaction, so that one server at a time removes; for keys that are too old the row of
--        stream_partitions, which is skipped when a cycle holds it.
create or replace function queen.sweep_stream_state_v1(
    inout state_id uuid, inout partition_id uuid, inout key text, p_limit integer, out removed bigint)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
declare
    v_left      integer := p_limit;
    v_count     integer;
    v_next      record;
    v_query     record;
    v_gone      record;
begin
    removed := 0;
    if not pg_try_advisory_xact_lock(hashtext('queen.sweep_stream_state')) then
        state_id := null;
        return;
    end if;
    while v_left > 0 loop
        -- What is left of the partition that the last portion stopped in, or the next one.
        select s.state_id, s.partition_id into v_next
        from queen.stream_state s
        where (s.state_id, s.partition_id, s.key) > (
            coalesce(sweep_stream_state_v1.state_id, '00000000-0000-0000-0000-000000000000'),
            coalesce(sweep_stream_state_v1.partition_id, '00000000-0000-0000-0000-000000000000'),
            coalesce(sweep_stream_state_v1.key, ''))
        order by s.state_id, s.partition_id, s.key
        limit 1;
        if not found then
            state_id := null;
            partition_id := null;
            key := null;
            return;
        end if;
        if (v_next.state_id, v_next.partition_id) is distinct from (state_id, partition_id) then
            key := null;
        end if;
        v_left := v_left - 1;
        select q.id, q.state_retention_seconds as seconds into v_query
        from queen.stream_queries q where q.state_id = v_next.state_id;
        if v_query.id is null or not exists (select from queen.partitions p where p.id = v_next.partition_id) then
            delete from queen.stream_state s
            where s.ctid = any (array(
                select o.ctid from queen.stream_state o
                where o.state_id = v_next.state_id and o.partition_id = v_next.partition_id
                limit v_left + 1));
            get diagnostics v_count = row_count;
            removed := removed + v_count;
            v_left := v_left - v_count;
            -- Where it was: what is left, if anything, comes next.
            continue;
        end if;

        state_id := v_next.state_id;
        partition_id := v_next.partition_id;
        if v_query.seconds > 0 then
            perform from queen.stream_partitions s
            where s.query_id = v_query.id and s.partition_id = v_next.partition_id
            for update skip locked;
            if found then
                with seen as (
                    select s.ctid as place, s.key, s.bytes,
                           s.updated_at < now() - make_interval(secs => v_query.seconds) as old
                    from queen.stream_state s
                    where s.state_id = v_next.state_id and s.partition_id = v_next.partition_id
                      and (sweep_stream_state_v1.key is null or s.key > sweep_stream_state_v1.key)
                    order by s.key
                    limit v_left + 1
                ), gone as (
                    delete from queen.stream_state s using seen o where s.ctid = o.place and o.old
                )
                select count(*) as seen, max(o.key) as last, count(*) filter (where o.old) as old,
                       coalesce(sum(o.bytes) filter (where o.old), 0) as bytes
                into v_gone
                from seen o;
                update queen.stream_partitions s
                set keys = s.keys - v_gone.old, bytes = s.bytes - v_gone.bytes
                where s.query_id = v_query.id and s.partition_id = v_next.partition_id and v_gone.old > 0;
                removed := removed + v_gone.old;
                key := v_gone.last;
                exit when v_gone.seen > v_left;
                v_left := v_left - v_gone.seen;
            end if;
        end if;
        -- Behind the last key that there can be.
        key := repeat(chr(1114111), 500);
    end loop;
end
$$;

-- sweep_stream_partitions_v1(position, limit) → position, removed
-- One portion of the removal of rows of stream_partitions whose query or partition is gone. Position as in
-- sweep_stream_state_v1.
-- Locks  the rows that it removes, skipping those that a cycle holds.
create or replace function queen.sweep_stream_partitions_v1(
    inout query_id uuid, inout partition_id uuid, p_limit integer, out removed bigint)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
declare
    v_step record;
begin
    select array_agg(s.place) filter (where s.over) as places, count(*) as seen,
           (array_agg(s.query_id order by s.query_id desc, s.partition_id desc))[1] as query_id,
           (array_agg(s.partition_id order by s.query_id desc, s.partition_id desc))[1] as partition_id
    into v_step
    from (
        select s.ctid as place, s.query_id, s.partition_id,
               not exists (select from queen.stream_queries q where q.id = s.query_id)
               or not exists (select from queen.partitions p where p.id = s.partition_id) as over
        from queen.stream_partitions s
        where (s.query_id, s.partition_id) > (
            coalesce(sweep_stream_partitions_v1.query_id, '00000000-0000-0000-0000-000000000000'),
            coalesce(sweep_stream_partitions_v1.partition_id, '00000000-0000-0000-0000-000000000000'))
        order by s.query_id, s.partition_id
        limit p_limit
    ) s;
    delete from queen.stream_partitions s
    where s.ctid = any (array(
        select o.ctid from queen.stream_partitions o where o.ctid = any (v_step.places) for update skip locked));
    get diagnostics removed = row_count;
    query_id := case when v_step.seen = p_limit then v_step.query_id end;
    partition_id := case when v_step.seen = p_limit then v_step.partition_id end;
end
$$;
