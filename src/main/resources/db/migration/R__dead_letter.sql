-- Dead letters: made by hand, listed, deleted, redriven; and redriven messages on their way. Acks make most of them
-- (R__ack.sql).
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- dead_letter_message_v1(partition, transaction id, group, error) → known, and what became of the group's lease
-- Makes a message a dead letter of a group by hand. When it is the message that the group would get next, the group's
-- cursor passes it, as an ack with status dlq would do. When the group has consumed it, or has others to consume
-- before, only the dead letter is written: the group's order stays as it is, and it will still get the message.
-- The same when the group never consumed the partition while others did: no cursor is made for it.
-- One that was redriven for the group, and waits or is being processed, is dead again.
--
-- Gives  known, queue_name, partition_name; lease_released and pending as ack_list_v1, for who waits.
-- Locks  the row of the group, as ack_list_v1.
create or replace function queen.dead_letter_message_v1(
    p_partition_id uuid, p_transaction_id text, p_consumer_group text, p_error text,
    out known boolean, out queue_name text, out partition_name text, out lease_released boolean, out pending boolean)
language plpgsql
as $$
declare
    v_seq    bigint;
    v_id     uuid;
    v_cursor bigint;
    v_others boolean;
    v_lease  uuid;
begin
    select c.cursor, c.lease_id into v_cursor, v_lease
    from queen.partition_consumers c
    where c.partition_id = p_partition_id and c.consumer_group = p_consumer_group
    for update;

    select m.seq, m.id, q.name, p.name,
           exists (select from queen.partition_consumers c where c.partition_id = p.id)
    into v_seq, v_id, queue_name, partition_name, v_others
    from queen.messages m
    join queen.partitions p on p.id = m.partition_id
    join queen.queues q on q.id = p.queue_id
    where m.partition_id = p_partition_id and m.transaction_id = p_transaction_id;
    known := v_seq is not null;
    lease_released := false;
    pending := false;
    if not known then
        return;
    end if;

    if (v_cursor is not null or not v_others) and v_seq > coalesce(v_cursor, 0) and not exists (
        select from queen.messages m
        where m.partition_id = p_partition_id and m.seq > coalesce(v_cursor, 0) and m.seq < v_seq)
    then
        select a.lease_released, a.pending into lease_released, pending
        from queen.ack_list_v1(
            array[p_partition_id], array[p_transaction_id], array[p_consumer_group], array[null::uuid], array['dlq'],
            array[p_error]) a;
    else
        insert into queen.dead_letters
            (partition_id, consumer_group, seq, message_id, transaction_id, error_message, failed_at)
        values (p_partition_id, p_consumer_group, v_seq, v_id, p_transaction_id, p_error, clock_timestamp())
        on conflict do nothing;
        delete from queen.redriven r
        where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group and r.seq = v_seq;
        if found then
            perform queen.settle_redriven_v1(p_partition_id, v_seq - 1, v_seq);
            select v_lease is not null and c.lease_id is null, p.head > c.cursor or c.redriven > 0
            into lease_released, pending
            from queen.partition_consumers c
            join queen.partitions p on p.id = c.partition_id
            where c.partition_id = p_partition_id and c.consumer_group = p_consumer_group;
        end if;
    end if;
end
$$;

-- list_dead_letters_v1(filters, limit, offset, visible, error) → total, letter, payload, is_encrypted
-- A page of dead letters, the newest failure first. One row each: letter is a JSON object without the payload, which is
-- given as it is stored; null when the message is gone. The first row is not a dead letter: it has the number of all
-- that match as total, and nulls.
create or replace function queen.list_dead_letters_v1(
    p_queue text, p_partition text, p_group text, p_from timestamptz, p_to timestamptz, p_limit integer, p_offset integer,
    p_visible text[] default null, p_error text default null)
