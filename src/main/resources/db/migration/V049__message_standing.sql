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
create function queen.message_standing_v1(p_partition_id uuid, p_seq bigint, p_group text)
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
