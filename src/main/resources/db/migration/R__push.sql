-- Push: a list of messages into their partitions, in one transaction. push_messages_v2 → push_limited_v1 (queues with
-- max_size) → push_list_v1 → push_advance_v1.
--
-- Three things hold for every function that messages take, in all files:
--   Settings  The plans do not depend on the values, and planning costs more than running them: force_generic_plan, no JIT.
--             A plan that was made while the tables were small must not scan them when they have grown: no sequential
--             scan, no hash or merge join, nothing materialised, so each row is found through its key. They stand at every
--             function because PostgreSQL has no other place for them that callers of all kinds share.
--   ctid      Rows are locked by one statement, in key order, and written by a later one of the same transaction, by the
--             ctid that the first has read. That saves a second look-up of the key, and is safe: until the transaction
--             ends nobody else makes a new version of a locked row or moves it (vacuum leaves it, and what rewrites a
--             table waits for us), and a lock that had to wait gives the ctid of the version that it got. A row that the
--             transaction itself has written has a new ctid: whoever writes it twice takes that one from `returning`.
--   Locks     Partitions by id, then partition_consumers by key. That is why nothing deadlocks. A cycle of a stream has one
--             lock before these, see R__stream.sql.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- ---------------------------------------------------------------------------------------------------------------------
-- Public SQL interface: applications call what follows. Names, arguments and answers stay.
-- ---------------------------------------------------------------------------------------------------------------------

-- push_messages_v2(items) → results
-- Pushes from SQL, inside the caller's own transaction if it has one open: the outbox pattern with no outbox.
--
--   select queen.push_messages_v2('[{"queue": "orders", "partition": "customer-1", "payload": {"n": 1}}]');
--
-- Takes  an array of objects: queue (required), partition ('Default'), payload (null), transactionId (made here when
--        missing or ''), traceId (a UUID), producerSub (the producer, '' for none; over HTTP it is that of the token),
--        headers (an object of strings), and delaySeconds or deliverAt (a time) when it is not to be delivered at once.
-- Gives  an array in the same order, one object per item: index, status 'queued', 'duplicate', or 'failed' with an error
--        (the queue is full), transaction_id,
--        message_id (of the stored message, for a duplicate the earlier one), partition_id, trace_id, queueName.
-- Fails  with QU001 when an item has no queue, or headers or a time that HTTP would refuse.
--
-- jsonb is not byte-exact (key order, number form): what must come back as it was sent goes through HTTP.
-- Unknown queues and partitions are created; locks as in push_limited_v1, held until the caller commits.
create or replace function queen.push_messages_v2(p_items jsonb) returns jsonb
language plpgsql
as $$
declare
    v_queues       text[];
    v_partitions   text[];
    v_tx           text[];
    v_ids          uuid[];
    v_partition_id uuid[];
    v_count        integer[];
    v_first        integer[];
    v_partition_nr integer[];
    v_missing      boolean;
    v_result       jsonb;
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

        -- The partition of each item, by number, and the first item with the same transaction id in it.
        with item as (
            select i.ord, p.id, i.tx
            from unnest(v_queues, v_partitions, v_tx) with ordinality i (queue, partition, tx, ord)
            join queen.queues q on q.name = i.queue
            join queen.partitions p on p.queue_id = q.id and p.name = i.partition
        ), placed as (
            select i.*, dense_rank() over (order by i.id) as partition_nr, min(i.ord) over (partition by i.id, i.tx) as first
            from item i
        )
        select array_agg(id order by ord), array_agg(partition_nr order by ord), array_agg(first order by ord)
        into v_ids, v_partition_nr, v_first
        from placed;
        continue when cardinality(v_ids) is distinct from cardinality(v_tx);

        with target as (
            select i.id, count(*) filter (where i.first = i.ord) as n
            from unnest(v_ids, v_first) with ordinality i (id, first, ord)
            group by i.id
        )
        select array_agg(id order by id), array_agg(n order by id) into v_partition_id, v_count from target;

        with item as (
            select i.ord, i.partition_nr, i.tx, queen.uuid_v7() as id, nullif(e.item ->> 'traceId', '')::uuid as trace_id,
                   coalesce(e.item -> 'payload', 'null')::text as payload,
                   nullif(e.item ->> 'producerSub', '') as producer_sub,
                   queen.item_headers_v1(e.item -> 'headers') as headers, queen.item_deliver_at_v1(e.item) as deliver_at,
                   row_number() over (partition by i.partition_nr order by i.ord) as nth,
                   row_number() over (order by i.ord) as sent
            from unnest(v_partition_nr, v_tx, v_first) with ordinality i (partition_nr, tx, first, ord)
            join jsonb_array_elements(p_items) with ordinality e (item, ord) using (ord)
            where i.first = i.ord
        ), list as (
            select queen.push_limited_v1(v_partition_id, v_count,
                    array_agg(partition_nr order by ord), array_agg(nth::integer order by ord),
                    array_agg(tx order by ord), array_agg(id order by ord), array_agg(payload order by ord),
                    array_agg(trace_id order by ord), null, array_agg(producer_sub order by ord),
                    case when count(headers) > 0 then array_agg(headers order by ord) end,
                    case when count(deliver_at) > 0 then array_agg(deliver_at order by ord) end) as r
            from item
        ), stored as (
            select i.ord, i.id, i.trace_id,
                   (select d.id from unnest((l.r).dup_ords, (l.r).dup_ids) d (ord, id) where d.ord = i.sent) as dup,
                   (l.r).missing, (l.r).refusals[array_position((l.r).refused_ords, i.sent::integer)] as refusal
            from item i cross join list l
        )
        select jsonb_agg(
            case when s.refusal is not null
                then jsonb_build_object('index', i.ord - 1, 'status', 'failed', 'transaction_id', i.tx, 'transactionId', i.tx,
                    'error', s.refusal, 'partition_id', v_partition_id[i.partition_nr], 'queueName', i.queue)
                when s.dup is null and v_first[i.ord] = i.ord
                then jsonb_build_object('index', i.ord - 1, 'status', 'queued', 'transaction_id', i.tx, 'transactionId', i.tx,
                    'message_id', s.id, 'partition_id', v_partition_id[i.partition_nr], 'trace_id', s.trace_id,
                    'queueName', i.queue)
                else jsonb_build_object('index', i.ord - 1, 'status', 'duplicate', 'transaction_id', i.tx, 'transactionId', i.tx,
                    'message_id', coalesce(s.dup, s.id), 'partition_id', v_partition_id[i.partition_nr], 'queueName', i.queue)
            end order by i.ord), bool_or(s.missing)
        into v_result, v_missing
        from unnest(v_queues, v_partition_nr, v_tx) with ordinality i (queue, partition_nr, tx, ord)
        join stored s on s.ord = v_first[i.ord];
        exit when not v_missing;
    end loop;
    return v_result;