returns table (total bigint, letter json, payload text, is_encrypted boolean)
language plpgsql stable
set plan_cache_mode = force_custom_plan
set jit = off
as $$
begin
    return query
    select count(*), null::json, null::text, null::boolean
    from queen.matching_dead_letters_v1(p_queue, p_partition, p_group, p_from, p_to, p_visible, p_error);

    return query
    select null::bigint,
           json_build_object(
               'id', d.message_id, 'transactionId', d.transaction_id, 'partitionId', d.partition_id,
               'queue', q.name, 'partition', p.name, 'consumerGroup', d.consumer_group,
               'errorMessage', d.error_message, 'retryCount', d.retry_count, 'traceId', m.trace_id,
               'producerSub', m.producer_sub, 'createdAt', queen.iso_time(m.created_at),
               'failedAt', queen.iso_time(d.failed_at), 'headers', m.headers::json,
               'deliverAt', queen.iso_time(m.deliver_at)),
           m.payload, m.is_encrypted
    from (
        select d.*
        from queen.matching_dead_letters_v1(p_queue, p_partition, p_group, p_from, p_to, p_visible, p_error) d
        order by d.failed_at desc, d.id
        limit p_limit offset p_offset
    ) d
    join queen.partitions p on p.id = d.partition_id
    join queen.queues q on q.id = p.queue_id
    left join queen.messages m on m.partition_id = d.partition_id and m.seq = d.seq
    order by d.failed_at desc, d.id;
end
$$;

-- dead_letter_errors_v1(filters, limit, offset, visible, most, error) → JSON
-- Dead letters by their error text, the most frequent first: a page of texts, how many texts there are, and how many dead
-- letters. Only the newest p_most that match are looked at, so that a million cost no more than those; when there are more,
-- estimated is true, and all numbers are of these.
create or replace function queen.dead_letter_errors_v1(
    p_queue text, p_partition text, p_group text, p_from timestamptz, p_to timestamptz, p_limit integer, p_offset integer,
    p_visible text[], p_most integer, p_error text)
returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set jit = off
as $$
begin
    return (
        with newest as materialized (
            select d.partition_id, d.consumer_group, d.error_message, d.failed_at,
                   row_number() over (order by d.failed_at desc, d.id) as place
            from queen.matching_dead_letters_v1(p_queue, p_partition, p_group, p_from, p_to, p_visible, p_error) d
            order by d.failed_at desc, d.id
            limit p_most + 1
        ), error as materialized (
            select n.error_message as text, count(*) as letters, count(distinct p.queue_id) as queues,
                   count(distinct n.consumer_group) as groups, min(n.failed_at) as first, max(n.failed_at) as last
            from newest n
            join queen.partitions p on p.id = n.partition_id
            where n.place <= p_most
            group by n.error_message
        )
        select json_build_object(
            'errors', coalesce((
                select json_agg(json_build_object(
                    'error', e.text, 'count', e.letters, 'queues', e.queues, 'groups', e.groups,
                    'firstFailedAt', queen.iso_time(e.first), 'lastFailedAt', queen.iso_time(e.last))
                    order by e.letters desc, e.last desc, e.text)
                from (
                    select * from error e order by e.letters desc, e.last desc, e.text limit p_limit offset p_offset
                ) e), '[]'),
            'total', (select count(*) from error),
            'messages', (select coalesce(sum(e.letters), 0) from error e),
            'estimated', exists (select from newest n where n.place > p_most),
            'pagination', json_build_object('limit', p_limit, 'offset', p_offset)));
end
$$;

-- count_dead_letters_v1(filters, error) → how many match
create or replace function queen.count_dead_letters_v1(
    p_queue text, p_partition text, p_group text, p_from timestamptz, p_to timestamptz, p_error text) returns bigint
language plpgsql stable
set plan_cache_mode = force_custom_plan
set jit = off
as $$
begin
    return (
        select count(*)
        from queen.matching_dead_letters_v1(p_queue, p_partition, p_group, p_from, p_to, null, p_error));
end
$$;

-- matching_dead_letters_v1(queue, partition, group, from, to, visible, error) → dead letters
-- Those of a queue, a partition (by name), a group, a span of failed_at, both ends included, and an error text; null for any.
-- Of the queues that the caller may see, see is_visible_v1.
create or replace function queen.matching_dead_letters_v1(
    p_queue text, p_partition text, p_group text, p_from timestamptz, p_to timestamptz, p_visible text[] default null,
    p_error text default null)
