-- Messages: listed, described, deleted one by one.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- list_messages_v1(filters, limit, offset, brief, visible) → JSON
-- Messages without their payloads, the newest first; filters and costs as in find_messages_v1.
--
-- Gives  messages, total, totalEstimated (total may be too high), mode, pagination. With p_brief the messages alone, as
--        an array.
--        mode: how the partitions of the filter are consumed: by __QUEUE_MODE__ ('queue'), by named groups ('bus'), by
--        both ('hybrid') or by nobody yet ('none').
create or replace function queen.list_messages_v1(
    p_queue text, p_partition text, p_namespace text, p_task text, p_status text, p_group text,
    p_from timestamptz, p_to timestamptz, p_limit integer, p_offset integer, p_brief boolean,
    p_visible text[] default null) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set work_mem = '32MB'
set jit = off
as $$
declare
    v_found    record;
    v_messages json;
    v_queue    boolean;
    v_groups   bigint;
begin
    select * into v_found
    from queen.find_messages_v1(
        p_queue, p_partition, p_namespace, p_task, p_status, p_group, p_from, p_to, p_limit, p_offset, p_visible);

    select coalesce(json_agg(json_build_object(
        'id', m.id, 'transactionId', m.transaction_id, 'partitionId', m.partition_id,
        'queuePath', q.name || '/' || p.name, 'queue', q.name, 'partition', p.name,
        'namespace', q.namespace, 'task', q.task, 'status', s.status, 'queueStatus', s.queue_status,
        'busStatus', json_build_object('consumedBy', s.consumed_by, 'totalGroups', s.total_groups),
        'traceId', m.trace_id, 'producerSub', m.producer_sub, 'queuePriority', q.priority,
        'createdAt', queen.iso_time(m.created_at), 'leaseExpiresAt', queen.iso_time(s.lease_expires_at),
        'headers', m.headers::json, 'deliverAt', queen.iso_time(m.deliver_at)
    ) order by f.ord), '[]')
    into v_messages
    from unnest(v_found.partition_ids, v_found.seqs) with ordinality f (partition_id, seq, ord)
    join queen.messages m on m.partition_id = f.partition_id and m.seq = f.seq
    join queen.partitions p on p.id = m.partition_id
    join queen.queues q on q.id = p.queue_id
    cross join lateral queen.message_standing_v1(m.partition_id, m.seq, p_group) s;
    if p_brief then
        return v_messages;
    end if;

    select coalesce(bool_or(c.consumer_group = '__QUEUE_MODE__'), false),
           count(*) filter (where c.consumer_group <> '__QUEUE_MODE__')
    into v_queue, v_groups
    from (
        select c.consumer_group
        from queen.partition_consumers c
        join queen.partitions p on p.id = c.partition_id
        join queen.queues q on q.id = p.queue_id
        where (p_queue is null or q.name = p_queue) and (p_partition is null or p.name = p_partition)
          and (p_namespace is null or q.namespace = p_namespace) and (p_task is null or q.task = p_task)
          and (p_visible is null or queen.is_visible_v1(q.name, p_visible))
        group by c.consumer_group
    ) c;
    return json_build_object(
        'messages', v_messages, 'total', v_found.total, 'totalEstimated', v_found.estimated,
        'mode', json_build_object('hasQueueMode', v_queue, 'busGroupsCount', v_groups, 'type', case
            when v_queue and v_groups > 0 then 'hybrid' when v_queue then 'queue' when v_groups > 0 then 'bus'
            else 'none' end),
        'pagination', json_build_object('limit', p_limit, 'offset', p_offset));
end
$$;