end
$$;

-- push_messages_v3(items) → results
-- push_messages_v2 under the name that it has on other servers of this protocol.
create or replace function queen.push_messages_v3(p_items jsonb) returns jsonb
language sql
as $$
    select queen.push_messages_v2(p_items)
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- The server's own: what follows may change with every release.
-- ---------------------------------------------------------------------------------------------------------------------

-- item_headers_v1(headers) → text
-- The headers of an item as they are stored, null for none. Fails with QU001 where HTTP would refuse them.
create or replace function queen.item_headers_v1(p_headers jsonb) returns text
language plpgsql immutable
as $$
begin
    if p_headers is null or p_headers in ('null', '{}') then
        return null;
    elsif jsonb_typeof(p_headers) <> 'object' then
        raise exception 'headers must be an object' using errcode = 'QU001';
    elsif octet_length(p_headers::text) > 8192 or (select count(*) from jsonb_object_keys(p_headers)) > 32 then
        raise exception 'headers must have at most 32 names, and 8192 bytes in all' using errcode = 'QU001';
    elsif exists (
        select from jsonb_each(p_headers) h (name, value)
        where jsonb_typeof(value) <> 'string' or length(value #>> '{}') > 1024 or length(name) not between 1 and 128
    ) then
        raise exception 'headers must be strings of at most 1024 characters, with names of 1 to 128' using errcode = 'QU001';
    end if;
    return p_headers::text;
end
$$;

-- item_deliver_at_v1(item) → time
-- When an item with delaySeconds or deliverAt is to be delivered, null for at once. Fails with QU001 where HTTP would
-- refuse it.
create or replace function queen.item_deliver_at_v1(p_item jsonb) returns timestamptz
language plpgsql stable
as $$
declare
    v_delay double precision;
    v_at    timestamptz;
begin
    if coalesce(p_item ->> 'delaySeconds', p_item ->> 'deliverAt') is null then
        return null;
    elsif p_item ->> 'delaySeconds' is not null and p_item ->> 'deliverAt' is not null then
        raise exception 'an item has delaySeconds or deliverAt, not both' using errcode = 'QU001';
    end if;
    begin
        v_delay := p_item ->> 'delaySeconds';
        v_at := p_item ->> 'deliverAt';
    exception when data_exception then
        raise exception 'delaySeconds must be a number, and deliverAt a time' using errcode = 'QU001';
    end;
    if v_delay < 0 or v_delay > 315360000 or v_at > clock_timestamp() + interval '315360000 seconds' then
        raise exception 'an item can be delayed by 0 to 315360000 seconds' using errcode = 'QU001';
    end if;
    return coalesce(v_at, case when v_delay > 0 then clock_timestamp() + make_interval(secs => v_delay) end);
end
$$;

-- ensure_partitions_v1(queue names, partition names)
-- Creates the queues and partitions that are not there yet. The two arrays run side by side: one pair a partition.
-- A queue created here takes its namespace and task from its dotted name: `a.b.c` is namespace a, task b; a name
-- without a dot is its own namespace.
-- Locks: rows are inserted in name order, so that two callers creating the same names wait for each other and do not
-- deadlock. Existing rows are not touched.
create or replace function queen.ensure_partitions_v1(p_queues text[], p_partitions text[]) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
begin
    -- Again when the queue of a new partition was deleted in between: it is then created anew.
    loop
        begin
            insert into queen.queues (name, namespace, task)
            select distinct q, split_part(q, '.', 1), split_part(q, '.', 2)
            from unnest(p_queues) q
            where not exists (select from queen.queues known where known.name = q)
            order by q
            on conflict (name) do nothing;

            insert into queen.partitions (queue_id, name)
            select distinct q.id, l.partition
            from unnest(p_queues, p_partitions) l (queue, partition)
            join queen.queues q on q.name = l.queue
            where (select known.id from queen.partitions known where known.queue_id = q.id and known.name = l.partition) is null
            order by q.id, l.partition
            on conflict (queue_id, name) do nothing;
            return;
        exception when foreign_key_violation then
            null;
        end;
    end loop;
end
$$;

-- resolve_partitions_v1(queue names, partition names) → partition ids, in the order given
-- From names to ids, creating what is not there yet. A server calls it once for each partition it meets and remembers
-- the answer; an id stays the same for the life of a partition.
create or replace function queen.resolve_partitions_v1(p_queues text[], p_partitions text[]) returns uuid[]
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_ids uuid[];
begin
    loop
        select array_agg((
            select p.id
            from queen.partitions p
            where p.queue_id = (select q.id from queen.queues q where q.name = l.queue) and p.name = l.partition)
            order by l.ord)
        into v_ids
        from unnest(p_queues, p_partitions) with ordinality l (queue, partition, ord);
        if array_position(v_ids, null) is null then
            return v_ids;
        end if;
        perform queen.ensure_partitions_v1(p_queues, p_partitions);
    end loop;
end
$$;

-- push_list_v1(partitions, items) → missing, dup_ords, dup_ids
-- The server's own way to store messages: one list, one call, one transaction; arrays instead of JSON, so that nothing
-- is parsed here, and partition ids instead of names, which the server remembers. push_messages_v2 is the same for
-- callers that speak SQL.
--
-- Takes  p_partition_id  the partitions of the list, ascending, each once; p_count how many items each has
--        p_partition_nr, p_nth and the other item arrays, all of one length and in the order of arrival:
--                        where the item's partition stands in p_partition_id (from 1), its place among the items of that
--                        partition (from 1), and the message itself.
--                        p_trace_id, p_encrypted, p_producer_sub, p_headers and p_deliver_at may be null or short:
--                        missing means none.
--        The caller has seen to it that no transaction id comes twice for one partition.
-- Gives  missing         true when a partition is gone (its queue was deleted); nothing is stored then
--        dup_ords        the items (from 1) that were stored before, null for none; dup_ids the ids of those messages
--
-- The partitions are locked in id order, then the sequence numbers head + 1 … are taken and the head is moved: so
-- sequence order is commit order. created_at never falls within a partition, whatever the clock does.
-- It is tried without a look for duplicates, because the unique index finds them for nothing and they are rare; when
-- it finds one, all is undone and done again with a look: after the lock, in a statement of its own, so that it sees
-- what those committed whom we waited for.
create or replace function queen.push_list_v1(
    p_partition_id   uuid[],
    p_count          integer[],
    p_partition_nr   integer[],
    p_nth            integer[],
    p_transaction_id text[],
    p_message_id     uuid[],
    p_payload        text[],
    p_trace_id       uuid[],
    p_encrypted      boolean[],
    p_producer_sub   text[],
    p_headers        text[],
    p_deliver_at     timestamptz[],
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
    v_place   record;
    v_delayed timestamptz[];
begin
    if p_deliver_at is not null then
        v_delayed := array(
            select (select max(d.at) from unnest(p_partition_nr, p_deliver_at) d (nr, at) where d.nr = p)
            from generate_series(1, cardinality(p_partition_id)) p order by p);
    end if;
    loop
        begin
            v_place := queen.push_advance_v1(p_partition_id, p_count, v_delayed);
            missing := v_place.heads is null;
            if not missing then
                insert into queen.messages
                    (partition_id, seq, id, trace_id, created_at, is_encrypted, transaction_id, producer_sub, payload,
                     headers, deliver_at)
                select p_partition_id[p_partition_nr[i]], v_place.heads[p_partition_nr[i]] + p_nth[i], p_message_id[i],
                       p_trace_id[i], v_place.now,
                       coalesce(p_encrypted[i], false), p_transaction_id[i], p_producer_sub[i], p_payload[i],
                       p_headers[i], p_deliver_at[i]
                from generate_series(1, cardinality(p_partition_nr)) i
                where dup_ords is null or i <> all (dup_ords);
            end if;
            return;
        exception when unique_violation then
            null;
        end;

        perform from queen.partitions p where p.id = any (p_partition_id) order by p.id for no key update;

        select array_agg(i order by i), array_agg(m.id order by i)
        into dup_ords, dup_ids
        from generate_series(1, cardinality(p_partition_nr)) i
        cross join lateral (
            select m.id
            from queen.messages m
            where m.partition_id = p_partition_id[p_partition_nr[i]] and m.transaction_id = p_transaction_id[i]
            limit 1
        ) m;

        -- The places within the partitions, and the counts, of what is left.
        select array_agg(i.nth order by i.ord) into p_nth
        from (
            select ord,
                   row_number() over (partition by p_partition_nr[ord], ord = any (dup_ords) order by p_nth[ord])::integer as nth
            from generate_series(1, cardinality(p_partition_nr)) ord
        ) i;
        select array_agg(p_count[nr] - (select count(*) from unnest(dup_ords) d where p_partition_nr[d] = nr)::integer order by nr)
        into p_count
        from generate_series(1, cardinality(p_partition_id)) nr;
    end loop;
end
$$;

-- push_advance_v1(partitions, counts, delays) → heads, now
-- Locks the partitions of a push in id order, moves their heads by the counts, and notes the news in the push log.
-- p_delayed is the latest deliver_at in each partition of the push, null for none; null when no item has one.
-- Gives the heads before the move, in the order given, and the time that all messages of the push get; nulls, with nothing
-- changed, when a partition is gone. A partition with count 0 is locked and left as it is.
-- One partition, the push of a lone producer, takes the short way: a single row is locked and moved by one statement.
-- For push_list_v1, under whose settings it runs.
create or replace function queen.push_advance_v1(
    p_partition_id uuid[],
    p_count        integer[],
    p_delayed      timestamptz[],
    out heads      bigint[],
    out now        timestamptz
)
language plpgsql
as $$
declare
    v_rows      tid[];
    v_queue_ids uuid[];
begin
    if cardinality(p_partition_id) = 1 and p_count[1] > 0 then
        update queen.partitions p
        set head = p.head + p_count[1], last_push_at = greatest(clock_timestamp(), p.last_push_at),
            delayed_until = greatest(p.delayed_until, p_delayed[1])
        where p.id = p_partition_id[1]
        returning array[p.head - p_count[1]], array[p.queue_id], p.last_push_at into heads, v_queue_ids, now;
        if found then
            insert into queen.push_log (queue_id, partition_ids) values (v_queue_ids[1], p_partition_id);
        end if;
        return;
    end if;

    select array_agg(p.place), array_agg(p.queue_id), array_agg(p.head), greatest(clock_timestamp(), max(p.last_push_at))
    into v_rows, v_queue_ids, heads, now
    from (
        select p.ctid as place, p.queue_id, p.head, p.last_push_at
        from queen.partitions p
        where p.id = any (p_partition_id)
        order by p.id
        for no key update
    ) p;
    if heads is null or cardinality(heads) < cardinality(p_partition_id) then
        heads := null;
        return;
    end if;

    update queen.partitions p
    set head = p.head + l.n, last_push_at = push_advance_v1.now, delayed_until = greatest(p.delayed_until, l.delayed)
    from (
        select v_rows[l] as place, p_count[l] as n, p_delayed[l] as delayed from generate_series(1, cardinality(v_rows)) l
    ) l
    where p.ctid = l.place and l.n > 0;

    insert into queen.push_log (queue_id, partition_ids)
    select l.queue_id, array_agg(l.id)
    from unnest(v_queue_ids, p_partition_id, p_count) l (queue_id, id, n)
    where l.n > 0
    group by l.queue_id;
end
$$;

-- push_limited_v1(partitions, items) → missing, dup_ords, dup_ids, refused_ords, refusals
-- push_list_v1 for lists in which a queue has max_size: what exceeds it is refused item by item, from the first that
-- does not fit, and all else is stored. What was stored before is a duplicate and never refused.
--
-- Takes  as push_list_v1, and
--        p_promised    the items (from 1) that were accepted before and are never refused; they count
-- Gives  as push_list_v1, and
--        refused_ords  the items (from 1) that were not stored, null for none; refusals the reason of each
--
-- Locks  rows of queue_room by queue id, then as push_list_v1.
create or replace function queen.push_limited_v1(
    p_partition_id   uuid[],
    p_count          integer[],
    p_partition_nr   integer[],
    p_nth            integer[],
    p_transaction_id text[],
    p_message_id     uuid[],
    p_payload        text[],
    p_trace_id       uuid[],
    p_encrypted      boolean[],
    p_producer_sub   text[],
    p_headers        text[],
    p_deliver_at     timestamptz[],
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
          and q.id in (select p.queue_id from queen.partitions p where p.id = any (p_partition_id))
        order by q.id
    loop
        select array_agg(i.ord::integer order by i.ord) into v_ords
        from unnest(p_partition_nr, p_transaction_id) with ordinality i (partition_nr, transaction_id, ord)
        join queen.partitions p on p.id = p_partition_id[i.partition_nr] and p.queue_id = v_queue.id
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
        from queen.push_list_v1(p_partition_id, p_count, p_partition_nr, p_nth, p_transaction_id, p_message_id, p_payload,
            p_trace_id, p_encrypted, p_producer_sub, p_headers, p_deliver_at);
        return;
    end if;

    select array_agg(i.ord::integer order by i.ord) as ords, array_agg(i.partition_nr order by i.ord) as partition_nr,
           array_agg(i.nth::integer order by i.ord) as nth, array_agg(i.transaction_id order by i.ord) as transaction_id,
           array_agg(i.id order by i.ord) as id, array_agg(i.payload order by i.ord) as payload,
           array_agg(i.trace_id order by i.ord) as trace_id, array_agg(i.encrypted order by i.ord) as encrypted,
           array_agg(i.producer_sub order by i.ord) as producer_sub,
           case when p_headers is not null then array_agg(i.headers order by i.ord) end as headers,
           case when p_deliver_at is not null then array_agg(i.deliver_at order by i.ord) end as deliver_at
    into v_kept
    from (
        select i.ord, i.partition_nr, row_number() over (partition by i.partition_nr order by i.nth) as nth, i.id,
               i.trace_id, i.encrypted, i.transaction_id, i.producer_sub, i.payload, i.headers, i.deliver_at
        from unnest(p_partition_nr, p_nth, p_message_id, p_trace_id, p_encrypted, p_transaction_id, p_producer_sub, p_payload,
                p_headers, p_deliver_at)
            with ordinality i (partition_nr, nth, id, trace_id, encrypted, transaction_id, producer_sub, payload, headers,
                deliver_at, ord)
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
        p_partition_id,
        array(select (select count(*) from unnest(v_kept.partition_nr) k where k = n)::integer
              from generate_series(1, cardinality(p_partition_id)) n order by n),
        v_kept.partition_nr, v_kept.nth, v_kept.transaction_id, v_kept.id, v_kept.payload, v_kept.trace_id, v_kept.encrypted,
        v_kept.producer_sub, v_kept.headers, v_kept.deliver_at) l;
end
$$;

-- take_room_v1(queue, messages) → how many of them may be stored
-- Room in a queue with max_size. Its size is what the slowest of the groups that read a partition has not consumed yet,
-- summed over its partitions; where nobody reads, all that is stored.
-- The room found by a count is used up push by push without counting again, because consuming only makes it larger; it
-- is counted when it does not suffice, and when a group began, moved back or went away (recount_room_v1). So a queue far
-- from its limit costs one row update a push.
-- Redriven messages do not count: they were let in before.
-- Locks  the row of queue_room until the caller commits: pushes to a queue with a limit go one list at a time.
create or replace function queen.take_room_v1(p_queue_id uuid, p_messages integer) returns integer
language plpgsql
as $$
declare
    v_room    bigint;
    v_granted integer;
begin
    update queen.queue_room r
    set room = r.room - p_messages
    where r.queue_id = p_queue_id and r.room >= p_messages
      and not exists (select from queen.queue_recounts n where n.queue_id = p_queue_id);
    if found then
        return p_messages;
    end if;

    insert into queen.queue_room (queue_id, room)
    select q.id, 0 from queen.queues q where q.id = p_queue_id
    on conflict do nothing;
    perform from queen.queue_room r where r.queue_id = p_queue_id for update;
    delete from queen.queue_recounts n where n.queue_id = p_queue_id;

    select greatest(q.max_size - coalesce(sum(least(p.head - p.removed, p.head - greatest(p.tail, c.cursor))), 0), 0)
    into v_room
    from queen.queues q
    left join queen.partitions p on p.queue_id = q.id
    left join lateral (
        select min(c.cursor) as cursor from queen.partition_consumers c where c.partition_id = p.id
    ) c on true
    where q.id = p_queue_id
    group by q.id;

    v_granted := least(p_messages, coalesce(v_room, p_messages));
    update queen.queue_room r set room = v_room - v_granted where r.queue_id = p_queue_id;
    return v_granted;
end
$$;

-- recount_room_v1(partitions) → nothing
-- Has the room in the queues of these partitions counted anew by the next push, if they have max_size. Called by whoever
-- makes a group slower or the slowest: a cursor that is new, moved back, or taken away (where nobody reads, all that is
-- stored counts). It adds a row and changes none, so that a pop does not wait for a push that holds the queue's room.
create or replace function queen.recount_room_v1(p_partition_ids uuid[]) returns void
language sql
as $$
    insert into queen.queue_recounts (queue_id)
    select distinct q.id
    from queen.partitions p
    join queen.queues q on q.id = p.queue_id and q.max_size > 0
    where p.id = any (p_partition_ids)
      and not exists (select from queen.queue_recounts r where r.queue_id = q.id)
$$;

-- uuid_v7() → uuid
-- A time-ordered UUID (RFC 9562, version 7), for callers that speak SQL only: PostgreSQL has one of its own from 18 on,
-- and 14 to 17 are supported. 48 bits of milliseconds over a random UUID, the version nibble set from 4 to 7.
create or replace function queen.uuid_v7() returns uuid
language sql volatile parallel safe
as $$
    select encode(
        set_bit(set_bit(
            overlay(uuid_send(gen_random_uuid())
                placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
                from 1 for 6),
            52, 1), 53, 1),
        'hex')::uuid
$$;