returns setof queen.dead_letters
language sql stable
as $$
    select d.*
    from queen.dead_letters d
    join queen.partitions p on p.id = d.partition_id
    join queen.queues q on q.id = p.queue_id
    where (p_queue is null or q.name = p_queue)
      and (p_partition is null or p.name = p_partition)
      and (p_group is null or d.consumer_group = p_group)
      and (p_from is null or d.failed_at >= p_from)
      and (p_to is null or d.failed_at <= p_to)
      and (p_visible is null or queen.is_visible_v1(q.name, p_visible))
      and (p_error is null or d.error_message = p_error)
$$;

-- delete_dead_letters_v1(filters, error) → rows removed
-- Forgets dead letters that match (see matching_dead_letters_v1). The messages stay where they are, consumed.
create or replace function queen.delete_dead_letters_v1(
    p_queue text, p_partition text, p_group text, p_from timestamptz, p_to timestamptz, p_error text default null)
returns bigint
language plpgsql
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
    v_count bigint;
begin
    delete from queen.dead_letters l
    using (
        select d.id
        from queen.matching_dead_letters_v1(p_queue, p_partition, p_group, p_from, p_to, null, p_error) d
    ) d
    where l.id = d.id;
    get diagnostics v_count = row_count;
    return v_count;
end
$$;

-- redrive_messages_v1(filters, limit, error) → one row per partition and group that got messages
-- Gives dead letters another chance: each message goes to the group that failed it, and to no other. It is the same
-- message, with its id and transaction id, and comes before what the group has not been given yet, as told under
-- "Redriven messages" below. A message that the group's cursor has not passed (it was dead-lettered by hand before its turn, or the
-- group was moved back) comes in its turn anyway, so only the dead letter is dropped; so for a group that has no cursor
-- here and will begin before it. One whose message has been removed meanwhile can't be delivered: its dead letter is
-- dropped too, and counted as gone.
--
-- Takes  p_partition_id, p_transaction_id  one message, or nulls and the filters of matching_dead_letters_v1
--        p_until   nothing that failed later: null at the first call, then what that gave, or a consumer that fails what
--                  it is given would keep the redrive going forever
--        p_limit   dead letters at most; no row when nothing is left
-- Gives  partition_id, queue_name, partition_name, consumer_group, redriven, gone, message_id (of the last), until.
-- Locks  the partitions in id order, as a push and a removal do, then rows of partition_consumers in key order. Two at once
--        redrive no message twice.
create or replace function queen.redrive_messages_v1(
    p_queue text, p_partition text, p_group text, p_from timestamptz, p_to timestamptz,
    p_partition_id uuid, p_transaction_id text, p_until timestamptz, p_limit integer, p_error text default null)
returns table (
    partition_id   uuid,
    queue_name     text,
    partition_name text,
    consumer_group text,
    redriven       integer,
    gone           integer,
    message_id     uuid,
    until          timestamptz
)
language plpgsql
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
    v_until      timestamptz := coalesce(p_until, clock_timestamp());
    v_letters    uuid[];
    v_partitions uuid[];
    v_groups     text[];
