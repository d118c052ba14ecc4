-- held_leases_v1(lease ids) → which of these a renewal would have to wait for, and for whom
-- As held_lanes_v1, for the rows that renew_list_v1 finds: by the digits in the id, or by the record of a shared lease.
create function queen.held_leases_v1(p_lease_id uuid[]) returns table (ord integer, holder xid)
language plpgsql
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
declare
    -- One element per row of a lease.
    v_ords integer[];
    v_rows tid[];
    v_free tid[];
begin
    select array_agg(k.ord), array_agg(k.place)
    into v_ords, v_rows
    from (
        select l.ord::integer, k.place
        from unnest(p_lease_id) with ordinality l (id, ord)
        cross join lateral (
            select c.ctid as place
            from queen.partition_consumers c
            where c.partition_id >= (right(l.id::text, 8) || '-0000-0000-0000-000000000000')::uuid
              and c.partition_id <= (right(l.id::text, 8) || '-ffff-ffff-ffff-ffffffffffff')::uuid
              and c.lease_id = l.id
            union all
            select c.ctid
            from (select unnest(s.partition_ids) as id from queen.shared_leases s where s.lease_id = l.id) s
            cross join lateral (
                select c.ctid from queen.partition_consumers c where c.partition_id = s.id and c.lease_id = l.id
            ) c
        ) k
    ) k;

    select coalesce(array_agg(c.place), '{}') into v_free
    from (
        select c.ctid as place from queen.partition_consumers c where c.ctid = any (v_rows) for update skip locked
    ) c;
    return query
    select v_ords[o], c.xmax
    from generate_subscripts(v_rows, 1) o
    cross join lateral (select c.xmax from queen.partition_consumers c where c.ctid = v_rows[o] limit 1) c
    where v_rows[o] <> all (v_free);
end
$$;