-- find_messages_v1(filters, limit, offset, visible) → partition_ids, seqs, total, estimated
-- Which messages a list shows, the newest first (by time, then partition, then sequence number).
--
-- Takes  p_queue, p_partition, p_namespace, p_task   null for any
--        p_status   pending, processing, completed, dead_letter, or null; p_group as in message_standing_v1
--        p_from     inclusive, p_to exclusive
--        p_visible  the queues that the caller may see, see is_visible_v1
-- Gives  the page, two arrays side by side, and total: how many match. estimated: total may be too high, see below.
--
-- How    created_at never falls with the sequence number, and a status is a range of sequence numbers, so nothing is
--        found by reading messages. Partitions without a push since p_from are out at once. Of the others those with the
--        newest messages are taken, as many as the page needs, and only these are read.
-- Costs  one pass over the partitions of the filter. One look-up of the newest message for each of them that has gaps,
--        dead letters (with a status), or messages beyond the range: processed or completed ones, or a p_to before the
--        last push, when it is searched by halving. And limit + offset messages of the partitions taken, so a far page
--        of a long list is expensive.
--        For total the start of the window is searched in each partition older than it, in 1,000 partitions at most:
--        beyond them partitions count whole and total is said to be estimated.
create or replace function queen.find_messages_v1(
    p_queue text, p_partition text, p_namespace text, p_task text, p_status text, p_group text,
    p_from timestamptz, p_to timestamptz, p_limit integer, p_offset integer, p_visible text[] default null,
    out partition_ids uuid[], out seqs bigint[], out total bigint, out estimated boolean)
language plpgsql stable
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
    c_searches constant integer := 1000;
    v_wanted   bigint := p_limit::bigint + p_offset;
