-- What operators did.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- add_audit_v1(server, one array per column) → nothing
-- Adds acts; one whose id is there already is left alone. An act on a single message names its partition by id: while the
-- partition is there, its names are stored.
-- Locks  nothing but the new rows.
create or replace function queen.add_audit_v1(
    p_server_id text, p_id uuid[], p_at timestamptz[], p_act text[], p_status integer[], p_code text[], p_subject text[],
    p_address text[], p_request_id text[], p_queue text[], p_partition text[], p_group text[], p_transaction_id text[],
    p_details text[]) returns void
language sql
as $$
    insert into queen.audit (
        id, at, server_id, act, status, code, subject, address, request_id, queue_name, partition_name, consumer_group,
        transaction_id, details)
    select a.id, a.at, p_server_id, a.act, a.status, a.code, a.subject, a.address, a.request_id,
           coalesce(a.queue, q.name), coalesce(p.name, a.partition), a.consumer_group, a.transaction_id, a.details
    from unnest(p_id, p_at, p_act, p_status, p_code, p_subject, p_address, p_request_id, p_queue, p_partition, p_group,
                p_transaction_id, p_details)
        a (id, at, act, status, code, subject, address, request_id, queue, partition, consumer_group, transaction_id, details)
    left join queen.partitions p on p.id = case
        when a.transaction_id is not null and a.partition ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
        then a.partition::uuid end
    left join queen.queues q on q.id = p.queue_id
    on conflict (id) do nothing
$$;

-- list_audit_v1(from, to, act, subject, queue, after, limit) → JSON object
-- A page of acts, the newest first; filters are null for any, the first of the times is included and the last is not. The
-- next page begins after the last act of this one, so that acts that are added meanwhile move nothing.
--
-- Takes  p_after_at, p_after_id  the last act of the page before; nulls to begin
-- Gives  acts, and next: null when there are no more
create or replace function queen.list_audit_v1(
    p_from timestamptz, p_to timestamptz, p_act text, p_subject text, p_queue text, p_after_at timestamptz, p_after_id uuid,
    p_limit integer) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set jit = off
as $$
begin
    return (
        with page as (
            select a.*, row_number() over (order by a.at desc, a.id desc) as nth
            from queen.audit a
            where a.at >= coalesce(p_from, '-infinity') and a.at < coalesce(p_to, 'infinity')
              and (a.at, a.id) < (coalesce(p_after_at, 'infinity'), coalesce(p_after_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
              and (p_act is null or a.act = p_act)
              and (p_subject is null or a.subject = p_subject)
              and (p_queue is null or a.queue_name = p_queue)
            order by a.at desc, a.id desc
            limit p_limit + 1
        )
        select json_build_object(
            'acts', coalesce(json_agg(json_build_object(
                'id', a.id, 'at', queen.iso_time(a.at), 'act', a.act, 'status', a.status, 'code', a.code,
                'subject', a.subject, 'address', a.address, 'server', a.server_id, 'requestId', a.request_id,
                'queue', a.queue_name, 'partition', a.partition_name, 'consumerGroup', a.consumer_group,
                'transactionId', a.transaction_id, 'details', a.details) order by a.nth)
                filter (where a.nth <= p_limit), '[]'),
            'next', max((extract(epoch from a.at) * 1000000)::bigint || ':' || a.id)
                filter (where a.nth = p_limit and exists (select from page l where l.nth > p_limit)))
        from page a);
end
$$;

-- prune_audit_v1(days, limit) → rows removed
-- Removes up to p_limit acts older than so many days, the oldest first.
create or replace function queen.prune_audit_v1(p_days integer, p_limit integer) returns bigint
language plpgsql
as $$
declare
    v_removed bigint;
begin
    if not pg_try_advisory_xact_lock(hashtext('queen.prune_audit')) then
        return 0;
    end if;
    delete from queen.audit a
    where a.ctid = any (array(
        select o.ctid from queen.audit o where o.at < now() - make_interval(days => p_days) order by o.at limit p_limit));
    get diagnostics v_removed = row_count;
    return v_removed;
end
$$;
