-- How many messages partitions and queues hold, and how far groups are behind, without counting messages.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- ---------------------------------------------------------------------------------------------------------------------
-- Public SQL interface: applications call what follows. Names, arguments and answers stay.
-- ---------------------------------------------------------------------------------------------------------------------

-- queue_lag_v1(queue, group) → JSON text
-- How far a group is behind on a queue, for who decides how many consumers to run. One question, however many
-- partitions: a look at each partition's head and the group's cursor, and at the oldest message of those behind.
--
--   select queen.queue_lag_v1('orders', 'billing');
--
-- Gives  {"queue", "consumerGroup", "lagMessages", "lagSeconds", "lagPartitions"}
--        lagMessages    messages after the group's cursors: waiting, delayed, or leased and not acknowledged yet; and redriven
--                       ones.
--                       Counted by sequence numbers: messages deleted one by one in between still count
--        lagSeconds     age of the oldest of them, counted from its deliver_at if it has one
--        lagPartitions  partitions that have some: more consumers than that would find nothing to lease
--        A group that was never seen starts where its subscription says, else at the beginning, as its first pop would.
--        A queue that does not exist has no lag: who scales consumers asks before the first push.
-- No lock is taken.
create or replace function queen.queue_lag_v1(p_queue_name text, p_consumer_group text) returns text
language sql stable
as $$
    with place as (
        select p.id, p.head, p.tail, coalesce(c.redriven, 0) as redriven,
               coalesce(c.cursor, case when s.start is null then 0 else queen.seq_before(p.id, s.start) end) as cursor
        from queen.queues q
        join queen.partitions p on p.queue_id = q.id
        left join queen.partition_consumers c on c.partition_id = p.id and c.consumer_group = p_consumer_group
        left join lateral (
            select u.subscription_timestamp as start
            from queen.subscriptions u
            where c.partition_id is null and p_consumer_group <> '__QUEUE_MODE__'
              and u.queue_name = p_queue_name and u.consumer_group = p_consumer_group
              and u.partition_name in (p.name, '')
            order by u.partition_name desc
            limit 1
        ) s on true
        where q.name = p_queue_name and p.head > p.tail
    ), behind as (
        select l.head - greatest(l.cursor, l.tail) + l.redriven as messages, m.created_at
        from place l
        left join lateral (
            select greatest(m.created_at, m.deliver_at) as created_at
            from queen.messages m
            where m.partition_id = l.id
              and m.seq > queen.before_waiting_v1(l.id, p_consumer_group, greatest(l.cursor, l.tail), l.redriven)
            order by m.seq
            limit 1
        ) m on true
        where l.head > greatest(l.cursor, l.tail) or l.redriven > 0
    )
    select json_build_object(
        'queue', p_queue_name,
        'consumerGroup', p_consumer_group,
        'lagMessages', coalesce(sum(b.messages), 0),
        'lagSeconds', coalesce(floor(extract(epoch from greatest(now() - min(b.created_at), interval '0')))::bigint, 0),
        'lagPartitions', count(*))::text
    from behind b
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- The server's own: what follows may change with every release.
-- ---------------------------------------------------------------------------------------------------------------------

-- queue_depths_v1(queues) → the counters of each queue
-- Sums of partition_depths_v1, and the number of messages that are dead letters of any group. A queue without partitions
-- has a row of zeros.
create or replace function queen.queue_depths_v1(p_queue_ids uuid[])
returns table (
    queue_id    uuid,
    partitions  bigint,
    total       bigint,
    pending     bigint,
    processing  bigint,
    dead_letter bigint,
    estimated   boolean
)
language sql stable
as $$
    select q.id, coalesce(d.partitions, 0), coalesce(d.total, 0), coalesce(d.pending, 0), coalesce(d.processing, 0),
           coalesce(l.n, 0), coalesce(d.estimated, false)
    from unnest(p_queue_ids) q (id)
    left join (
        select d.queue_id, count(*) as partitions, sum(d.total)::bigint as total, sum(d.pending)::bigint as pending,
               sum(d.processing)::bigint as processing, bool_or(d.estimated) as estimated
        from queen.partition_depths_v1(p_queue_ids, null) d
        group by d.queue_id
    ) d on d.queue_id = q.id
    left join (
        select p.queue_id, count(*) as n
        from (select distinct d.partition_id, d.seq from queen.dead_letters d) d
        join queen.partitions p on p.id = d.partition_id
        where p.queue_id = any (p_queue_ids)
        group by p.queue_id
    ) l on l.queue_id = q.id
