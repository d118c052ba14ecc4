-- release_lease_v1(group, queue, partition) → what was released
-- Ends the lease that a consumer of the group holds on a partition, as if it had expired now: its messages come again, its
-- later acks and renewals are refused, retries are not counted. Of a lease that holds several partitions this one is
-- taken out.
--
-- Gives  partition_id  null when there is no such partition
--        released      false when nobody held it
--        lease_id, holder, expires_at, remaining_ms   of the lease that was ended
--        pending       messages are left, which is news to every server, so it goes into the push log
-- Locks  the row of partition_consumers.
create function queen.release_lease_v1(
    p_consumer_group text, p_queue_name text, p_partition_name text,
    out partition_id uuid, out released boolean, out lease_id uuid, out holder text, out expires_at timestamptz,
    out remaining_ms bigint, out pending boolean)
language plpgsql
as $$
declare
    v_cursor   bigint;
    v_redriven integer;
begin
    released := false;
    pending := false;
    select p.id into partition_id
    from queen.partitions p
    join queen.queues q on q.id = p.queue_id
    where q.name = p_queue_name and p.name = p_partition_name;

    select k.lease_id, k.leased_by, k.lease_expires_at, k.cursor, k.redriven
    into lease_id, holder, expires_at, v_cursor, v_redriven
    from queen.partition_consumers k
    where k.partition_id = release_lease_v1.partition_id and k.consumer_group = p_consumer_group
      and k.lease_expires_at > clock_timestamp()
    for update;
    if not found then
        return;
    end if;
    update queen.partition_consumers k
    set lease_id = null, lease_expires_at = null, lease_last_seq = null
    where k.partition_id = release_lease_v1.partition_id and k.consumer_group = p_consumer_group;
    insert into queen.push_log (queue_id, partition_ids)
    select p.queue_id, array[p.id]
    from queen.partitions p
    where p.id = release_lease_v1.partition_id and (p.head > greatest(v_cursor, p.tail) or v_redriven > 0);
    pending := found;
    released := true;
    remaining_ms := floor(extract(epoch from expires_at - clock_timestamp()) * 1000);
end
$$;