begin
    if p_status = 'dead_letter' then
        with found as materialized (
            select distinct m.partition_id, m.seq, m.created_at
            from queen.dead_letters d
            join queen.partitions p on p.id = d.partition_id
            join queen.queues q on q.id = p.queue_id
            join queen.messages m on m.partition_id = d.partition_id and m.seq = d.seq
            where (p_queue is null or q.name = p_queue) and (p_partition is null or p.name = p_partition)
              and (p_namespace is null or q.namespace = p_namespace) and (p_task is null or q.task = p_task)
              and (p_visible is null or queen.is_visible_v1(q.name, p_visible))
              and (p_group is null or d.consumer_group = p_group)
              and m.created_at >= p_from and m.created_at < p_to
        ), page as (
            select f.* from found f order by f.created_at desc, f.partition_id, f.seq desc limit p_limit offset p_offset
        )
        select array_agg(g.partition_id order by g.created_at desc, g.partition_id, g.seq desc),
               array_agg(g.seq order by g.created_at desc, g.partition_id, g.seq desc),
               (select count(*) from found), false
        into partition_ids, seqs, total, estimated
        from page g;
        return;
    end if;

    with scope as (
        select p.id, p.head, p.tail, p.removed <> p.tail as gaps, p.last_push_at, p.created_at,
               p_status is not null and (p.id in (select d.partition_id from queen.dead_letters d)
                   or p.id in (select r.partition_id from queen.redriven r)) as letters
        from queen.partitions p
        join queen.queues q on q.id = p.queue_id
        where (p_queue is null or q.name = p_queue) and (p_partition is null or p.name = p_partition)
          and (p_namespace is null or q.namespace = p_namespace) and (p_task is null or q.task = p_task)
          and (p_visible is null or queen.is_visible_v1(q.name, p_visible))
          and p.last_push_at >= p_from and p.head > p.removed
    ), cursor as (
        -- Up to done it is completed, from there up to held it is being processed.
        select s.id, coalesce(max(c.cursor) filter (where c.consumer_group = coalesce(p_group, '__QUEUE_MODE__')),
                   case when p_group is null then min(c.cursor) end, 0) as done,
               max(c.lease_last_seq) filter (
                   where c.consumer_group = coalesce(p_group, '__QUEUE_MODE__') and c.lease_expires_at > now()) as held,
               coalesce(p_group, case when bool_or(c.consumer_group = '__QUEUE_MODE__') then '__QUEUE_MODE__' end) as judge
        from scope s
        join queen.partition_consumers c on c.partition_id = s.id
        where p_status is not null
        group by s.id
    ), again as materialized (
        -- Redriven, so not completed though the cursor has passed it: listed with its status, or left out.
        select distinct r.partition_id as id, r.seq, m.created_at
        from queen.redriven r
        join cursor u on u.id = r.partition_id and (u.judge is null or u.judge = r.consumer_group) and r.seq <= u.done
        join queen.partition_consumers c on c.partition_id = r.partition_id and c.consumer_group = r.consumer_group
        join queen.messages m on m.partition_id = r.partition_id and m.seq = r.seq
        where m.created_at >= p_from and m.created_at < p_to
          and (p_status = 'completed'
               or coalesce(u.judge is not null and c.lease_id = r.lease_id and c.lease_expires_at > now(), false)
                   = (p_status = 'processing'))
          and not exists (
              select from queen.dead_letters d
              where d.partition_id = r.partition_id and d.seq = r.seq and (p_group is null or d.consumer_group = p_group))
    ), range as (
        select s.*,
               greatest(s.tail, case p_status
                   when 'pending' then greatest(c.done, c.held) when 'processing' then c.done else 0 end) as low,
               case p_status
                   when 'completed' then coalesce(c.done, 0) when 'processing' then coalesce(c.held, 0)
                   else s.head end as high
        from scope s
        left join cursor c on c.id = s.id
    ), bounded as (
        select r.id, r.head, r.low, r.created_at, r.last_push_at, r.gaps, r.letters,
               case when r.last_push_at < p_to then r.high
                    else least(r.high, queen.seq_before(r.id, p_to)) end as high
        from range r
        where r.high > r.low
    ), candidate as materialized (
        select b.*, case when b.gaps or b.letters or b.high < b.head
            then (
                select m.created_at from queen.messages m
                where m.partition_id = b.id and m.seq > b.low and m.seq <= b.high
                  and (not b.letters or not exists (
                      select from queen.dead_letters d
                      where d.partition_id = m.partition_id and d.seq = m.seq
                        and (p_group is null or d.consumer_group = p_group)))
                  and not exists (select from again a where a.id = m.partition_id and a.seq = m.seq)
                order by m.seq desc limit 1)
            else b.last_push_at end as newest
        from bounded b
        where b.high > b.low
    ), taken as (
        select c.* from candidate c where c.newest >= p_from order by c.newest desc, c.id limit v_wanted
    ), floor as (
        -- When so many partitions have a message since then, no older one is on the page.
        select case when count(*) = v_wanted then min(t.newest) else p_from end as since from taken t
    ), started as materialized (
        select t.id, t.high,
               greatest(t.low, case when t.created_at < f.since then queen.seq_before(t.id, f.since) else 0 end) as low
        from taken t cross join floor f
    ), found as (
        select t.id, m.seq, m.created_at
        from started t
        cross join lateral (
            select m.seq, m.created_at from queen.messages m
            where m.partition_id = t.id and m.seq > t.low and m.seq <= t.high
              and (p_status is null or not exists (
                  select from queen.dead_letters d
                  where d.partition_id = m.partition_id and d.seq = m.seq
                    and (p_group is null or d.consumer_group = p_group)))
              and not exists (select from again a where a.id = m.partition_id and a.seq = m.seq)
            order by m.seq desc limit v_wanted
        ) m
        union all
        select a.id, a.seq, a.created_at from again a where p_status <> 'completed'
    ), page as (
        select f.* from found f order by f.created_at desc, f.id, f.seq desc limit p_limit offset p_offset
    ), numbered as (
        select c.*, c.created_at < p_from as older,
               row_number() over (partition by c.created_at < p_from order by c.id) as nth
        from candidate c
        where c.newest >= p_from
    ), counted as (
        select n.id, n.high, n.gaps, n.letters, n.older and n.nth > c_searches as unsearched,
               greatest(n.low, case when n.older and n.nth <= c_searches then queen.seq_before(n.id, p_from) else 0 end) as low
        from numbered n
    )
    select (select array_agg(g.id order by g.created_at desc, g.id, g.seq desc) from page g),
           (select array_agg(g.seq order by g.created_at desc, g.id, g.seq desc) from page g),
           coalesce(sum(case when c.gaps
               then (select count(*) from queen.messages m
                     where m.partition_id = c.id and m.seq > c.low and m.seq <= c.high)
               else c.high - c.low end
               - case when not c.letters then 0 else (
                   select count(distinct d.seq)
                   from queen.dead_letters d
                   join queen.messages m on m.partition_id = d.partition_id and m.seq = d.seq
                   where d.partition_id = c.id and d.seq > c.low and d.seq <= c.high
                     and (p_group is null or d.consumer_group = p_group)) end), 0)
               + (select case when p_status = 'completed' then -count(*) else count(*) end from again a),
           coalesce(bool_or(c.unsearched), false)
    into partition_ids, seqs, total, estimated
    from counted c;
end
$$;

