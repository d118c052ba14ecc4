-- Ack: what was processed, or failed. ack_messages_v2 → ack_list_v1; redriven messages through ack_redriven_v1 in
-- R__dead_letter.sql.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- ---------------------------------------------------------------------------------------------------------------------
-- Public SQL interface: applications call what follows. Names, arguments and answers stay.
-- ---------------------------------------------------------------------------------------------------------------------

-- ack_messages_v2(acknowledgments) → results
-- Acknowledges from SQL, inside the caller's own transaction if it has one open.
--
--   select queen.ack_messages_v2('[{"partitionId": "…", "transactionId": "…", "consumerGroup": "billing"}]');
--
-- Takes  an array of objects: transactionId and partitionId (required), status ('completed'; 'success', 'failed', 'dlq',
--        'retry'), leaseId (checked when given), consumerGroup ('__QUEUE_MODE__'), error.
-- Gives  an array in the same order: index, transactionId, success, error, queueName, partitionName, leaseReleased, dlq.
-- Fails  with QU001 on an unknown status or a missing id. Locks and order as in ack_list_v1.
create or replace function queen.ack_messages_v2(p_acknowledgments jsonb) returns jsonb
language plpgsql
as $$
declare
    v_result jsonb;
begin
    if exists (
        select from jsonb_array_elements(p_acknowledgments) a
        where coalesce(a ->> 'status', 'completed') not in ('completed', 'success', 'failed', 'dlq', 'retry')
           or a ->> 'transactionId' is null or a ->> 'partitionId' is null)
    then
        raise exception 'every acknowledgment needs a transactionId, a partitionId and a known status'
            using errcode = 'QU001';
    end if;

    with ack as (
        select a.item ->> 'transactionId' as transaction_id, a.ord
        from jsonb_array_elements(p_acknowledgments) with ordinality a (item, ord)
    ), outcome as (
        select r.*
        from (
            select array_agg((a ->> 'partitionId')::uuid order by ord) as partition_id,
                   array_agg(a ->> 'transactionId' order by ord) as transaction_id,
                   array_agg(coalesce(a ->> 'consumerGroup', '__QUEUE_MODE__') order by ord) as consumer_group,
                   array_agg(nullif(a ->> 'leaseId', '')::uuid order by ord) as lease_id,
                   array_agg(case coalesce(a ->> 'status', 'completed') when 'success' then 'completed'
                             else coalesce(a ->> 'status', 'completed') end order by ord) as status,
                   array_agg(a ->> 'error' order by ord) as error
            from jsonb_array_elements(p_acknowledgments) with ordinality e (a, ord)
        ) a
        cross join lateral queen.ack_list_v1(a.partition_id, a.transaction_id, a.consumer_group, a.lease_id, a.status, a.error)
            with ordinality r (error, queue_name, partition_name, lease_released, dlq, pending, ord)
        where a.partition_id is not null
    )
    select jsonb_agg(jsonb_build_object('index', a.ord - 1, 'transactionId', a.transaction_id, 'success', o.error is null,
            'error', o.error, 'queueName', o.queue_name, 'partitionName', o.partition_name,
            'leaseReleased', o.lease_released, 'dlq', o.dlq) order by a.ord)
    into v_result
    from ack a
    join outcome o using (ord);
    return coalesce(v_result, '[]');
end
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- The server's own: what follows may change with every release.
-- ---------------------------------------------------------------------------------------------------------------------

