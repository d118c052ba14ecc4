-- pop_sm_rest(claims, seconds) → nothing
-- Lets claims rest that nobody was given: their leases end after so many seconds, and until then no pop tries them again.
-- Of a server whose key does not open what it claimed; another server may have the right one.
--
-- Takes  arrays of one length: partition, group, the lease. Only those still held under that lease are touched.
-- Locks  rows of partition_consumers in key order.
create function queen.pop_sm_rest(
    p_partition_id uuid[], p_consumer_group text[], p_lease_id uuid[], p_seconds integer) returns void
language plpgsql
as $$
begin
    perform
    from queen.partition_consumers k
    join unnest(p_partition_id, p_consumer_group, p_lease_id) c (partition_id, consumer_group, lease_id)
        on k.partition_id = c.partition_id and k.consumer_group = c.consumer_group and k.lease_id = c.lease_id
    order by k.partition_id, k.consumer_group
    for update of k;

    update queen.partition_consumers k
    set lease_expires_at = least(k.lease_expires_at, clock_timestamp() + make_interval(secs => p_seconds))
    from unnest(p_partition_id, p_consumer_group, p_lease_id) c (partition_id, consumer_group, lease_id)
    where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group and k.lease_id = c.lease_id;
end
$$;