-- message_standing_v1(partition, sequence number, group) → how far a message has come
-- Gives  status         dead_letter when it is one for any group. With p_group: where this group stands. Without: where
--                       __QUEUE_MODE__ stands, but when only named groups consume the partition, completed when all of
--                       them have passed it, else pending
--        queue_status   the same for __QUEUE_MODE__ alone
--        consumed_by    named groups that have passed it, of groups that have a cursor on the partition (total_groups)
--        queue_mode     __QUEUE_MODE__ has a cursor on the partition
--        lease_expires_at  of the lease under which it is being processed
-- processing is what was delivered under a live lease: what lies behind the delivered messages is pending. A message that
-- was redriven for a group is not passed by it until it is done again.
create or replace function queen.message_standing_v1(p_partition_id uuid, p_seq bigint, p_group text)
returns table (
    status           text,
    queue_status     text,
    consumed_by      bigint,
    total_groups     bigint,
    queue_mode       boolean,
    lease_expires_at timestamptz
)
language sql stable
as $$
    select case
               when s.dead then 'dead_letter'
               when p_group is null and not s.queue_mode and s.total_groups > 0
               then case when s.consumed_by = s.total_groups then 'completed' else 'pending' end
               when s.passed then 'completed'
               when s.lease_expires_at is not null then 'processing'
               else 'pending'
           end,
           case
               when s.dead then 'dead_letter'
               when s.queue_passed then 'completed'
               when s.queue_leased then 'processing'
               else 'pending'
           end,
           s.consumed_by, s.total_groups, s.queue_mode, case when not s.dead and not s.passed then s.lease_expires_at end
    from (
        select exists (
                   select from queen.dead_letters d
                   where d.partition_id = p_partition_id and d.seq = p_seq
                     and (p_group is null or d.consumer_group = p_group)) as dead,
               coalesce(bool_or(g.judge and g.passed), false) as passed,
               max(c.lease_expires_at) filter (where g.judge and g.leased) as lease_expires_at,
               coalesce(bool_or(g.queue and g.passed), false) as queue_passed,
               coalesce(bool_or(g.queue and g.leased), false) as queue_leased,
               count(*) filter (where not g.queue and g.passed) as consumed_by,
               count(*) filter (where not g.queue) as total_groups,
               coalesce(bool_or(g.queue), false) as queue_mode
        from queen.partition_consumers c
        left join queen.redriven r
            on c.redriven > 0 and r.partition_id = c.partition_id and r.consumer_group = c.consumer_group and r.seq = p_seq
        cross join lateral (
            select c.consumer_group = '__QUEUE_MODE__' as queue,
                   c.consumer_group = coalesce(p_group, '__QUEUE_MODE__') as judge,
                   c.cursor >= p_seq and r.seq is null as passed,
                   coalesce(c.lease_expires_at > now() and case when r.seq is null then c.lease_last_seq >= p_seq
                       else r.lease_id = c.lease_id end, false) as leased
        ) g
        where c.partition_id = p_partition_id
    ) s
$$;

-- message_detail_v1(partition, transaction id) → detail, payload, is_encrypted; nulls when there is no such message
-- All that is known of a message: detail is a JSON object without the payload, which is given as it is stored.
-- errorMessage and retryCount are those of its last dead letter.
create or replace function queen.message_detail_v1(
    p_partition_id uuid, p_transaction_id text, out detail json, out payload text, out is_encrypted boolean)
