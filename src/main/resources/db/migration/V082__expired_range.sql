-- expired_range_v1(kind, partition) → after, upto
-- Which messages of a partition are due for removal: those after `after` up to `upto`, none when upto is not larger.
--   retention   older than the queue's retentionSeconds, consumed or not
--   completed   older than completedRetentionSeconds and passed by every group that has a cursor here, up to the first that
--               was redriven and is not done; a group that never consumed keeps everything, and so does a partition
--               without groups
--   eviction    older than maxWaitTimeSeconds and not passed by every group: what all have passed is no longer waiting
-- Time is looked up by halving (seq_before), never by a scan.
create function queen.expired_range_v1(p_kind text, p_partition_id uuid, out after bigint, out upto bigint)
language sql stable
as $$
    select case p_kind when 'eviction' then greatest(p.tail, coalesce(g.slowest, 0)) else p.tail end,
           case
               when s.seconds is null or (p_kind = 'completed' and coalesce(g.slowest, 0) <= p.tail) then 0
               else least(
                   queen.seq_before(p.id, now() - make_interval(secs => s.seconds)),
                   case p_kind when 'completed' then g.slowest end)
           end
    from queen.partitions p
    join queen.queues q on q.id = p.queue_id
    cross join lateral queen.expiry_seconds(q, p_kind) s (seconds)
    cross join lateral (
        select min(least(c.cursor, case when c.redriven > 0 and p_kind = 'completed' then (
            select min(r.seq) - 1 from queen.redriven r
            where r.partition_id = c.partition_id and r.consumer_group = c.consumer_group and r.seq > p.tail) end))
        from queen.partition_consumers c
        where c.partition_id = p.id) g (slowest)
    where p.id = p_partition_id
$$;
