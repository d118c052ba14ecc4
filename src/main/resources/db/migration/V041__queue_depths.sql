-- message_counts_v1(total, pending, processing, dead letters, estimated) → JSON
-- The counters of a partition, a queue or all of them, as every answer writes them. failed is always 0: a failed message
-- is pending again or a dead letter. A dead letter was passed, so it counts as completed too. estimated: pending may be
-- too high (counted_depth_v1).
create function queen.message_counts_v1(
    p_total bigint, p_pending bigint, p_processing bigint, p_dead_letter bigint, p_estimated boolean) returns json
language sql immutable
as $$
    select json_build_object(
        'total', p_total, 'pending', p_pending, 'processing', p_processing,
        'completed', p_total - p_pending - p_processing, 'failed', 0, 'deadLetter', p_dead_letter,
        'estimated', p_estimated)
$$;

-- queue_depths_v1(queues) → the counters of each queue
-- Sums of partition_depths_v1, and the number of messages that are dead letters of any group. A queue without partitions
-- has a row of zeros.
create function queen.queue_depths_v1(p_queue_ids uuid[])
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
