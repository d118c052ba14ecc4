-- Leases: their ids, renewing them, ending them by hand. Pops take them (R__pop.sql), acks end them (R__ack.sql).
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- ---------------------------------------------------------------------------------------------------------------------
-- Public SQL interface: applications call what follows. Names, arguments and answers stay.
-- ---------------------------------------------------------------------------------------------------------------------

-- renew_lease_v2(items) → results
-- Extends leases from SQL.
--
--   select queen.renew_lease_v2('[{"leaseId": "…", "extendSeconds": 60}]');
--
-- Takes  an array of objects: leaseId (required), extendSeconds (60; the HTTP spelling `seconds` works too).
-- Gives  an array in the same order: index, leaseId, success, error, expiresAt. Rules and locks as in renew_list_v1.
create or replace function queen.renew_lease_v2(p_items jsonb) returns jsonb
language plpgsql
as $$
begin
    return coalesce((
        select jsonb_agg(jsonb_build_object('index', r.ord - 1, 'leaseId', i.lease_ids[r.ord],
                'success', r.expires_at is not null, 'expiresAt', r.expires_at,
                'error', case when r.expires_at is null and r.known then 'Lease already expired'
                              when r.expires_at is null then 'Lease not found' end) order by r.ord)
        from (
            select array_agg((e ->> 'leaseId')::uuid order by ord) as lease_ids,
                   array_agg(coalesce((e ->> 'extendSeconds')::integer, (e ->> 'seconds')::integer, 60) order by ord) as seconds
            from jsonb_array_elements(p_items) with ordinality j (e, ord)
        ) i
        cross join lateral queen.renew_list_v1(i.lease_ids, i.seconds) with ordinality r (known, expires_at, ord)
        where i.lease_ids is not null
    ), '[]');
end
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- The server's own: what follows may change with every release.
-- ---------------------------------------------------------------------------------------------------------------------

-- renew_list_v1(lease ids, seconds) → one row per lease, in the order given
-- Takes  lease ids, and for how many seconds from now each shall live at least.
-- Gives  known      the lease exists, live or expired
--        expires_at the earliest expiry among the partitions of the lease; null when it was not extended
-- Extends every (partition, group) held under the lease and not expired; never shortens, never revives.
-- Locks  rows of partition_consumers in key order.
create or replace function queen.renew_list_v1(p_lease_id uuid[], p_seconds integer[])
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
    select array_agg(distinct k.partition_id)
    into v_keys
    from unnest(p_lease_id) l (id)
    cross join lateral queen.lease_rows_v1(l.id) k;

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

-- The lease-id rule. A pop brings a fresh id, and the lease gets that id with its last eight hex digits replaced by the
-- first eight of the partition it was taken for, the first one if there are several: so a renewal, which knows the lease id
-- only, finds the row through the primary key, and needs no index on a column that changes with every pop. The 28
-- characters before them tell from which call it is.

-- lease_id_for(fresh id, partition) → lease id
create or replace function queen.lease_id_for(p_fresh uuid, p_partition_id uuid) returns uuid
language sql immutable parallel safe
as $$ select (left(p_fresh::text, 28) || left(p_partition_id::text, 8))::uuid $$;

-- is_lease_for(lease id, fresh id) → whether the lease was made from that fresh id
create or replace function queen.is_lease_for(p_lease_id uuid, p_fresh uuid) returns boolean
language sql immutable parallel safe
as $$ select left(p_lease_id::text, 28) = left(p_fresh::text, 28) $$;

-- lease_rows_v1(lease id) → the rows of partition_consumers held under it
-- By the digits in the id, or by the record of a lease that several partitions share.
-- A view with parameters: the caller's statement takes it in, and runs under the caller's settings.
create or replace function queen.lease_rows_v1(p_lease_id uuid) returns table (partition_id uuid, place tid)
language sql stable
as $$
    select c.partition_id, c.ctid
    from queen.partition_consumers c
    where c.partition_id >= (right(p_lease_id::text, 8) || '-0000-0000-0000-000000000000')::uuid
      and c.partition_id <= (right(p_lease_id::text, 8) || '-ffff-ffff-ffff-ffffffffffff')::uuid
      and c.lease_id = p_lease_id
    union all
    select c.partition_id, c.ctid
    from (select unnest(s.partition_ids) as id from queen.shared_leases s where s.lease_id = p_lease_id) s
    cross join lateral (
        select c.partition_id, c.ctid from queen.partition_consumers c where c.partition_id = s.id and c.lease_id = p_lease_id
    ) c
$$;

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
create or replace function queen.release_lease_v1(
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
