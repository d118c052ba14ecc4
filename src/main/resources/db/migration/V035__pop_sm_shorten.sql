-- pop_sm_shorten(claims) → nothing
-- Makes claims as short as what was read of them: the rest of their messages was too large for one answer and comes with
-- the next pop. In the transaction of the claim when it auto-acked.
--
-- Takes  arrays of one length: partition, group, the lease or null for a claim that auto-acked, the last sequence number
--        that was read, and that of the claim.
--
-- A lease then ends with what was read. A cursor that an auto-ack moved goes to before the next message that is there.
-- Locks  rows of partition_consumers in key order.
create function queen.pop_sm_shorten(
    p_partition_id uuid[], p_consumer_group text[], p_lease_id uuid[], p_read bigint[], p_last bigint[]) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
begin
    perform
    from queen.partition_consumers k
    join unnest(p_partition_id, p_consumer_group) c (partition_id, consumer_group)
        on k.partition_id = c.partition_id and k.consumer_group = c.consumer_group
    order by k.partition_id, k.consumer_group
    for update of k;

    with shortened as (
        update queen.partition_consumers k
        set lease_last_seq = case when k.lease_id is not null then c.read end,
            cursor = case when c.lease_id is null then c.next else k.cursor end,
            total_consumed = k.total_consumed - case when c.lease_id is null then c.last - c.next else 0 end
        from (
            select c.*, coalesce((
                select min(m.seq) - 1 from queen.messages m
                where m.partition_id = c.partition_id and m.seq > c.read and m.seq <= c.last), c.last) as next
            from unnest(p_partition_id, p_consumer_group, p_lease_id, p_read, p_last)
                c (partition_id, consumer_group, lease_id, read, last)
        ) c
        where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group
          and (k.lease_id = c.lease_id or (c.lease_id is null and k.lease_id is null and k.cursor = c.last))
        returning k.partition_id, k.lease_id
    )
    insert into queen.push_log (queue_id, partition_ids)
    select p.queue_id, array_agg(p.id)
    from shortened s
    join queen.partitions p on p.id = s.partition_id
    where s.lease_id is null
    group by p.queue_id;
end
$$;
