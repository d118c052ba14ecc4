-- lease_id_for(fresh id, partition) → lease id
-- A lease id carries the first eight hex digits of the partition it was taken for as its own last eight: that is how a
-- renewal, which knows the lease id only, finds the row through the primary key.
create function queen.lease_id_for(p_fresh uuid, p_partition_id uuid) returns uuid
language sql immutable parallel safe
as $$ select (left(p_fresh::text, 28) || left(p_partition_id::text, 8))::uuid $$;

-- renew_list_v1(lease ids, seconds) → one row per lease, in the order given
-- Takes  lease ids, and for how many seconds from now each shall live at least.
-- Gives  known      the lease exists, live or expired
--        expires_at the earliest expiry among the partitions of the lease; null when it was not extended
-- Extends every (partition, group) held under the lease and not expired; never shortens, never revives.
-- Locks  rows of partition_consumers in key order.
create function queen.renew_list_v1(p_lease_id uuid[], p_seconds integer[])
returns table (known boolean, expires_at timestamptz)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
declare
    v_now  timestamptz;
    v_keys uuid[];
begin
    -- The partitions that may hold these leases: by the digits in the id, or by the record of a shared lease.
    select array_agg(distinct k.partition_id)
    into v_keys
    from unnest(p_lease_id) l (id)
    cross join lateral (
        select c.partition_id
        from queen.partition_consumers c
        where c.partition_id >= (right(l.id::text, 8) || '-0000-0000-0000-000000000000')::uuid
          and c.partition_id <= (right(l.id::text, 8) || '-ffff-ffff-ffff-ffffffffffff')::uuid
          and c.lease_id = l.id
        union all
        select unnest(s.partition_ids) from queen.shared_leases s where s.lease_id = l.id
    ) k;

    perform
    from queen.partition_consumers c
    where c.partition_id = any (v_keys) and c.lease_id = any (p_lease_id)
    order by c.partition_id, c.consumer_group
    for update;
    v_now := clock_timestamp();

    return query
    with renewed as (
        update queen.partition_consumers c
        set lease_expires_at = greatest(c.lease_expires_at, v_now + make_interval(secs => l.seconds))
        from (select id, max(seconds) as seconds from unnest(p_lease_id, p_seconds) l (id, seconds) group by id) l
        where c.partition_id = any (v_keys) and c.lease_id = l.id and c.lease_expires_at > v_now
        returning c.lease_id, c.lease_expires_at
    ), held as (
        select r.lease_id, min(r.lease_expires_at) as expires_at from renewed r group by r.lease_id
    )
    select exists (select from queen.partition_consumers c where c.partition_id = any (v_keys) and c.lease_id = l.id),
           h.expires_at
    from unnest(p_lease_id) with ordinality l (id, ord)
    left join held h on h.lease_id = l.id
    order by l.ord;
end
$$;
