-- counted_depth_v1(partition) → array of: after the cursor, held under a lease, 1 when estimated
-- The depth of a partition from whose middle messages were removed, one by one: head - cursor would count the gaps too.
-- Counts messages of the primary key, on the shorter side of the cursor. When there are more than 100,000 on both sides
-- it gives head - cursor, which is too high by the gaps after the cursor, and says so: estimated.
create function queen.counted_depth_v1(p_partition_id uuid) returns bigint[]
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
create function queen.redriven_depth_v1(p_partition_id uuid, p_queue_mode boolean, p_cursor bigint) returns bigint[]
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
create function queen.before_waiting_v1(p_partition_id uuid, p_consumer_group text, p_position bigint, p_redriven integer)
returns bigint
language sql stable
as $$
    select case when p_redriven > 0 then least(p_position, (
        select min(r.seq) - 1 from queen.redriven r
        where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group)) else p_position end
$$;

-- partition_depths_v1(queues, partitions) → total, pending, processing of each partition
-- Without counting: total = head - removed, and what is not consumed = head - cursor. Only partitions with gaps are
-- counted, see counted_depth_v1. Costs one pass over the partitions and their groups; callers that look at whole queues
-- set work_mem so that 100,000 partitions are joined by hashing, which halves it.
--
-- Takes  p_queue_ids      the queues to look at
--        p_partition_ids  only these of their partitions; null for all
-- Gives  total       messages stored
--        pending     neither consumed nor delivered, or redriven and to be delivered again. The cursor that counts is that of __QUEUE_MODE__; without one the
--                    slowest group's, because a message is done when all groups have passed it; without any group
--                    everything is pending
--        processing  delivered under a live lease and not yet acknowledged; without __QUEUE_MODE__ those of the group
--                    that holds most
--        estimated   pending may be too high
create function queen.partition_depths_v1(p_queue_ids uuid[], p_partition_ids uuid[])
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