-- ack_list_v1(acks) → one row per ack, in the order given
-- The server's own way to acknowledge: one list of any size over any partitions and groups, one transaction.
--
-- Takes  arrays of one length: partition id, transaction id, consumer group, lease id (null: not checked), status
--        ('completed', 'failed', 'dlq' or 'retry'), error text for dead letters. p_again: the list was sent before and
--        its outcome is not known; a lease that ended by the first sending is then no error.
-- Gives  error          null, 'Message not found' or 'Invalid or expired lease', which goes on when another group holds it
--                       (lease_error_v1). A refused ack changes nothing
--        queue_name, partition_name   null when the partition is unknown
--        lease_released the (partition, group) has no lease afterwards
--        dlq            this ack dead-lettered its message
--        pending        the partition has messages that the group may pop now
--
-- Locks  rows of partition_consumers in key order; nothing else.
-- Order  Acks of one (partition, group) apply in sequence order, whatever their order in the list. `completed` moves the
--        cursor to its message. `failed` with retries left, and `retry`, end the lease and the run: what comes after is
--        a lease error, and is delivered again; after `failed` not before the wait of retry_wait_v1.
--        `failed` without retries left, and `dlq`, dead-letter and move on; the retry counter starts anew. The cursor
--        never moves back. A lease speaks for what was delivered under it, not for what was pushed since, and ends when
--        no message delivered under it is left behind the cursor. Redriven messages, which lie before the cursor, are
--        looked for only when the group has some: see R__dead_letter.sql.
--
-- One statement finds the messages, one locks and reads the (partition, group) rows, one writes them; what is between is
-- decided in plain code, ack by ack, by the rule in ack_verdict_v1: starting up one large statement costs more than the
-- rows of a usual list. Settings, and writing by ctid: see R__push.sql.
create or replace function queen.ack_list_v1(
    p_partition_id   uuid[],
    p_transaction_id text[],
    p_consumer_group text[],
    p_lease_id       uuid[],
    p_status         text[],
    p_error          text[],
    p_again          boolean default false
) returns table (
    error          text,
    queue_name     text,
    partition_name text,
    lease_released boolean,
    dlq            boolean,
    pending        boolean
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
    v_key           record;
    v_ord           integer;
    v_seqs          bigint[];
    v_seq           bigint;
    v_cursor        bigint;
    v_verdict       text;
    v_stopped       text;
    v_dead          boolean;
    v_dead_seq      bigint;
    v_complete      boolean;
    v_released      boolean;
    v_pending       boolean;
    v_again         record;
    v_done          integer;
    v_stays         boolean;
    v_failures      integer;
    v_wait          integer;
    v_count         integer := cardinality(p_partition_id);
    -- One element per ack.
    v_errors        text[] := array_fill(null::text, array[v_count]);
    v_queues        text[] := v_errors;
    v_partitions    text[] := v_errors;
    v_releases      boolean[] := array_fill(false, array[v_count]);
    v_dlqs          boolean[] := v_releases;
    v_pendings      boolean[] := v_releases;
    -- One element per row that changes.
    v_rows          tid[];
    v_cursors       bigint[];
    v_ends          boolean[];
    v_completes     boolean[];
    v_retry_counts  integer[];
    v_delays        integer[];
    v_dones         integer[];
    -- One element per message that is dead now.
    v_dead_ords     integer[];
    v_dead_retries  integer[];
    -- One element per partition that is free before its time, with messages left: news to the other servers.
    v_news          uuid[];
begin
    v_seqs := array(
        select (select m.seq from queen.messages m
                where m.partition_id = p_partition_id[a] and m.transaction_id = p_transaction_id[a])
        from generate_series(1, v_count) a
        order by a);

    if array_position(p_lease_id, null) is not null then
        -- An ack without a lease works for a group that never popped here: it needs its row. Not when it will be
        -- refused: a group that is only named would be the slowest of all.
        insert into queen.partition_consumers (partition_id, consumer_group, cursor)
        select distinct a.partition_id, a.consumer_group, queen.first_cursor_v1(a.partition_id, a.consumer_group)
        from unnest(p_partition_id, p_consumer_group, p_lease_id, v_seqs) a (partition_id, consumer_group, lease_id, seq)
        where a.lease_id is null and a.seq is not null
          and (select true from queen.partitions p where p.id = a.partition_id)
          and (select true from queen.partition_consumers c
               where c.partition_id = a.partition_id and c.consumer_group = a.consumer_group) is null
        order by a.partition_id, a.consumer_group
        on conflict do nothing;
        if found then
            perform queen.recount_room_v1(p_partition_id);
        end if;
    end if;

    for v_key in
        select a.*, p.name as partition_name, p.head, q.name as queue_name, q.retry_limit,
               q.retry_delay, q.retry_backoff, q.retry_delay_max, q.retry_jitter, c.*
        from (
            -- Sorted before it is joined: the rows are locked in this order.
            select p_partition_id[a] as partition_id, p_consumer_group[a] as consumer_group, array_agg(a order by v_seqs[a], a) as ords
            from generate_series(1, v_count) a
            group by 1, 2
            order by 1, 2
        ) a
        left join lateral (
            select p.queue_id, p.name, p.head from queen.partitions p where p.id = a.partition_id limit 1
        ) p on true
        left join lateral (
            select q.name, q.retry_limit, q.retry_delay, q.retry_backoff, q.retry_delay_max, q.retry_jitter
            from queen.queues q where q.id = p.queue_id limit 1
        ) q on true
        left join lateral (
            select c.ctid as place, c.cursor, c.lease_id, c.lease_expires_at, c.lease_last_seq, c.retry_count, c.redriven
            from queen.partition_consumers c
            where c.partition_id = a.partition_id and c.consumer_group = a.consumer_group
            for update
        ) c on true
    loop
        v_cursor := null;
        v_stopped := null;
        v_dead := false;
        v_dead_seq := null;
        v_done := 0;
        v_failures := null;
        v_wait := 0;
        foreach v_ord in array v_key.ords loop
            v_queues[v_ord] := v_key.queue_name;
            v_partitions[v_ord] := v_key.partition_name;
            v_seq := v_seqs[v_ord];
            v_verdict := queen.ack_verdict_v1(v_seq, v_key.queue_name, p_status[v_ord], p_lease_id[v_ord], v_key.lease_id,
                v_key.lease_expires_at <= clock_timestamp(), v_key.lease_last_seq, v_key.cursor, v_key.redriven,
                v_key.retry_count, v_key.retry_limit, p_again, v_stopped, v_cursor, v_dead);
            if v_verdict = 'completed' then
                v_cursor := v_seq;
            elsif v_verdict = 'dead' then
                v_cursor := v_seq;
                v_dead := true;
                v_dead_seq := v_seq;
                v_dlqs[v_ord] := true;
                v_dead_ords := v_dead_ords || v_ord;
                v_dead_retries := v_dead_retries || v_key.retry_count;
            elsif v_verdict = 'stop' then
                v_stopped := p_status[v_ord];
            elsif v_verdict = 'unknown' then
                v_errors[v_ord] := 'Message not found';
            elsif v_verdict = 'refused' then
                v_errors[v_ord] := queen.lease_error_v1(v_key.partition_id, v_key.consumer_group, p_lease_id[v_ord]);
            elsif v_verdict = 'late' then
                v_errors[v_ord] := 'Invalid or expired lease';
            elsif v_verdict = 'same' then
                v_dlqs[v_ord] := v_seq is not distinct from v_dead_seq;
            elsif v_verdict = 'redriven' then
                select * into v_again
                from queen.ack_redriven_v1(v_key.partition_id, v_key.consumer_group, v_seq, p_lease_id[v_ord], v_key.lease_id,
                    p_status[v_ord], v_stopped is not null, v_key.retry_limit, p_error[v_ord]);
                v_done := v_done + v_again.done;
                if v_again.verdict = 'late' then
                    v_errors[v_ord] := 'Invalid or expired lease';
                elsif v_again.verdict in ('failed', 'retry') then
                    v_stopped := v_again.verdict;
                    v_failures := v_again.failures;
                elsif v_again.verdict = 'dead' then
                    v_dead_seq := v_seq;
                end if;
                v_dlqs[v_ord] := v_seq is not distinct from v_dead_seq;
            end if;
        end loop;

        v_released := v_key.lease_id is null;
        v_pending := false;
        if v_cursor is not null or v_stopped is not null or v_done > 0 then
            -- The lease is for redriven messages, so what becomes of it says nothing of the batch after the cursor.
            v_stays := v_cursor is null and coalesce(v_key.lease_last_seq <= v_key.cursor, true);
            v_complete := v_stopped is null and case
                when v_key.lease_last_seq is null then true
                when v_key.lease_last_seq <= v_key.cursor then not queen.holds_redriven_v1(
                    v_key.partition_id, v_key.consumer_group, v_key.lease_id, v_key.lease_last_seq)
                else v_cursor >= v_key.lease_last_seq or not exists (
                    select from queen.messages m
                    where m.partition_id = v_key.partition_id and m.seq > coalesce(v_cursor, v_key.cursor)
                      and m.seq <= v_key.lease_last_seq)
            end;
            v_released := v_released or v_complete or v_stopped is not null;
            v_pending := v_released and (v_key.head > coalesce(v_cursor, v_key.cursor) or v_key.redriven > v_done);
            v_rows := v_rows || v_key.place;
            v_cursors := v_cursors || v_cursor;
            v_ends := v_ends || (v_complete or v_stopped is not null);
            v_completes := v_completes || (v_complete and v_key.lease_id is not null);
            v_dones := v_dones || v_done;
            v_retry_counts := v_retry_counts || queen.ack_retry_count_v1(v_key.retry_count, v_stays,
                v_complete or (v_cursor is not null and v_key.lease_last_seq <= v_key.cursor),
                v_stopped = 'failed' and v_key.lease_id is not null, v_dead);
            if v_stopped = 'failed' then
                v_wait := queen.retry_wait_v1(v_key.retry_delay, v_key.retry_backoff, v_key.retry_delay_max,
                    v_key.retry_jitter, coalesce(v_failures, v_retry_counts[cardinality(v_retry_counts)]));
            end if;
            v_delays := v_delays || v_wait;
        end if;
        if v_pending then
            v_news := v_news || v_key.partition_id;
        end if;
        foreach v_ord in array v_key.ords loop
            v_releases[v_ord] := v_released;
            v_pendings[v_ord] := v_pending;
        end loop;
    end loop;

    if v_rows is not null then
        update queen.partition_consumers c
        set cursor = coalesce(v_cursors[k], c.cursor),
            total_consumed = c.total_consumed + coalesce(v_cursors[k] - c.cursor, 0),
            redriven = c.redriven - v_dones[k],
            last_consumed_at = case when v_cursors[k] is null and v_dones[k] = 0 then c.last_consumed_at
                else clock_timestamp() end,
            progressed_at = case when v_cursors[k] is null and v_dones[k] = 0 then c.progressed_at else clock_timestamp() end,
            total_batches = c.total_batches + v_completes[k]::integer,
            retry_count = v_retry_counts[k],
            retry_at = case when v_delays[k] > 0 then clock_timestamp() + v_delays[k] * interval '1 ms' else c.retry_at end,
            lease_id = case when v_ends[k] then null else c.lease_id end,
            lease_expires_at = case when v_ends[k] then null else c.lease_expires_at end,
            lease_last_seq = case when v_ends[k] then null else c.lease_last_seq end
        from generate_series(1, cardinality(v_rows)) k
        where c.ctid = v_rows[k];
    end if;
    if v_dead_ords is not null then
        insert into queen.dead_letters
            (partition_id, consumer_group, seq, message_id, transaction_id, error_message, retry_count, failed_at)
        select m.partition_id, p_consumer_group[d.ord], m.seq, m.id, m.transaction_id,
               coalesce(nullif(p_error[d.ord], ''), 'Message processing failed'), d.retry_count, clock_timestamp()
        from unnest(v_dead_ords, v_dead_retries) d (ord, retry_count)
        cross join lateral (
            select m.* from queen.messages m
            where m.partition_id = p_partition_id[d.ord] and m.seq = v_seqs[d.ord]
            limit 1
        ) m
        on conflict do nothing;
    end if;
    if v_news is not null then
        insert into queen.push_log (queue_id, partition_ids)
        select p.queue_id, array_agg(p.id)
        from queen.partitions p
        where p.id = any (v_news)
        group by p.queue_id;
    end if;

    return query
    select v_errors[a], v_queues[a], v_partitions[a], v_releases[a], v_dlqs[a], v_pendings[a]
    from generate_series(1, v_count) a
    order by a;
end
$$;

-- ack_verdict_v1(ack, row, run) → unknown, refused, done, redriven, late, same, stop, dead or completed
-- The rule of an ack: what it does to its message. The first that applies counts.
--
--   unknown    there is no such message, or its queue was deleted: messages lie there until they are purged
--   refused    it names a lease, and that is not the group's, has expired, or does not reach as far as the message. Not when
--              the list was sent before (p_again) and the message is passed: the first sending may have ended the lease
--   done       the cursor has passed the message; the ack changes nothing
--   redriven   as done, but the group has redriven messages, and this may be one: ack_redriven_v1 decides
--   late       an ack of this list before it has ended the lease (p_stopped)
--   same       the same message as the ack before: the first ack counts
--   stop       retry, or failed with retries left: ends the lease, the message comes again. The retries of a batch start
--              anew behind a dead letter (p_dead)
--   dead       failed without retries left, or dlq: a dead letter, and the cursor passes it
--   completed  the cursor passes it
-- AckRuleTest has it as a table. An expression: ack_list_v1 takes it in and calls nothing.
create or replace function queen.ack_verdict_v1(
    p_seq bigint, p_queue_name text, p_status text, p_lease_id uuid,
    p_held_id uuid, p_held_expired boolean, p_held_last_seq bigint, p_cursor bigint, p_redriven integer, p_retry_count integer,
    p_retry_limit integer, p_again boolean, p_stopped text, p_moved_to bigint, p_dead boolean) returns text
language sql immutable
as $$
    select case
        when p_seq is null or p_queue_name is null then 'unknown'
        when p_lease_id is not null
             and (p_lease_id is distinct from p_held_id or p_held_expired or p_seq > p_held_last_seq)
             and not (p_again and p_seq <= p_cursor) then 'refused'
        when p_seq <= p_cursor then case when p_redriven = 0 then 'done' else 'redriven' end
        when p_stopped is not null then 'late'
        when p_seq = p_moved_to then 'same'
        when p_status = 'retry'
             or (p_status = 'failed' and p_retry_limit > 0 and (p_retry_count < p_retry_limit or p_dead)) then 'stop'
        when p_status in ('failed', 'dlq') then 'dead'
        else 'completed'
    end
$$;

-- ack_retry_count_v1(count, stays, passed, failed, dead) → the count of failed deliveries after the acks of a list
-- It stays when they were of redriven messages alone, and starts anew when the batch was passed, or behind a dead letter.
-- An expression, as ack_verdict_v1.
create or replace function queen.ack_retry_count_v1(
    p_retry_count integer, p_stays boolean, p_passed boolean, p_failed boolean, p_dead boolean) returns integer
language sql immutable
as $$
    select case
        when p_stays then p_retry_count
        when p_passed then 0
        when p_failed then case when p_dead then 1 else p_retry_count + 1 end
        when p_dead then 0
        else p_retry_count
    end
$$;

-- retry_wait_v1(delay, backoff, most, jitter, failures) → milliseconds until a failed batch comes again
-- The first failure waits the delay. `exponential` doubles it with each that follows, up to `most`: in double precision, and
-- thirty times at most, so that no number overflows. `jitter` is how many percent of the wait
-- chance may take away, never add: the cap holds, and batches that failed together do not come again together.
create or replace function queen.retry_wait_v1(
    p_delay integer, p_backoff text, p_most integer, p_jitter integer, p_failures integer) returns integer
language sql volatile
as $$
    select (case p_backoff
        when 'exponential' then least(p_most, p_delay * 2::double precision ^ least(greatest(p_failures - 1, 0), 30))
        else p_delay
    end * (1 - p_jitter * random() / 100))::integer
$$;

-- lease_error_v1(partition, group, lease) → text
-- What an ack is told whose lease is not its group's: who holds it, when another group does, because forgetting the
-- group is the common mistake. The text begins as it always did. Asked when an ack is refused, and only then.
create or replace function queen.lease_error_v1(p_partition_id uuid, p_consumer_group text, p_lease_id uuid) returns text
language sql stable
as $$
    select 'Invalid or expired lease' || coalesce((
        select ': it belongs to ' || case c.consumer_group
                   when '__QUEUE_MODE__' then 'the default group' else 'consumer group ''' || c.consumer_group || '''' end
               || ', and the ack names ' || case p_consumer_group
                   when '__QUEUE_MODE__' then 'no consumerGroup' else '''' || p_consumer_group || '''' end
        from queen.partition_consumers c
        where c.partition_id = p_partition_id and c.lease_id = p_lease_id and c.consumer_group <> p_consumer_group
          and c.lease_expires_at > clock_timestamp()
        limit 1), '')
$$;
