-- renew_lease_v2(items) → results
-- Extends leases from SQL.
--
--   select queen.renew_lease_v2('[{"leaseId": "…", "extendSeconds": 60}]');
--
-- Takes  an array of objects: leaseId (required), extendSeconds (60; the HTTP spelling `seconds` works too).
-- Gives  an array in the same order: index, leaseId, success, error, expiresAt. Rules and locks as in renew_list_v1.
create function queen.renew_lease_v2(p_items jsonb) returns jsonb
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