language sql stable
as $$
    select json_build_object(
        'id', m.id, 'transactionId', m.transaction_id, 'partitionId', m.partition_id,
        'queuePath', q.name || '/' || p.name, 'queue', q.name, 'partition', p.name,
        'namespace', q.namespace, 'task', q.task, 'status', s.status, 'queueStatus', s.queue_status,
        'busStatus', json_build_object('consumedBy', s.consumed_by, 'totalGroups', s.total_groups),
        'isEncrypted', m.is_encrypted, 'traceId', m.trace_id, 'producerSub', m.producer_sub,
        'createdAt', queen.iso_time(m.created_at), 'errorMessage', d.error_message, 'retryCount', d.retry_count,
        'leaseExpiresAt', queen.iso_time(s.lease_expires_at),
        'headers', m.headers::json, 'deliverAt', queen.iso_time(m.deliver_at),
        'queueConfig', json_build_object(
            'leaseTime', q.lease_time, 'retryLimit', q.retry_limit, 'retryDelay', q.retry_delay,
            'retryBackoff', q.retry_backoff, 'retryDelayMax', q.retry_delay_max, 'retryJitter', q.retry_jitter, 'ttl', q.ttl,
            'priority', q.priority),
        'mode', json_build_object(
            'hasQueueMode', s.queue_mode, 'busGroupsCount', s.total_groups, 'consumedByGroups', s.consumed_by,
            'type', case when s.queue_mode and s.total_groups > 0 then 'hybrid' when s.queue_mode then 'queue'
                when s.total_groups > 0 then 'bus' else 'none' end),
        'consumerGroups', (
            select coalesce(json_agg(json_build_object(
                'name', c.consumer_group, 'consumed', c.cursor >= m.seq and r.seq is null,
                'leaseExpiresAt', case when c.lease_expires_at > now() and case when r.seq is not null
                        then r.lease_id = c.lease_id else c.cursor < m.seq and c.lease_last_seq >= m.seq end
                    then queen.iso_time(c.lease_expires_at) end
            ) order by c.consumer_group), '[]')
            from queen.partition_consumers c
            left join queen.redriven r on c.redriven > 0 and r.partition_id = c.partition_id
                and r.consumer_group = c.consumer_group and r.seq = m.seq
            where c.partition_id = m.partition_id)),
        m.payload, m.is_encrypted
    from queen.messages m
    join queen.partitions p on p.id = m.partition_id
    join queen.queues q on q.id = p.queue_id
    cross join lateral queen.message_standing_v1(m.partition_id, m.seq, null) s
    left join lateral (
        select d.error_message, d.retry_count
        from queen.dead_letters d
        where d.partition_id = m.partition_id and d.seq = m.seq
        order by d.failed_at desc, d.id
        limit 1
    ) d on true
    where m.partition_id = p_partition_id and m.transaction_id = p_transaction_id
$$;

-- delete_message_v1(partition, transaction id) → existed
-- Removes a message with its dead letters and traces. A consumer that holds it gets "Message not found" when it acks.
-- The partition remembers that one message less is stored, and when it was the first one, where the messages begin now.
-- What waited behind a message that was not due yet is news to the servers.
-- Locks  the partition, then rows of its groups that have redriven messages (settle_redriven_v1).
create or replace function queen.delete_message_v1(p_partition_id uuid, p_transaction_id text) returns boolean
language plpgsql
as $$
declare
    v_seq        bigint;
    v_deliver_at timestamptz;
begin
    perform from queen.partitions p where p.id = p_partition_id for no key update;
    if not found then
        return false;
    end if;
    delete from queen.messages m
    where m.partition_id = p_partition_id and m.transaction_id = p_transaction_id
    returning m.seq, m.deliver_at into v_seq, v_deliver_at;
    if not found then
        return false;
    end if;
    update queen.partitions p
    set removed = p.removed + 1,
        tail = greatest(p.tail, coalesce(
            (select m.seq - 1 from queen.messages m where m.partition_id = p.id order by m.seq limit 1), p.head))
    where p.id = p_partition_id;
    delete from queen.dead_letters d where d.partition_id = p_partition_id and d.seq = v_seq;
    delete from queen.traces t where t.partition_id = p_partition_id and t.transaction_id = p_transaction_id;
    perform queen.settle_redriven_v1(p_partition_id, v_seq - 1, v_seq);
    if v_deliver_at > now() then
        insert into queen.push_log (queue_id, partition_ids)
        select p.queue_id, array[p.id] from queen.partitions p where p.id = p_partition_id and p.head > v_seq;
    end if;
    return true;
end
$$;

-- clear_messages_v1(queue, partition, after, upto, limit) → deleted, last_partition, last_upto; nulls when unknown
-- Removes the messages of a queue or of one of its partitions (null: all), with their dead letters and traces, in
-- portions: each call removes p_limit messages at most and goes on where the last one stopped, partition by partition in
-- id order. What is pushed to a partition after its turn has come stays. Where all is removed, cursors move to the end of
-- it, so that nothing looks pending, and leases on what is gone end.
--
-- Takes  p_after, p_upto   null at the first call, then what the last one gave
-- Gives  deleted           messages removed by this call
--        last_partition    null when all is done
--        last_upto         null when that partition is done
-- Locks  the partitions of the portion in id order, then the rows of their groups in key order.
create or replace function queen.clear_messages_v1(
    p_queue text, p_partition text, p_after uuid, p_upto bigint, p_limit integer,
    out deleted bigint, out last_partition uuid, out last_upto bigint)