$$;

-- message_counts_v1(total, pending, processing, dead letters, estimated) → JSON
-- The counters of a partition, a queue or all of them, as every answer writes them. failed is always 0: a failed message
-- is pending again or a dead letter. A dead letter was passed, so it counts as completed too. estimated: pending may be
-- too high (counted_depth_v1).
create or replace function queen.message_counts_v1(
    p_total bigint, p_pending bigint, p_processing bigint, p_dead_letter bigint, p_estimated boolean) returns json
language sql immutable
as $$
    select json_build_object(
        'total', p_total, 'pending', p_pending, 'processing', p_processing,
        'completed', p_total - p_pending - p_processing, 'failed', 0, 'deadLetter', p_dead_letter,
        'estimated', p_estimated)
$$;

-- partition_depths_v1(queues, partitions) → total, pending, processing of each partition
-- Without counting: total = head - removed, and what is not consumed = head - cursor. Only partitions with gaps are
-- counted, see counted_depth_v1. Costs one pass over the partitions and their groups; callers that look at whole queues
-- set work_mem so that 100,000 partitions are joined by hashing, which halves it.
--
-- Takes  p_queue_ids      the queues to look at
--        p_partition_ids  only these of their partitions; null for all
-- Gives  total       messages stored
--        pending     neither consumed nor delivered, or redriven and to be delivered again. The cursor that counts is
--                    that of __QUEUE_MODE__; without one the slowest group's, because a message is done when all groups
--                    have passed it; without any group everything is pending
--        processing  delivered under a live lease and not yet acknowledged; without __QUEUE_MODE__ those of the group
--                    that holds most
--        estimated   pending may be too high
create or replace function queen.partition_depths_v1(p_queue_ids uuid[], p_partition_ids uuid[])
returns table (
    partition_id uuid,
    queue_id     uuid,
    total        bigint,
    pending      bigint,
    processing   bigint,
    estimated    boolean
)
language sql stable
as $$
    select d.id, d.queue_id, d.head - d.removed,
           greatest(coalesce(d.counted[1], d.after) - coalesce(d.counted[2], d.held), 0)
               + coalesce(d.again[1] - d.again[2], 0),
           coalesce(d.counted[2], d.held) + coalesce(d.again[2], 0), coalesce(d.counted[3] = 1, false)
    from (
        select p.id, p.queue_id, p.head, p.removed,
               p.head - greatest(
                   coalesce(max(c.cursor) filter (where c.consumer_group = '__QUEUE_MODE__'), min(c.cursor), 0), p.tail) as after,
               coalesce(case when bool_or(c.consumer_group = '__QUEUE_MODE__')
                   then max(c.lease_last_seq - greatest(c.cursor, p.tail)) filter (
                       where c.consumer_group = '__QUEUE_MODE__' and c.lease_expires_at > now()
                         and c.lease_last_seq > greatest(c.cursor, p.tail))
                   else max(c.lease_last_seq - greatest(c.cursor, p.tail)) filter (
                       where c.lease_expires_at > now() and c.lease_last_seq > greatest(c.cursor, p.tail))
                   end, 0) as held,
               case when max(c.redriven) > 0 then queen.redriven_depth_v1(
                   p.id, bool_or(c.consumer_group = '__QUEUE_MODE__'),
                   coalesce(max(c.cursor) filter (where c.consumer_group = '__QUEUE_MODE__'), min(c.cursor))) end as again,
               case when p.removed <> p.tail then queen.counted_depth_v1(p.id) end as counted
        from queen.partitions p
        left join queen.partition_consumers c on c.partition_id = p.id
        where p.queue_id = any (p_queue_ids) and (p_partition_ids is null or p.id = any (p_partition_ids))
        group by p.id
    ) d
