-- pop_sm_release(claims) → per claim whether it was released
-- Gives leases back before their time, only those still held under the given id: a claim that found nothing, or one
-- whose consumer has gone away.
-- p_cursor: when everything up to there was removed and nothing was found, the cursor moves up to the next message that
-- is there, or to the head, or the partition would look full forever; null leaves it. Never back.
-- What is given back with messages left is news to the other servers, so it goes into the push log.
-- Locks  rows of partition_consumers in key order.
create function queen.pop_sm_release(
    p_partition_id uuid[], p_consumer_group text[], p_lease_id uuid[], p_cursor bigint[]) returns setof boolean
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
begin
    perform
    from (
        -- Sorted before it is joined: the rows are locked in this order.
        select * from unnest(p_partition_id, p_consumer_group) c (partition_id, consumer_group)
        order by c.partition_id, c.consumer_group
    ) c
    cross join lateral (
        select from queen.partition_consumers k
        where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group
        for update
    ) k;

    return query
    with released as (
        update queen.partition_consumers k
        set lease_id = null, lease_expires_at = null, lease_last_seq = null,
            cursor = case when c.cursor is null then k.cursor else greatest(k.cursor, (
                select coalesce(
                    (select min(m.seq) - 1 from queen.messages m where m.partition_id = p.id and m.seq > c.cursor), p.head)
                from queen.partitions p
                where p.id = c.partition_id)) end
        from unnest(p_partition_id, p_consumer_group, p_lease_id, p_cursor)
            with ordinality c (partition_id, consumer_group, lease_id, cursor, ord)
        cross join lateral (
            select r.ctid as place from queen.partition_consumers r
            where r.partition_id = c.partition_id and r.consumer_group = c.consumer_group and r.lease_id = c.lease_id
            limit 1
        ) r
        where k.ctid = r.place
        returning c.ord, k.partition_id, k.cursor, k.redriven
    ), logged as (
        insert into queen.push_log (queue_id, partition_ids)
        select p.queue_id, array_agg(p.id)
        from released r
        cross join lateral (select p.* from queen.partitions p where p.id = r.partition_id and (p.head > r.cursor or r.redriven > 0) limit 1) p
        group by p.queue_id
    )
    select r.ord is not null
    from unnest(p_partition_id) with ordinality c (partition_id, ord)
    left join released r on r.ord = c.ord
    order by c.ord;
end
$$;
