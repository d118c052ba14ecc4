-- Pop: claim partitions for a group and read their messages. The server: pop_sm_take, then pop_sm_shorten or
-- pop_sm_release for what it could not use. Applications: pop_messages_v2, or the steps of it one by one.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- ---------------------------------------------------------------------------------------------------------------------
-- Public SQL interface: applications call what follows. Names, arguments and answers stay.
-- ---------------------------------------------------------------------------------------------------------------------

-- pop_messages_v2(queue, partition, group, batch, lease seconds, mode, from) → {"messages": […], "leaseId": …}
-- A whole pop in one call, for consumers that speak only SQL, built from the same pieces as the server's.
--
--   select queen.pop_messages_v2('orders', p_consumer_group => 'billing', p_batch_size => 10);
--
-- p_partition_name null is any partition. p_lease_time_seconds 0 is the lease time of the queue. Subscription as over
-- HTTP: mode 'new', or p_subscription_from a time. Encrypted payloads are given as they are stored. While the queue or the
-- group is paused there are no messages, and "paused" is true.
create or replace function queen.pop_messages_v2(
    p_queue_name         text,
    p_partition_name     text default null,
    p_consumer_group     text default '__QUEUE_MODE__',
    p_batch_size         integer default 10,
    p_lease_time_seconds integer default 0,
    p_subscription_mode  text default 'all',
    p_subscription_from  text default null
) returns jsonb
language plpgsql
as $$
declare
    v_start   timestamptz;
    v_ids     uuid[];
    v_claim   record;
    v_removed boolean;
begin
    if exists (
        select from queen.queues q
        join queen.pauses z on z.queue_id = q.id and z.consumer_group in (p_consumer_group, '')
        where q.name = p_queue_name
    ) then
        return jsonb_build_object('messages', '[]'::jsonb, 'leaseId', null, 'paused', true);
    end if;

    v_start := case when p_subscription_from = 'now' or (p_subscription_from is null and p_subscription_mode in ('new', 'new-only'))
                    then clock_timestamp() else p_subscription_from::timestamptz end;
    if v_start is not null and p_consumer_group <> '__QUEUE_MODE__' then
        perform queen.pop_sm_subscribe(p_queue_name, p_consumer_group, coalesce(p_partition_name, ''),
            case when p_subscription_from is null or p_subscription_from = 'now' then 'new' else 'timestamp' end, v_start);
    end if;

    if p_partition_name is null then
        select array_agg(r.partition_id) into v_ids from queen.pop_sm_resolve(p_queue_name, p_consumer_group, 10) r;
    else
        select array_agg(p.id) into v_ids
        from queen.queues q join queen.partitions p on p.queue_id = q.id
        where q.name = p_queue_name and p.name = p_partition_name;
    end if;

    if v_ids is null then
        return jsonb_build_object('messages', '[]'::jsonb, 'leaseId', null);
    end if;

    loop
        v_removed := false;
        for v_claim in
            with fresh as (select queen.uuid_v7() as id), taken as materialized (
                select t.*
                from fresh
                cross join lateral queen.pop_sm_take(array_fill(1, array[cardinality(v_ids)]), v_ids,
                    array_fill(p_consumer_group, array[cardinality(v_ids)]), array_fill(p_batch_size, array[cardinality(v_ids)]),
                    array_fill(1, array[cardinality(v_ids)]), array_fill(fresh.id, array[cardinality(v_ids)]),
                    array_fill(false, array[cardinality(v_ids)]), array_fill(v_start, array[cardinality(v_ids)]),
                    array_fill(queen.session_holder_v1(), array[cardinality(v_ids)]), false, 9223372036854775807) t
            )
            select c.*, v_ids[c.candidate] as partition_id, (
                select jsonb_agg(jsonb_build_object('id', m.id, 'transactionId', m.transaction_id, 'traceId', m.trace_id,
                    'data', m.payload::jsonb, 'producerSub', m.producer_sub, 'retryCount', c.retry_count,
                    'createdAt', to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                    'queue', c.queue_name, 'partition', c.partition_name, 'partitionId', v_ids[c.candidate],
                    'leaseId', c.lease_id, 'consumerGroup', p_consumer_group)
                    || jsonb_strip_nulls(jsonb_build_object('headers', m.headers::jsonb, 'deliverAt',
                        to_char(m.deliver_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))) order by m.seq)
                from taken m
                where m.outcome is null and m.candidate = c.candidate) as messages
            from taken c
            where c.outcome = 'claimed'
        loop
            if v_claim.messages is not null then
                if p_lease_time_seconds > 0 then
                    update queen.partition_consumers k
                    set lease_expires_at = clock_timestamp() + make_interval(secs => p_lease_time_seconds)
                    where k.partition_id = v_claim.partition_id and k.consumer_group = p_consumer_group;
                end if;
                return jsonb_build_object('messages', v_claim.messages, 'leaseId', v_claim.lease_id);
            end if;
            perform queen.pop_sm_release(array[v_claim.partition_id], array[p_consumer_group], array[v_claim.lease_id],
                array[v_claim.last_seq]);
            v_removed := true;
        end loop;
        -- What was claimed had been removed, and the cursor is behind it now: there may be more.
        exit when not v_removed;
    end loop;
    return jsonb_build_object('messages', '[]'::jsonb, 'leaseId', null);