$$;

-- counted_depth_v1(partition) → array of: after the cursor, held under a lease, 1 when estimated
-- The depth of a partition from whose middle messages were removed, one by one: head - cursor would count the gaps too.
-- Counts messages of the primary key, on the shorter side of the cursor. When there are more than 100,000 on both sides
-- it gives head - cursor, which is too high by the gaps after the cursor, and says so: estimated.
create or replace function queen.counted_depth_v1(p_partition_id uuid) returns bigint[]
language plpgsql stable
as $$
declare
    c_most   constant bigint := 100000;
    v_head   bigint;
    v_tail   bigint;
    v_stored bigint;
    v_cursor bigint;
    v_queue  boolean;
    v_after  bigint;
    v_held   bigint;
begin
    select p.head, p.tail, p.head - p.removed,
           greatest(coalesce(max(c.cursor) filter (where c.consumer_group = '__QUEUE_MODE__'), min(c.cursor), 0), p.tail),
           coalesce(bool_or(c.consumer_group = '__QUEUE_MODE__'), false)
    into v_head, v_tail, v_stored, v_cursor, v_queue
    from queen.partitions p
    left join queen.partition_consumers c on c.partition_id = p.id
    where p.id = p_partition_id
    group by p.id;

    select coalesce(max(n.held), 0) into v_held
    from queen.partition_consumers c
    cross join lateral (
        select count(*) as held
        from queen.messages m
        where m.partition_id = c.partition_id and m.seq > greatest(c.cursor, v_tail) and m.seq <= c.lease_last_seq
    ) n
    where c.partition_id = p_partition_id and c.lease_expires_at > now()
      and (c.consumer_group = '__QUEUE_MODE__') = v_queue;

    if v_cursor <= v_tail then
        v_after := v_stored;
    elsif v_head - v_cursor <= c_most then
        select count(*) into v_after from queen.messages m where m.partition_id = p_partition_id and m.seq > v_cursor;
    elsif v_cursor - v_tail <= c_most then
        select v_stored - count(*) into v_after
        from queen.messages m where m.partition_id = p_partition_id and m.seq <= v_cursor;
    else
        return array[least(v_head - v_cursor, v_stored), v_held, 1];
    end if;
    return array[v_after, v_held, 0];
end
$$;

-- redriven_depth_v1(partition, queue mode, cursor) → array of: redriven messages up to the cursor, of which under a live lease
-- Of __QUEUE_MODE__ or, without that, of all groups; a message that several groups get again counts once.
create or replace function queen.redriven_depth_v1(p_partition_id uuid, p_queue_mode boolean, p_cursor bigint) returns bigint[]
language sql stable
as $$
    select array[count(distinct r.seq), count(distinct r.seq) filter (where c.lease_expires_at > now())]
    from queen.redriven r
    left join queen.partition_consumers c
        on c.partition_id = r.partition_id and c.consumer_group = r.consumer_group and c.lease_id = r.lease_id
    where r.partition_id = p_partition_id and r.seq <= p_cursor
      and (not p_queue_mode or r.consumer_group = '__QUEUE_MODE__')
$$;

-- before_waiting_v1(partition, group, position, redriven) → sequence number
-- Nothing up to here waits for the group: its position, or less when some of the messages before were redriven for it.
create or replace function queen.before_waiting_v1(p_partition_id uuid, p_consumer_group text, p_position bigint, p_redriven integer)
returns bigint
language sql stable
as $$
    select case when p_redriven > 0 then least(p_position, (
        select min(r.seq) - 1 from queen.redriven r
        where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group)) else p_position end
$$;