begin
    select array_agg(d.id), array_agg(d.partition_id), array_agg(d.consumer_group)
    into v_letters, v_partitions, v_groups
    from (
        select d.id, d.partition_id, d.consumer_group
        from queen.matching_dead_letters_v1(
            p_queue, p_partition, p_group, p_from, least(p_to, v_until), null, p_error) d
        where (p_partition_id is null or d.partition_id = p_partition_id)
          and (p_transaction_id is null or d.transaction_id = p_transaction_id)
        order by d.partition_id, d.consumer_group, d.seq
        limit p_limit
    ) d;
    if v_letters is null then
        return;
    end if;

    perform from queen.partitions p where p.id = any (v_partitions) order by p.id for no key update;
    -- A group without a cursor here that begins behind the message needs one, where its first pop would put it.
    insert into queen.partition_consumers (partition_id, consumer_group, cursor)
    select d.partition_id, d.consumer_group, s.start
    from (
        select d.partition_id, d.consumer_group, min(d.seq) as first
        from queen.dead_letters d
        where d.id = any (v_letters)
        group by d.partition_id, d.consumer_group
    ) d
    join queen.partitions p on p.id = d.partition_id
    join queen.queues q on q.id = p.queue_id
    cross join lateral (select queen.subscribed_from_v1(d.consumer_group, q.name, p.name) as start_at) u
    cross join lateral (select case when u.start_at is null then 0 else queen.seq_before(p.id, u.start_at) end as start) s
    where s.start >= d.first
    order by d.partition_id, d.consumer_group
    on conflict do nothing;
    if found then
        perform queen.recount_room_v1(v_partitions);
    end if;
    perform
    from queen.partition_consumers c
    where (c.partition_id, c.consumer_group) in (select * from unnest(v_partitions, v_groups))
    order by c.partition_id, c.consumer_group
    for update;

    -- In a statement of its own after the locks: it sees what another redrive took whom we waited for.
    return query
    with letter as materialized (
        delete from queen.dead_letters d
        where d.id = any (v_letters)
        returning d.partition_id, d.consumer_group, d.seq
    ), found as materialized (
        select l.partition_id, l.consumer_group, l.seq, m.id
        from letter l
        left join queen.messages m on m.partition_id = l.partition_id and m.seq = l.seq
    ), waiting as (
        insert into queen.redriven (partition_id, consumer_group, seq)
        select f.partition_id, f.consumer_group, f.seq
        from found f
        join queen.partition_consumers c on c.partition_id = f.partition_id and c.consumer_group = f.consumer_group
        where f.id is not null and c.cursor >= f.seq
        on conflict do nothing
        returning queen.redriven.partition_id, queen.redriven.consumer_group
    ), counted as (
        update queen.partition_consumers c
        set redriven = c.redriven + w.n
        from (select w.partition_id, w.consumer_group, count(*) as n from waiting w group by 1, 2) w
        where c.partition_id = w.partition_id and c.consumer_group = w.consumer_group
    ), logged as (
        insert into queen.push_log (queue_id, partition_ids)
        select p.queue_id, array_agg(p.id)
        from queen.partitions p
        where p.id in (select w.partition_id from waiting w)
        group by p.queue_id
    )
    select f.partition_id, q.name, p.name, f.consumer_group, count(f.id)::integer, (count(*) - count(f.id))::integer,
           (array_agg(f.id order by f.seq desc) filter (where f.id is not null))[1], v_until
    from found f
    join queen.partitions p on p.id = f.partition_id
    join queen.queues q on q.id = p.queue_id
    group by f.partition_id, q.name, p.name, f.consumer_group
    order by f.partition_id, f.consumer_group;
end
$$;

-- redrive_copies_v1(filters, limit, error) → one row per partition that got messages
-- Gives dead letters another chance in all groups: each message is pushed again to the end of its partition, and its
-- dead letters, of all groups, are dropped. Messages of one partition keep their order among themselves. The message that failed stays
-- where it is, consumed; the copy has an id of its own and its transaction id is `<transaction id>~<message id>`, so that
-- it is no duplicate, now or when it fails and is redriven again. Every group gets the copy.
--
-- Takes  p_partition_id, p_transaction_id  one message, or nulls and the filters of matching_dead_letters_v1
--        p_until   nothing that failed later: null at the first call, then what that gave, or a consumer that fails what
--                  it is given would keep the redrive going forever
--        p_limit   messages at most; less were redriven when nothing is left
-- Gives  as redrive_messages_v1, one row per partition: consumer_group is null and message_id that of the last copy.
-- Locks  the partitions in id order, then does what push_list_v1 does. Two at once redrive no message twice.
create or replace function queen.redrive_copies_v1(
    p_queue text, p_partition text, p_group text, p_from timestamptz, p_to timestamptz,
    p_partition_id uuid, p_transaction_id text, p_until timestamptz, p_limit integer, p_error text default null)
returns table (
    partition_id   uuid,
    queue_name     text,
    partition_name text,
    consumer_group text,
    redriven       integer,
    gone           integer,
    message_id     uuid,
    until          timestamptz
)
language plpgsql
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
    v_until timestamptz := coalesce(p_until, clock_timestamp());
    v_ids   uuid[];
    v_seqs  bigint[];
