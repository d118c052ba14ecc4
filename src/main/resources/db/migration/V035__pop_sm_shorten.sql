-- pop_sm_shorten(leases) → nothing
-- Makes leases as short as what was read under them: the rest of their messages was too large for one answer and comes
-- with the next pop, when what was read is acked.
--
-- Takes  arrays of one length: partition, group, the lease, the last sequence number that was read.
-- Locks  rows of partition_consumers in key order.
create function queen.pop_sm_shorten(
    p_partition_id uuid[], p_consumer_group text[], p_lease_id uuid[], p_read bigint[]) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_rows  tid[];
    v_reads bigint[];
begin
    select array_agg(k.place), array_agg(c.read)
    into v_rows, v_reads
    from (
        -- Sorted before it is joined: the rows are locked in this order.
        select * from unnest(p_partition_id, p_consumer_group, p_lease_id, p_read)
            c (partition_id, consumer_group, lease_id, read)
        order by c.partition_id, c.consumer_group
    ) c
    cross join lateral (
        select k.ctid as place
        from queen.partition_consumers k
        where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group and k.lease_id = c.lease_id
        for update
    ) k;

    update queen.partition_consumers k
    set lease_last_seq = v_reads[c]
    from generate_series(1, cardinality(v_rows)) c
    where k.ctid = v_rows[c];
end
$$;
