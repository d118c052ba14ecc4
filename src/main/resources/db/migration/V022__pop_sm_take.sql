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
--        p_bytes         payload bytes of one request, about: each of its partitions has the same part of them, and the
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
--        then the messages, claim after claim in sequence order: candidate, seq … created_at; outcome is null.
--
-- Messages that were redriven for the group come before all others and in claims of their own, see V110: first_seq and
-- last_seq are then before the cursor, and only some of the messages between them are the request's.
--
-- A claim that auto-acked and was cut off by p_bytes is corrected here, in the transaction that moved its cursor: the
-- cursor goes to before the next message, and what is left is news. A lease that was cut off, or under which all had been
-- removed, the caller corrects (pop_sm_shorten, pop_sm_release): until then it only looks longer than it is.
--
-- One statement locks and reads the candidates, one writes the claims, one reads the messages; what is between is decided
-- in plain code, because a lone pop is the common call, and starting up one large statement costs more than all the rows
-- it touches. None sorts: nothing but nested loops is allowed, and they keep the order of the series they start from.
-- Creates the row of a group that is new to a partition, at the start that its subscription says.
-- Locks  partitions that are new to a group, against being deleted (a push does not wait for that), then rows of
--        partition_consumers; skips what others hold: a pop never waits.
-- The lease is committed without waiting for the disk unless something was acked: a lease lost in a crash of
-- PostgreSQL is one that ended early.
create function queen.pop_sm_take(
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
    created_at     timestamptz
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
    v_old           timestamptz;
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
               q.window_buffer, q.delayed_processing, coalesce(nullif(q.lease_time, 0), 60) as lease_time,
               k.*
        from (
            select c as ord, p_request[c] as request, p_partition_id[c] as partition_id, p_consumer_group[c] as consumer_group,
                   p_batch[c] as batch, p_partitions[c] as partitions, p_lease_id[c] as fresh_id, p_auto_ack[c] as auto_ack
            from generate_series(1, cardinality(p_request)) c
        ) c
        left join lateral (
            select p.queue_id, p.name, p.head, p.tail, p.last_push_at
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

        if v_candidate.queue_name is null then
            outcome := 'gone';
        elsif v_candidate.cursor is null then
            outcome := 'locked';
        elsif v_candidate.lease_expires_at > v_now
              and not (p_again and v_candidate.lease_id::text like left(v_candidate.fresh_id::text, 28) || '%') then
            outcome := 'leased';
            v_due_at := v_candidate.lease_expires_at;
        elsif v_candidate.retry_at > v_now then
            outcome := 'delayed';
            v_due_at := v_candidate.retry_at;
        elsif v_candidate.redriven > 0 then
            outcome := 'free';
        elsif v_candidate.head <= v_cursor then
            outcome := 'empty';
        elsif v_candidate.window_buffer > 0
              and v_candidate.last_push_at > v_now - make_interval(secs => v_candidate.window_buffer) then
            outcome := 'window';
            v_due_at := v_candidate.last_push_at + make_interval(secs => v_candidate.window_buffer);
        else
            outcome := 'free';
            last_seq := v_candidate.head;
            if v_candidate.delayed_processing > 0 then
                -- The last message of the batch that is old enough, and when the first is that is not.
                v_old := v_now - make_interval(secs => v_candidate.delayed_processing);
                select coalesce(max(m.seq) filter (where m.created_at <= v_old), v_candidate.head),
                       case when min(m.created_at) > v_old
                            then min(m.created_at) + make_interval(secs => v_candidate.delayed_processing) end
                into last_seq, v_due_at
                from (
                    select m.seq, m.created_at
                    from queen.messages m
                    where m.partition_id = v_candidate.partition_id and m.seq > v_cursor
                    order by m.seq
                    limit v_candidate.batch
                ) m;
                if v_due_at is not null then
                    outcome := 'delayed';
                end if;
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
               m.producer_sub, m.created_at
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
               m.producer_sub, m.created_at
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
           m.producer_sub, m.created_at
    from read m;
end
$$;