begin
    select array_agg(d.partition_id order by d.partition_id, d.seq), array_agg(d.seq order by d.partition_id, d.seq)
    into v_ids, v_seqs
    from (
        select distinct d.partition_id, d.seq
        from queen.matching_dead_letters_v1(
            p_queue, p_partition, p_group, p_from, least(p_to, v_until), null, p_error) d
        join queen.messages m on m.partition_id = d.partition_id and m.seq = d.seq
        where (p_partition_id is null or d.partition_id = p_partition_id)
          and (p_transaction_id is null or d.transaction_id = p_transaction_id)
        order by d.partition_id, d.seq
        limit p_limit
    ) d;

    -- In a statement of its own after the lock: it sees what another redrive took whom we waited for.
    perform from queen.partitions p where p.id = any (v_ids) order by p.id for no key update;
    with dropped as (
        delete from queen.dead_letters d
        using unnest(v_ids, v_seqs) f (partition_id, seq)
        where d.partition_id = f.partition_id and d.seq = f.seq
        returning d.partition_id, d.seq
    )
    select array_agg(d.partition_id order by d.partition_id, d.seq), array_agg(d.seq order by d.partition_id, d.seq)
    into v_ids, v_seqs
    from (select distinct d.partition_id, d.seq from dropped d) d;
    if v_ids is null then
        return;
    end if;

    return query
    with copy as materialized (
        select m.partition_id, m.seq, queen.uuid_v7() as id, m.transaction_id, m.payload, m.trace_id, m.is_encrypted,
               m.producer_sub, m.headers, dense_rank() over (order by m.partition_id)::integer as partition_nr,
               row_number() over (partition by m.partition_id order by m.seq)::integer as nth
        from unnest(v_ids, v_seqs) f (partition_id, seq)
        join queen.messages m on m.partition_id = f.partition_id and m.seq = f.seq
    ), target as materialized (
        select c.partition_id, count(*)::integer as n, (array_agg(c.id order by c.seq desc))[1] as last_id
        from copy c
        group by c.partition_id
    ), pushed as materialized (
        select queen.push_list_v1(
            (select array_agg(l.partition_id order by l.partition_id) from target l),
            (select array_agg(l.n order by l.partition_id) from target l),
            array_agg(c.partition_nr order by c.partition_nr, c.nth), array_agg(c.nth order by c.partition_nr, c.nth),
            array_agg(left(regexp_replace(c.transaction_id, '~[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', ''), 218)
                || '~' || c.id order by c.partition_nr, c.nth),
            array_agg(c.id order by c.partition_nr, c.nth), array_agg(c.payload order by c.partition_nr, c.nth),
            array_agg(c.trace_id order by c.partition_nr, c.nth), array_agg(c.is_encrypted order by c.partition_nr, c.nth),
            array_agg(c.producer_sub order by c.partition_nr, c.nth), array_agg(c.headers order by c.partition_nr, c.nth),
            null) as done
        from copy c
    )
    select l.partition_id, q.name, p.name, null::text, l.n, 0, l.last_id, v_until
    from pushed u
    cross join target l
    join queen.partitions p on p.id = l.partition_id
    join queen.queues q on q.id = p.queue_id
    where not (u.done).missing
    order by l.partition_id;
end
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- Redriven messages
-- ---------------------------------------------------------------------------------------------------------------------
-- Messages that a group gets again after it gave them up. A redrive takes a dead letter of the group, and the message,
-- which is still where it was, waits in queen.redriven for that group alone: no other group sees it, its id, transaction
-- id and payload are what they were, and the group's cursor stays where it is (only a seek moves one back).
--
-- Its place of order: before everything the group has not been given yet, among its like by sequence number. What the
-- group consumed since it failed stays consumed. It is delivered in a batch of its own, never together with messages
-- after the cursor, so a lease is of one kind: one that ends at or before the cursor is for redriven messages, and
-- holds the rows that carry its id.
--
--   the message is                       row in redriven    row.lease_id          dead letter
--   dead for the group                   none               -                     yes
--   waiting to be delivered again        yes                null, or of no lease  none
--   being processed                      yes                the group's lease     none
--   done: acked, auto-acked, sought past none               -                     none
--
--   event                                from → to
--   redrive                              dead → waiting; not yet passed by the cursor: → comes in its turn
--   pop                                  waiting → being processed; with autoAck → done
--   ack completed                        being processed → done, and what the lease holds before it
--   ack failed, retries left; retry      being processed → waiting, and all that the lease holds; the lease ends
--   ack failed, no retries left; dlq     being processed → dead; what the lease holds before it → done
--   release, lease expired               being processed → waiting
--   ack without a lease                  waiting → done or dead, this message alone; failed and retry leave it waiting
--   ack with a lease that does not hold it   no change: it was done under that lease
--   dead-lettered by hand                waiting, being processed → dead
--   seek, the group deleted              waiting, being processed → done (what lies after the new cursor comes in its turn)
--   the message removed                  gone with it. Retention of completed messages leaves it alone while it waits
--
-- Retries are counted per message, from 0 at each redrive, and do not touch the counter of the batch after the cursor. The
-- retry delay of the queue holds; window and delayed processing do not: the message has waited before.
--
-- partition_consumers.redriven counts the rows, so that who has none pays nothing. Rows and count change together, under
-- the lock of that row. A message may be removed while somebody holds the lock: then the count is too high until the
-- next pop that finds nothing.

