-- remove_idle_partitions_v1(days, limit) → queue_name, removed
-- Removes up to p_limit partitions that hold no message and got none for so many days, with the cursors of their groups,
-- and tells how many of each queue. `Default` stays: configure answers with its id.
-- A later push makes the partition anew, with another id and an empty order; a group starts there by its subscription or
-- at the beginning, and everything pushed then is newer than either: nothing is skipped, and nothing comes twice.
-- A partition under a live lease is left alone.
-- Locks  an advisory lock for the transaction, so that one server at a time removes; partitions by id, skipping those
--        that others hold; then the rows of their groups.
create function queen.remove_idle_partitions_v1(p_days integer, p_limit integer)
returns table (queue_name text, removed bigint)
language plpgsql
as $$
begin
    if not pg_try_advisory_xact_lock(hashtext('queen.remove_idle_partitions')) then
        return;
    end if;
    return query
    with idle as (
        select p.id
        from queen.partitions p
        where p.removed >= p.head
          and p.name <> 'Default'
          and coalesce(p.last_push_at, p.created_at) < now() - make_interval(days => p_days)
          and not exists (select from queen.messages m where m.partition_id = p.id)
          and not exists (
              select from queen.partition_consumers c where c.partition_id = p.id and c.lease_expires_at > now())
        order by p.id
        limit p_limit
        for update skip locked
    ), gone as (
        delete from queen.partitions p
        using idle i
        where p.id = i.id
        returning p.queue_id
    )
    select q.name, count(*)
    from gone g
    join queen.queues q on q.id = g.queue_id
    group by q.name;
end
$$;