end
$$;

-- pop_messages_batch_v2(requests) → results
-- Several pops in one call, each with a lease of its own.
--
--   select queen.pop_messages_batch_v2('[{"idx": 0, "queue": "orders", "consumerGroup": "billing", "batch": 5}]');
--
-- Takes  an array of objects: queue (required), partition (absent, '' or '*' is any), consumerGroup, batch (1),
--        leaseTime (seconds, 0 is the queue's), subMode, subFrom, idx (given back).
-- Gives  an array in the same order: {"idx", "result": {"messages", "leaseId"}}. Two requests never get one partition.
create or replace function queen.pop_messages_batch_v2(p_requests jsonb) returns jsonb
language plpgsql
as $$
declare
    v_request jsonb;
    v_results jsonb := '[]';
begin
    for v_request in select r from jsonb_array_elements(p_requests) with ordinality e (r, ord) order by e.ord loop
        v_results := v_results || jsonb_build_object('idx', v_request -> 'idx', 'result', queen.pop_messages_v2(
            v_request ->> 'queue',
            nullif(nullif(v_request ->> 'partition', ''), '*'),
            coalesce(v_request ->> 'consumerGroup', '__QUEUE_MODE__'),
            coalesce((v_request ->> 'batch')::integer, 1),
            coalesce((v_request ->> 'leaseTime')::integer, 0),
            coalesce(v_request ->> 'subMode', 'all'),
            v_request ->> 'subFrom'));
    end loop;
    return v_results;
end
$$;

-- pop_specific_batch(requests) → results
-- pop_messages_batch_v2 under the name that it has on other servers of this protocol.
create or replace function queen.pop_specific_batch(p_requests jsonb) returns jsonb
language sql
as $$
    select queen.pop_messages_batch_v2(p_requests)
$$;

-- has_pending_messages(queue, partition, group) → boolean
-- Whether a pop would find something: a partition with messages after the group's cursor, or redriven ones, that are due
-- and under no live lease. The cheap look before a claim, for consumers that speak SQL: the server asks changes_since_v1 instead.
-- p_partition null or '*' is any partition of the queue.
create or replace function queen.has_pending_messages(p_queue_name text, p_partition_name text, p_consumer_group text) returns boolean
language sql stable
as $$
    select exists (
        select
        from queen.queues q
        join queen.partitions p on p.queue_id = q.id
        cross join lateral queen.pop_sm_standing(q.name, p.id, p.name, p.head, p.last_push_at, p_consumer_group) c
        where q.name = p_queue_name
          and (p_partition_name is null or p_partition_name = '*' or p.name = p_partition_name)
          and (p.head > greatest(c.cursor, p.tail) or c.redriven > 0)
          and (c.lease_expires_at is null or c.lease_expires_at <= now())
          and (c.retry_at is null or c.retry_at <= now())
          and (c.redriven > 0
              or (q.window_buffer = 0 and q.delayed_processing = 0 and (p.delayed_until > now()) is not true)
              or (queen.available_at_v1(p.id, greatest(c.cursor, p.tail), p.last_push_at, q.window_buffer,
                  q.delayed_processing, p.delayed_until) > now()) is not true)
    )
$$;

-- pop_sm_resolve(queue, group, limit) → partitions
-- The partitions of a queue from which the group could pop now, least recently served first.
--
--   select * from queen.pop_sm_resolve('orders', 'billing');
--
-- Gives  partition_id, partition_name, queue_id, lease_time, window_buffer, delayed_processing.
-- It looks at all partitions of the queue: right for a person and for consumers that speak SQL. The server remembers
-- which partitions have messages (changes_since_v1) and does not call it. No lock is taken: the lease decides.
create or replace function queen.pop_sm_resolve(p_queue_name text, p_consumer_group text, p_limit integer default 1)
returns table (
    partition_id       uuid,
    partition_name     text,
    queue_id           uuid,
    lease_time         integer,
    window_buffer      integer,
    delayed_processing integer
)
language sql stable
as $$
    select p.id, p.name, q.id, q.lease_time, q.window_buffer, q.delayed_processing
    from queen.queues q
    join queen.partitions p on p.queue_id = q.id
    cross join lateral queen.pop_sm_standing(q.name, p.id, p.name, p.head, p.last_push_at, p_consumer_group) c
    where q.name = p_queue_name
      and (p.head > greatest(c.cursor, p.tail) or c.redriven > 0)
      and (c.lease_expires_at is null or c.lease_expires_at <= now())
      and (c.retry_at is null or c.retry_at <= now())
      and (c.redriven > 0
          or (q.window_buffer = 0 and q.delayed_processing = 0 and (p.delayed_until > now()) is not true)
          or (queen.available_at_v1(p.id, greatest(c.cursor, p.tail), p.last_push_at, q.window_buffer,
              q.delayed_processing, p.delayed_until) > now()) is not true)
    order by c.last_consumed_at nulls first, p.last_push_at
    limit p_limit
$$;

-- pop_sm_lease(requests × candidate partitions) → what became of each candidate
-- pop_sm_take without the messages: takes and gives as it says there. For SQL; the server claims and reads in one call.
-- The holder of the leases is the session, see session_holder_v1.
create or replace function queen.pop_sm_lease(
    p_request        integer[],
    p_partition_id   uuid[],
    p_consumer_group text[],
    p_batch          integer[],
    p_partitions     integer[],
    p_lease_id       uuid[],
    p_auto_ack       boolean[],
    p_start          timestamptz[],
    p_again          boolean default false
) returns table (
    outcome        text,
    queue_name     text,
    partition_name text,
    first_seq      bigint,
    last_seq       bigint,
    due_ms         bigint,
    lease_id       uuid,
    retry_count    integer,
    more           boolean
)
language sql
as $$
    select t.outcome, t.queue_name, t.partition_name, t.first_seq, t.last_seq, t.due_ms, t.lease_id, t.retry_count, t.more
    from queen.pop_sm_take(p_request, p_partition_id, p_consumer_group, p_batch, p_partitions, p_lease_id, p_auto_ack,
        p_start, array_fill(queen.session_holder_v1(), array[cardinality(p_request)]), p_again, null) t
    order by t.candidate
$$;

-- pop_sm_fetch(claims, bytes) → messages
-- Reads what was claimed: for each claim the messages after p_first up to p_last, in sequence order, the claims
-- one after the other. A plain read of the primary key: no sort, because the claims are walked in their order.
-- A view with parameters: the caller's statement takes it in, and runs under the caller's settings.
--
-- Takes  p_bytes  per claim, bytes of payloads and headers after which it is cut off; the first message always comes. Null: no limit.
--                 A claim that was cut off is to be made as short as what was read, see pop_sm_shorten.
-- Gives  claim (from 1), seq, id, transaction_id, trace_id, payload, is_encrypted, producer_sub, created_at, headers (null
--        for none), deliver_at (null when it was not delayed).
create or replace function queen.pop_sm_fetch(p_partition_id uuid[], p_first bigint[], p_last bigint[], p_bytes bigint[] default null)
returns table (
    claim          integer,
    seq            bigint,
    id             uuid,
    transaction_id text,
    trace_id       uuid,
    payload        text,
    is_encrypted   boolean,
    producer_sub   text,
    created_at     timestamptz,
    headers        text,
    deliver_at     timestamptz
)
language sql stable
as $$
    select c, m.seq, m.id, m.transaction_id, m.trace_id, m.payload, m.is_encrypted, m.producer_sub,
           m.created_at, m.headers, m.deliver_at
    from generate_series(1, cardinality(p_partition_id)) c
    cross join lateral (
        select m.*,
               sum(octet_length(m.payload) + coalesce(octet_length(m.headers), 0))
                   over (order by m.seq rows between unbounded preceding and 1 preceding) as before
        from queen.messages m
        where m.partition_id = p_partition_id[c] and m.seq > p_first[c] and m.seq <= p_last[c]
        order by m.seq
    ) m
    where (m.before < p_bytes[c]) is not false
$$;

-- pop_sm_release(claims) → per claim whether it was released
-- Gives leases back before their time, only those still held under the given id: a claim that found nothing, or one
-- whose consumer has gone away.
-- p_cursor: when everything up to there was removed and nothing was found, the cursor moves up to the next message that
-- is there, or to the head, or the partition would look full forever; null leaves it. Never back.
-- What is given back with messages left is news to the other servers, so it goes into the push log.
-- Locks  rows of partition_consumers in key order.
create or replace function queen.pop_sm_release(
    p_partition_id uuid[], p_consumer_group text[], p_lease_id uuid[], p_cursor bigint[]) returns setof boolean
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
begin
    perform
    from (
        -- Sorted before it is joined: the rows are locked in this order.
        select * from unnest(p_partition_id, p_consumer_group) c (partition_id, consumer_group)
        order by c.partition_id, c.consumer_group
    ) c
    cross join lateral (
        select from queen.partition_consumers k
        where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group
        for update
    ) k;

    return query
    with released as (
        update queen.partition_consumers k
        set lease_id = null, lease_expires_at = null, lease_last_seq = null,
            cursor = case when c.cursor is null then k.cursor else greatest(k.cursor, (
                select coalesce(
                    (select min(m.seq) - 1 from queen.messages m where m.partition_id = p.id and m.seq > c.cursor), p.head)
                from queen.partitions p
                where p.id = c.partition_id)) end
        from unnest(p_partition_id, p_consumer_group, p_lease_id, p_cursor)
            with ordinality c (partition_id, consumer_group, lease_id, cursor, ord)
        cross join lateral (
            select r.ctid as place from queen.partition_consumers r
            where r.partition_id = c.partition_id and r.consumer_group = c.consumer_group and r.lease_id = c.lease_id
            limit 1
        ) r
        where k.ctid = r.place
        returning c.ord, k.partition_id, k.cursor, k.redriven
    ), logged as (
        insert into queen.push_log (queue_id, partition_ids)
        select p.queue_id, array_agg(p.id)
        from released r
        cross join lateral (select p.* from queen.partitions p where p.id = r.partition_id and (p.head > r.cursor or r.redriven > 0) limit 1) p
        group by p.queue_id
    )
    select r.ord is not null
    from unnest(p_partition_id) with ordinality c (partition_id, ord)
    left join released r on r.ord = c.ord
    order by c.ord;
end
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- The server's own: what follows may change with every release.
-- ---------------------------------------------------------------------------------------------------------------------

-- pop_sm_take(requests × candidate partitions, bytes) → what became of each candidate, and the messages of the claims
-- The judge of a pop: one atomic check-and-set per candidate, for any number of requests in one call, and the messages of
-- what was claimed. Both in one call because starting a statement, and waiting for its answer, costs more than either.
--
-- Takes  arrays of one length, one element per candidate, the candidates of a request side by side and in the order in
--        which it wants them; no (partition, group) twice in one call:
--        p_request       number of the request
--        p_partition_id, p_consumer_group
--        p_batch         messages the request wants in all; p_partitions how many partitions it takes at most
--        p_lease_id      fresh id for its lease; the lease gets lease_id_for(this, first partition claimed)
--        p_auto_ack      move the cursor at once and take no lease
--        p_start         where the group starts here if nothing else says so: null is the beginning
--        p_holder        who asks, kept with the lease: an address, a space, a name
--        and
--        p_again         the call was sent before and its outcome is not known: leases it took then are its own
--        p_bytes         bytes of payloads and headers of one request, about: each of its partitions has the same part of them, and the
--                        messages of a claim end where its part does; the first always comes. Null reads no messages.
-- Gives  rows of two kinds:
--        one per candidate, in order; candidate counts from 1:
--        outcome    claimed   the messages after first_seq up to last_seq are the request's
--                   free      could be claimed, but the request had enough
--                   leased, delayed, window   not before due_ms have passed
--                   locked    somebody else is at it right now
--                   empty     nothing after the cursor
--                   gone      there is no such partition
--        due_ms     milliseconds until it is worth another look; for a claim, until its lease expires
--        more       messages are left behind the claim
--        The partition was seen with these values: queue_name, partition_name, retry_count; lease_id when claimed.
--        then the messages, claim after claim in sequence order: candidate, seq … deliver_at; outcome is null.
--
-- Messages that were redriven for the group come before all others and in claims of their own, see R__dead_letter.sql:
-- first_seq and last_seq are then before the cursor, and only some of the messages between them are the request's.
--
-- A claim that auto-acked and was cut off by p_bytes is corrected here, in the transaction that moved its cursor: the
-- cursor goes to before the next message, and what is left is news. A lease that was cut off, or under which all had been
-- removed, the caller corrects (pop_sm_shorten, pop_sm_release): until then it only looks longer than it is.
--
-- One statement locks and reads the candidates, one writes the claims, one reads the messages; what is between is decided
-- in plain code, because a lone pop is the common call, and starting up one large statement costs more than all the rows
-- it touches. None sorts: nothing but nested loops is allowed, and they keep the order of the series they start from.
-- Creates the row of a group that is new to a partition, at the start that its subscription says.
-- Settings, and writing by ctid: see R__push.sql.
-- Locks  partitions that are new to a group, against being deleted (a push does not wait for that), then rows of
--        partition_consumers; skips what others hold: a pop never waits.
-- The lease is committed without waiting for the disk unless something was acked: a lease lost in a crash of
-- PostgreSQL is one that ended early.
create or replace function queen.pop_sm_take(
    p_request        integer[],
    p_partition_id   uuid[],
    p_consumer_group text[],
    p_batch          integer[],
    p_partitions     integer[],
    p_lease_id       uuid[],
    p_auto_ack       boolean[],
    p_start          timestamptz[],
    p_holder         text[],
    p_again          boolean,
    p_bytes          bigint
) returns table (
    candidate      integer,
    outcome        text,
    queue_name     text,
    partition_name text,
    first_seq      bigint,
    last_seq       bigint,
    due_ms         bigint,
    lease_id       uuid,
    retry_count    integer,
    more           boolean,
    seq            bigint,
    id             uuid,
    transaction_id text,
    trace_id       uuid,
    payload        text,
    is_encrypted   boolean,
    producer_sub   text,
    created_at     timestamptz,
    headers        text,
    deliver_at     timestamptz
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
    v_now           timestamptz;
    v_due_at        timestamptz;
    v_before        bigint;
    v_waits         boolean;
    v_candidate     record;
    v_request       integer;
    v_claims        integer;
    v_wanted        bigint;
    v_cursor        bigint;
    v_setting       text;
    v_again         record;
    v_auto          boolean := true = any (p_auto_ack);
    v_shared        boolean := false;
    -- One element per claim.
    v_rows          tid[];
    v_candidates    integer[];
    v_partition_ids uuid[];
    v_lease_ids     uuid[];
    v_lease_times   integer[];
    v_cursors       bigint[];
    v_ends          bigint[];
    v_bytes         bigint[];
    v_redriven      integer[];
    -- One element per redriven message.
    v_again_ords    integer[];
    v_again_seqs    bigint[];
begin
    if not v_auto then
        v_setting := set_config('synchronous_commit', 'off', true);
    end if;

    -- Before any row is locked: an insert may meet another of the same row.
    if exists (
        select from unnest(p_partition_id, p_consumer_group) c (partition_id, consumer_group)
        where (select true from queen.partition_consumers k
               where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group) is null
    ) then
        perform queen.pop_sm_join(p_partition_id, p_consumer_group, p_start);
        perform queen.recount_room_v1(p_partition_id);
    end if;

    v_now := clock_timestamp();
    for v_candidate in
        select c.*, q.name as queue_name, p.name as partition_name, p.head, p.tail, p.last_push_at,
               p.delayed_until, q.window_buffer, q.delayed_processing, coalesce(nullif(q.lease_time, 0), 60) as lease_time,
               k.*
        from (
            select c as ord, p_request[c] as request, p_partition_id[c] as partition_id, p_consumer_group[c] as consumer_group,
                   p_batch[c] as batch, p_partitions[c] as partitions, p_lease_id[c] as fresh_id, p_auto_ack[c] as auto_ack
            from generate_series(1, cardinality(p_request)) c
        ) c
        left join lateral (
            select p.queue_id, p.name, p.head, p.tail, p.last_push_at, p.delayed_until
            from queen.partitions p where p.id = c.partition_id limit 1
        ) p on true
        left join lateral (
            select q.name, q.window_buffer, q.delayed_processing, q.lease_time
            from queen.queues q where q.id = p.queue_id limit 1
        ) q on true
        left join lateral (
            select k.ctid as place, k.cursor, k.lease_id, k.lease_expires_at, k.retry_count, k.redriven, k.retry_at
            from queen.partition_consumers k
            where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group
            for update skip locked
        ) k on true
    loop
        if v_candidate.request is distinct from v_request then
            v_request := v_candidate.request;
            v_wanted := v_candidate.batch;
            v_claims := 0;
        end if;
        candidate := v_candidate.ord;
        queue_name := v_candidate.queue_name;
        partition_name := v_candidate.partition_name;
        retry_count := coalesce(v_candidate.retry_count, 0);
        first_seq := null;
        last_seq := null;
        lease_id := null;
        more := false;
        v_due_at := null;
        v_cursor := greatest(v_candidate.cursor, v_candidate.tail);
        if v_candidate.redriven > 0 then
            select l.place, l.waiting into v_candidate.place, v_candidate.redriven
            from queen.redriven_left_v1(v_candidate.partition_id, v_candidate.consumer_group, v_candidate.place,
                v_candidate.redriven) l;
        end if;

        outcome := queen.pop_outcome_v1(v_candidate.queue_name, v_candidate.cursor, v_candidate.lease_expires_at,
            p_again and queen.is_lease_for(v_candidate.lease_id, v_candidate.fresh_id), v_candidate.retry_at,
            v_candidate.redriven, v_candidate.head, v_cursor, v_candidate.window_buffer, v_candidate.last_push_at, v_now);
        if outcome <> 'free' then
            v_due_at := case outcome
                when 'leased' then v_candidate.lease_expires_at
                when 'delayed' then v_candidate.retry_at
                when 'window' then v_candidate.last_push_at + make_interval(secs => v_candidate.window_buffer)
            end;
        elsif v_candidate.redriven = 0 then
            last_seq := v_candidate.head;
            if v_candidate.delayed_processing > 0 or v_candidate.delayed_until > v_now then
                -- The first message of the batch that is not due yet: it waits, and so does all that comes after it.
                select m.seq - 1, m.nth = 1, m.due_at
                into v_before, v_waits, v_due_at
                from (
                    select m.seq, row_number() over () as nth, queen.due_at_v1(
                        m.created_at, m.deliver_at, v_candidate.delayed_processing) as due_at
                    from (
                        select m.seq, m.created_at, m.deliver_at
                        from queen.messages m
                        where m.partition_id = v_candidate.partition_id and m.seq > v_cursor
                        order by m.seq
                        limit v_candidate.batch
                    ) m
                ) m
                where m.due_at > v_now
                limit 1;
                if v_waits then
                    outcome := 'delayed';
                else
                    v_due_at := null;
                end if;
                last_seq := least(v_candidate.head, v_before);
            end if;
        end if;

        if outcome = 'free' and v_claims < v_candidate.partitions and v_wanted > 0 then
            outcome := 'claimed';
            due_ms := v_candidate.lease_time * 1000::bigint;
            if v_claims > 0 then
                v_shared := true;
                lease_id := v_lease_ids[cardinality(v_lease_ids)];
            elsif not v_candidate.auto_ack then
                lease_id := queen.lease_id_for(v_candidate.fresh_id, v_candidate.partition_id);
            end if;
            if v_candidate.redriven > 0 then
                select * into v_again
                from queen.take_redriven_v1(v_candidate.partition_id, v_candidate.consumer_group, lease_id, v_wanted,
                    p_bytes / v_candidate.partitions);
                if v_again.seqs is null then
                    outcome := 'locked';
                    lease_id := null;
                    due_ms := null;
                    return next;
                    continue;
                end if;
                first_seq := v_again.seqs[1] - 1;
                last_seq := v_again.seqs[cardinality(v_again.seqs)];
                retry_count := v_again.retry_count;
                more := v_candidate.redriven > cardinality(v_again.seqs) or v_candidate.head > v_cursor;
                v_wanted := v_wanted - cardinality(v_again.seqs);
                v_redriven := v_redriven || case when lease_id is null then cardinality(v_again.seqs) else 0 end;
                v_again_ords := v_again_ords || array_fill(v_candidate.ord, array[cardinality(v_again.seqs)]);
                v_again_seqs := v_again_seqs || v_again.seqs;
            else
                first_seq := v_cursor;
                last_seq := least(last_seq, v_cursor + v_wanted);
                more := v_candidate.head > last_seq;
                v_wanted := v_wanted - (last_seq - first_seq);
                v_redriven := v_redriven || 0;
            end if;
            v_claims := v_claims + 1;
            v_rows := v_rows || v_candidate.place;
            v_candidates := v_candidates || v_candidate.ord;
            v_partition_ids := v_partition_ids || v_candidate.partition_id;
            v_lease_ids := v_lease_ids || lease_id;
            v_lease_times := v_lease_times || v_candidate.lease_time;
            v_cursors := v_cursors || v_cursor;
            v_ends := v_ends || last_seq;
        else
            last_seq := null;
            due_ms := ceil(extract(epoch from v_due_at - v_now) * 1000);
        end if;
        return next;
    end loop;

    if v_rows is null then
        return;
    end if;
    update queen.partition_consumers k
    set cursor = greatest(v_cursors[c], case when v_lease_ids[c] is null then v_ends[c] end),
        lease_id = v_lease_ids[c],
        lease_expires_at = case when v_lease_ids[c] is not null then v_now + make_interval(secs => v_lease_times[c]) end,
        lease_last_seq = case when v_lease_ids[c] is not null then v_ends[c] end,
        retry_count = case when v_lease_ids[c] is null and v_ends[c] > v_cursors[c] then 0 else k.retry_count end,
        redriven = k.redriven - v_redriven[c],
        retry_at = null,
        total_consumed = k.total_consumed + case when v_lease_ids[c] is null then greatest(v_ends[c] - v_cursors[c], 0) else 0 end,
        total_batches = k.total_batches + (v_lease_ids[c] is null)::integer,
        last_consumed_at = v_now,
        progressed_at = case when v_lease_ids[c] is null then v_now else k.progressed_at end,
        leased_by = case when v_lease_ids[c] is null then k.leased_by else p_holder[v_candidates[c]] end
    from generate_series(1, cardinality(v_rows)) c
    where k.ctid = v_rows[c];

    if v_shared then
        insert into queen.shared_leases (lease_id, consumer_group, partition_ids)
        select c.lease_id, min(p_consumer_group[c.candidate]), array_agg(p_partition_id[c.candidate])
        from unnest(v_candidates, v_lease_ids) c (candidate, lease_id)
        where c.lease_id is not null
        group by c.lease_id
        having count(*) > 1
        on conflict do nothing;

        v_bytes := array(
            select p_bytes / count(*) over (partition by p_request[c.candidate])
            from unnest(v_candidates) with ordinality c (candidate, ord)
            order by c.ord);
    else
        v_bytes := array_fill(p_bytes, array[cardinality(v_rows)]);
    end if;

    if p_bytes is null then
        return;
    elsif v_again_ords is not null then
        return query
        select v_again_ords[r], null::text, null::text, null::text, null::bigint, null::bigint, null::bigint, null::uuid,
               null::integer, null::boolean, m.seq, m.id, m.transaction_id, m.trace_id, m.payload, m.is_encrypted,
               m.producer_sub, m.created_at, m.headers, m.deliver_at
        from generate_series(1, cardinality(v_again_ords)) r
        cross join lateral (
            select m.* from queen.messages m
            where m.partition_id = p_partition_id[v_again_ords[r]] and m.seq = v_again_seqs[r]
            limit 1
        ) m;
    end if;

    if not v_auto then
        return query
        select v_candidates[m.claim], null::text, null::text, null::text, null::bigint, null::bigint, null::bigint, null::uuid,
               null::integer, null::boolean, m.seq, m.id, m.transaction_id, m.trace_id, m.payload, m.is_encrypted,
               m.producer_sub, m.created_at, m.headers, m.deliver_at
        from queen.pop_sm_fetch(v_partition_ids, v_cursors, v_ends, v_bytes) m;
        return;
    end if;

    return query
    with read as materialized (
        select * from queen.pop_sm_fetch(v_partition_ids, v_cursors, v_ends, v_bytes)
    ), cut as (
        update queen.partition_consumers k
        set cursor = c.next, total_consumed = k.total_consumed - (v_ends[c.claim] - c.next)
        from (
            select r.claim, (
                select min(m.seq) - 1
                from queen.messages m
                where m.partition_id = v_partition_ids[r.claim] and m.seq > r.seq and m.seq <= v_ends[r.claim]) as next
            from (select r.claim, max(r.seq) as seq from read r group by r.claim) r
            where r.seq < v_ends[r.claim] and v_lease_ids[r.claim] is null
        ) c
        cross join lateral (
            select o.ctid as place
            from queen.partition_consumers o
            where o.partition_id = v_partition_ids[c.claim] and o.consumer_group = p_consumer_group[v_candidates[c.claim]]
            limit 1
        ) o
        where k.ctid = o.place and c.next is not null
        returning k.partition_id
    ), news as (
        insert into queen.push_log (queue_id, partition_ids)
        select p.queue_id, array_agg(p.id)
        from cut c
        cross join lateral (select p.queue_id, p.id from queen.partitions p where p.id = c.partition_id limit 1) p
        group by p.queue_id
    )
    select v_candidates[m.claim], null::text, null::text, null::text, null::bigint, null::bigint, null::bigint, null::uuid,
           null::integer, null::boolean, m.seq, m.id, m.transaction_id, m.trace_id, m.payload, m.is_encrypted,
           m.producer_sub, m.created_at, m.headers, m.deliver_at
    from read m;
end
$$;

-- pop_outcome_v1(what a row says, now) → gone, locked, leased, delayed, empty, window or free
-- The rule of a pop: what it finds at a candidate. The first that applies counts; p_own: the lease is the caller's own, of
-- the same call sent before. Redriven messages have waited before: no window holds them. A free candidate of a queue with
-- delayed_processing, or of a partition with messages that have a deliver_at, may still be delayed, which only its messages
-- tell.
-- An expression: pop_sm_take takes it in and calls nothing.
create or replace function queen.pop_outcome_v1(
    p_queue_name text, p_cursor bigint, p_lease_expires_at timestamptz, p_own boolean, p_retry_at timestamptz,
    p_redriven integer, p_head bigint, p_position bigint, p_window_buffer integer, p_last_push_at timestamptz,
    p_now timestamptz) returns text
language sql stable
as $$
    select case
        when p_queue_name is null then 'gone'
        when p_cursor is null then 'locked'
        when p_lease_expires_at > p_now and not p_own then 'leased'
        when p_retry_at > p_now then 'delayed'
        when p_redriven > 0 then 'free'
        when p_head <= p_position then 'empty'
        when p_window_buffer > 0 and p_last_push_at > p_now - make_interval(secs => p_window_buffer) then 'window'
        else 'free'
    end
$$;

-- due_at_v1(created at, deliver at, delay) → time
-- When a message may be delivered: when its queue's delayed_processing is over and its own deliver_at has come. Null for
-- at once. An expression: the caller's statement takes it in.
create or replace function queen.due_at_v1(
    p_created_at timestamptz, p_deliver_at timestamptz, p_delayed_processing integer) returns timestamptz
language sql stable
as $$
    select greatest(
        case when p_delayed_processing > 0 then p_created_at + make_interval(secs => p_delayed_processing) end, p_deliver_at)
$$;

-- pop_sm_join(candidates) → nothing
-- Creates the rows of groups that are new to partitions, each at the start that its subscription says, or at p_start.
--
-- Takes  arrays of one length, as pop_sm_take has them. Those that have a row already are left as they are.
-- Locks  the partitions, against being deleted (a push does not wait for that), passing over those that are, and the rows
--        it creates, in key order. An insert has to wait for another of the same row, a pop does not wait: after
--        ten milliseconds, in which another pop is done, each row is tried alone, and what another transaction creates is
--        left to that one. To pop_sm_take such a row is locked.
create or replace function queen.pop_sm_join(p_partition_id uuid[], p_consumer_group text[], p_start timestamptz[]) returns void
language plpgsql
set lock_timeout = '10ms'
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
begin
    if cardinality(p_partition_id) = 1 then
        perform set_config('lock_timeout', '1ms', true);
    end if;
    insert into queen.partition_consumers (partition_id, consumer_group, cursor)
    select c.partition_id, c.consumer_group, case when s.start is null then 0 else queen.seq_before(c.partition_id, s.start) end
    from unnest(p_partition_id, p_consumer_group, p_start) c (partition_id, consumer_group, start)
    cross join lateral (
        -- Not while its queue is being deleted, or the row would refer to nothing.
        select p.name, p.queue_id from queen.partitions p where p.id = c.partition_id for key share skip locked
    ) p
    cross join lateral (select q.name from queen.queues q where q.id = p.queue_id limit 1) q
    cross join lateral (
        select case when c.consumer_group = '__QUEUE_MODE__' then null else coalesce(
            (select u.subscription_timestamp from queen.subscriptions u
             where u.queue_name = q.name and u.consumer_group = c.consumer_group and u.partition_name = p.name and p.name <> ''),
            (select u.subscription_timestamp from queen.subscriptions u
             where u.queue_name = q.name and u.consumer_group = c.consumer_group and u.partition_name = ''),
            c.start) end as start
    ) s
    where (select true from queen.partition_consumers k
           where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group) is null
    order by c.partition_id, c.consumer_group
    on conflict do nothing;
exception when lock_not_available then
    for c in 1 .. cardinality(p_partition_id) loop
        exit when cardinality(p_partition_id) = 1;
        perform queen.pop_sm_join(p_partition_id[c:c], p_consumer_group[c:c], p_start[c:c]);
    end loop;
end
$$;

-- pop_sm_shorten(leases) → nothing
-- Makes leases as short as what was read under them: the rest of their messages was too large for one answer and comes
-- with the next pop, when what was read is acked.
--
-- Takes  arrays of one length: partition, group, the lease, the last sequence number that was read.
-- Locks  rows of partition_consumers in key order.
create or replace function queen.pop_sm_shorten(
    p_partition_id uuid[], p_consumer_group text[], p_lease_id uuid[], p_read bigint[]) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_rows  tid[];
    v_reads bigint[];
begin
    select array_agg(k.place), array_agg(c.read)
    into v_rows, v_reads
    from (
        -- Sorted before it is joined: the rows are locked in this order.
        select * from unnest(p_partition_id, p_consumer_group, p_lease_id, p_read)
            c (partition_id, consumer_group, lease_id, read)
        order by c.partition_id, c.consumer_group
    ) c
    cross join lateral (
        select k.ctid as place
        from queen.partition_consumers k
        where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group and k.lease_id = c.lease_id
        for update
    ) k;

    update queen.partition_consumers k
    set lease_last_seq = v_reads[c]
    from generate_series(1, cardinality(v_rows)) c
    where k.ctid = v_rows[c];
end
$$;

-- pop_sm_rest(claims, seconds) → nothing
-- Lets claims rest that nobody was given: their leases end after so many seconds, and until then no pop tries them again.
-- Of a server whose key does not open what it claimed; another server may have the right one.
--
-- Takes  arrays of one length: partition, group, the lease. Only those still held under that lease are touched.
-- Locks  rows of partition_consumers in key order.
create or replace function queen.pop_sm_rest(
    p_partition_id uuid[], p_consumer_group text[], p_lease_id uuid[], p_seconds integer) returns void
language plpgsql
as $$
begin
    perform
    from queen.partition_consumers k
    join unnest(p_partition_id, p_consumer_group, p_lease_id) c (partition_id, consumer_group, lease_id)
        on k.partition_id = c.partition_id and k.consumer_group = c.consumer_group and k.lease_id = c.lease_id
    order by k.partition_id, k.consumer_group
    for update of k;

    update queen.partition_consumers k
    set lease_expires_at = least(k.lease_expires_at, clock_timestamp() + make_interval(secs => p_seconds))
    from unnest(p_partition_id, p_consumer_group, p_lease_id) c (partition_id, consumer_group, lease_id)
    where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group and k.lease_id = c.lease_id;
end
$$;

-- pop_sm_standing(queue name, partition, its name, head and last push, group) → cursor, lease_expires_at, retry_at, last_consumed_at,
-- redriven
-- Where a group stands in a partition: always one row. Without a cursor it stands where its subscription begins: at the
-- head when the last push was before that, else somewhere before it, which is told as 0 (seq_before knows exactly).
-- A view with parameters: the caller's statement takes it in, and runs under the caller's settings.
create or replace function queen.pop_sm_standing(
    p_queue_name text, p_partition_id uuid, p_partition_name text, p_head bigint, p_last_push_at timestamptz, p_consumer_group text)
returns table (
    cursor bigint, lease_expires_at timestamptz, retry_at timestamptz, last_consumed_at timestamptz, redriven integer)
language sql stable
as $$
    select coalesce(c.cursor, case when p_consumer_group <> '__QUEUE_MODE__' and p_last_push_at < coalesce(
               (select s.subscription_timestamp from queen.subscriptions s
                where s.queue_name = p_queue_name and s.consumer_group = p_consumer_group
                  and s.partition_name = p_partition_name and p_partition_name <> ''),
               (select s.subscription_timestamp from queen.subscriptions s
                where s.queue_name = p_queue_name and s.consumer_group = p_consumer_group and s.partition_name = ''))
               then p_head else 0 end),
           c.lease_expires_at, c.retry_at, c.last_consumed_at, coalesce(c.redriven, 0)
    from (select) one
    left join lateral (
        select c.cursor, c.lease_expires_at, c.retry_at, c.last_consumed_at, c.redriven
        from queen.partition_consumers c
        where c.partition_id = p_partition_id and c.consumer_group = p_consumer_group
        limit 1
    ) c on true
$$;

-- session_holder_v1() → text
-- Who holds what is leased by SQL: the session, by its address and the application_name it gave.
create or replace function queen.session_holder_v1() returns text
language sql stable
as $$
    select rtrim(concat_ws(' ', coalesce(host(inet_client_addr()), 'local'), left(current_setting('application_name'), 100)))
$$;