-- redriven_left_v1(partition, group, place, waiting) → place, waiting
-- Looks whether any of a group's redriven messages is still stored; when none is, drops the rows and the count. The caller
-- holds the lock of the row at `place`, and goes on with the place that this gives.
create or replace function queen.redriven_left_v1(p_partition_id uuid, p_consumer_group text, inout place tid, inout waiting integer)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
begin
    perform
    from queen.redriven r
    cross join lateral (
        select from queen.messages m where m.partition_id = r.partition_id and m.seq = r.seq limit 1
    ) m
    where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group
    limit 1;
    if not found then
        delete from queen.redriven r where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group;
        update queen.partition_consumers k set redriven = 0
        where k.partition_id = p_partition_id and k.consumer_group = p_consumer_group
        returning k.ctid, k.redriven into place, waiting;
    end if;
end
$$;

-- take_redriven_v1(partition, group, lease, batch, bytes) → seqs, retry_count
-- Takes the first p_batch redriven messages of a group, up to so many payload bytes (the first always; null is no limit):
-- under the lease, or without one for good. The caller holds the lock of the group's row and writes its lease and count.
--
-- Gives  seqs         in order; null when their messages have just been removed
--        retry_count  of the one that failed most often since it was redriven
-- The rows are read in the order of their key, as many as are taken: sorting is not allowed, because right after a large
-- redrive PostgreSQL knows nothing of the table yet and would read all of it.
create or replace function queen.take_redriven_v1(
    p_partition_id uuid, p_consumer_group text, p_lease_id uuid, p_batch bigint, p_bytes bigint,
    out seqs bigint[], out retry_count integer)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
begin
    select array_agg(t.seq order by t.seq), max(t.retry_count)
    into seqs, retry_count
    from (
        select t.seq, t.retry_count, sum(t.size) over (order by t.seq rows unbounded preceding) - t.size as before
        from (
            select r.seq, r.retry_count, octet_length(m.payload) + coalesce(octet_length(m.headers), 0) as size
            from queen.redriven r
            cross join lateral (
                select m.payload, m.headers from queen.messages m
                where m.partition_id = r.partition_id and m.seq = r.seq limit 1
            ) m
            where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group
            order by r.seq
            limit p_batch
        ) t
    ) t
    where (t.before < p_bytes) is not false;

    if p_lease_id is null then
        delete from queen.redriven r
        where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group
          and r.seq >= seqs[1] and r.seq <= seqs[cardinality(seqs)] and r.seq = any (seqs);
    else
        update queen.redriven r set lease_id = p_lease_id
        where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group
          and r.seq >= seqs[1] and r.seq <= seqs[cardinality(seqs)] and r.seq = any (seqs);
    end if;
end
$$;

-- ack_redriven_v1(message, lease given, lease held, status, late, retry limit, error) → verdict, done, failures
-- One ack of a message that the group's cursor has passed. For ack_list_v1, which holds the lock of the group's row.
--
-- Takes  p_lease_id  what the ack names, null for none; p_held what the row says
--        p_late      an ack of this list before it has ended the lease
-- Gives  verdict     null: the ack has nothing to do here. completed, dead, failed or retry (the lease is to end), waits
--                    (nothing changed), late (to be refused)
--        done        rows removed
--        failures    its failed deliveries since it was redriven, with this one
create or replace function queen.ack_redriven_v1(
    p_partition_id uuid, p_consumer_group text, p_seq bigint, p_lease_id uuid, p_held uuid, p_status text, p_late boolean,
    p_retry_limit integer, p_error text, out verdict text, out done integer,
    out failures integer)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