language plpgsql
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
    v_queue_id uuid := (select q.id from queen.queues q where q.name = p_queue);
    v_ids      uuid[];
    v_uptos    bigint[];
    v_done     integer;
begin
    if v_queue_id is null or (p_partition is not null and not exists (
        select from queen.partitions p where p.queue_id = v_queue_id and p.name = p_partition))
    then
        return;
    end if;

    -- As many partitions as hold p_limit messages, the one that is under way first.
    select array_agg(p.id order by p.id)
    into v_ids
    from (
        select p.id,
               coalesce(sum(p.head - p.removed) over (order by p.id rows between unbounded preceding and 1 preceding), 0) as before
        from queen.partitions p
        where p.queue_id = v_queue_id and (p_partition is null or p.name = p_partition) and p.head > p.removed
          and (p_after is null or p.id > p_after or (p.id = p_after and p_upto is not null))
    ) p
    where p.before < p_limit;
    deleted := 0;
    if v_ids is null then
        return;
    end if;

    select array_agg(p.id), array_agg(case when p.id = p_after then p_upto else p.head end) into v_ids, v_uptos
    from (
        select p.id, p.head from queen.partitions p where p.id = any (v_ids) order by p.id for no key update
    ) p;
    if v_ids is null then
        return;
    end if;

    with gone as (
        delete from queen.messages m
        using (
            select n.partition_id, n.seq
            from unnest(v_ids, v_uptos) with ordinality f (id, upto, ord)
            cross join lateral (
                select n.partition_id, n.seq from queen.messages n
                where n.partition_id = f.id and n.seq <= f.upto order by n.seq limit p_limit
            ) n
            order by f.ord, n.seq
            limit p_limit
        ) n
        where m.partition_id = n.partition_id and m.seq = n.seq
        returning m.partition_id, m.seq, m.transaction_id
    ), letters as (
        delete from queen.dead_letters d using gone g where d.partition_id = g.partition_id and d.seq = g.seq
    ), traces as (
        delete from queen.traces t
        using gone g where t.partition_id = g.partition_id and t.transaction_id = g.transaction_id
    ), counted as (
        update queen.partitions p
        set removed = p.removed + g.n, tail = greatest(p.tail, g.last)
        from (select g.partition_id, count(*) as n, max(g.seq) as last from gone g group by g.partition_id) g
        where p.id = g.partition_id
        returning g.n
    )
    select coalesce(sum(c.n), 0) into deleted from counted c;

    -- The first partition with messages left is where the next call goes on.
    select f.ord - 1, f.id, f.upto into v_done, last_partition, last_upto
    from unnest(v_ids, v_uptos) with ordinality f (id, upto, ord)
    where exists (select from queen.messages m where m.partition_id = f.id and m.seq <= f.upto)
    order by f.ord
    limit 1;
    if found then
        v_ids := v_ids[:v_done];
        v_uptos := v_uptos[:v_done];
    else
        last_partition := v_ids[cardinality(v_ids)];
    end if;

    perform
    from queen.partition_consumers c
    where c.partition_id = any (v_ids)
    order by c.partition_id, c.consumer_group
    for update;
    perform queen.settle_redriven_v1(f.id, 0, f.upto) from unnest(v_ids, v_uptos) f (id, upto);
    with freed as (
        update queen.partition_consumers c
        set cursor = greatest(c.cursor, f.upto), retry_count = 0, retry_at = null,
            lease_id = case when c.lease_last_seq > f.upto then c.lease_id end,
            lease_expires_at = case when c.lease_last_seq > f.upto then c.lease_expires_at end,
            lease_last_seq = case when c.lease_last_seq > f.upto then c.lease_last_seq end
        from unnest(v_ids, v_uptos) f (id, upto)
        where c.partition_id = f.id
        returning c.partition_id, c.cursor, c.lease_id
    )
    -- A partition that is free before its time, with messages left, is news to the servers.
    insert into queen.push_log (queue_id, partition_ids)
    select v_queue_id, array_agg(distinct p.id)
    from freed f
    join queen.partitions p on p.id = f.partition_id and p.head > f.cursor
    where f.lease_id is null
    having count(*) > 0;

    update queen.partitions p
    set tail = greatest(p.tail, f.upto)
    from unnest(v_ids, v_uptos) f (id, upto)
    where p.id = f.id and p.tail < f.upto;
end
$$;