declare
    v_lease_id uuid;
begin
    done := 0;
    select r.lease_id, r.retry_count into v_lease_id, failures
    from queen.redriven r
    where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group and r.seq = p_seq;
    if not found or (p_lease_id is not null and p_lease_id is distinct from v_lease_id) then
        return;
    elsif p_late then
        verdict := 'late';
    elsif p_status = 'retry' or (p_status = 'failed' and failures < p_retry_limit) then
        if v_lease_id = p_held then
            verdict := p_status;
            failures := failures + (p_status = 'failed')::integer;
            update queen.redriven r set lease_id = null, retry_count = failures
            where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group and r.seq = p_seq;
        else
            verdict := 'waits';
        end if;
    else
        verdict := case when p_status = 'completed' then 'completed' else 'dead' end;
        delete from queen.redriven r
        where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group
          and (r.seq = p_seq or (r.seq < p_seq and r.lease_id = p_held and v_lease_id = p_held));
        get diagnostics done = row_count;
        if verdict = 'dead' then
            insert into queen.dead_letters
                (partition_id, consumer_group, seq, message_id, transaction_id, error_message, retry_count, failed_at)
            select m.partition_id, p_consumer_group, m.seq, m.id, m.transaction_id,
                   coalesce(nullif(p_error, ''), 'Message processing failed'), failures, clock_timestamp()
            from queen.messages m
            where m.partition_id = p_partition_id and m.seq = p_seq
            on conflict do nothing;
        end if;
    end if;
end
$$;

-- holds_redriven_v1(partition, group, lease, upto) → whether the lease holds a redriven message up to there
create or replace function queen.holds_redriven_v1(p_partition_id uuid, p_consumer_group text, p_lease_id uuid, p_upto bigint)
returns boolean
language sql stable
as $$
    select exists (
        select from queen.redriven r
        where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group and r.seq <= p_upto
          and r.lease_id = p_lease_id)
$$;

-- settle_redriven_v1(partition, after, upto) → nothing
-- Messages after p_after up to p_upto were removed, or their redriven rows: drops the rows of those that are gone, counts
-- anew, and ends a lease that holds none any more. What is left is news when a lease ended.
-- Locks  rows of partition_consumers in key order, skipping those that others hold: their count is corrected later.
create or replace function queen.settle_redriven_v1(p_partition_id uuid, p_after bigint, p_upto bigint) returns void
language plpgsql
as $$
declare
    v_group record;
    v_freed boolean := false;
begin
    for v_group in
        select c.consumer_group, c.lease_id, c.lease_last_seq, coalesce(c.lease_last_seq <= c.cursor, false) as again
        from queen.partition_consumers c
        where c.partition_id = p_partition_id and c.redriven > 0
        order by c.consumer_group
        for update skip locked
    loop
        delete from queen.redriven r
        where r.partition_id = p_partition_id and r.consumer_group = v_group.consumer_group
          and r.seq > p_after and r.seq <= p_upto
          and not exists (select from queen.messages m where m.partition_id = r.partition_id and m.seq = r.seq);
        v_group.again := v_group.again and not queen.holds_redriven_v1(
            p_partition_id, v_group.consumer_group, v_group.lease_id, v_group.lease_last_seq);
        update queen.partition_consumers c
        set redriven = (
                select count(*) from queen.redriven r
                where r.partition_id = p_partition_id and r.consumer_group = v_group.consumer_group),
            lease_id = case when v_group.again then null else c.lease_id end,
            lease_expires_at = case when v_group.again then null else c.lease_expires_at end,
            lease_last_seq = case when v_group.again then null else c.lease_last_seq end
        where c.partition_id = p_partition_id and c.consumer_group = v_group.consumer_group;
        v_freed := v_freed or v_group.again;
    end loop;
    if v_freed then
        insert into queen.push_log (queue_id, partition_ids)
        select p.queue_id, array[p.id] from queen.partitions p where p.id = p_partition_id;
    end if;
end
$$;
