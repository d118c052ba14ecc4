-- Schedules: messages that are pushed at set times, once for each due time, whatever the number of servers.
--
-- A server that finds a schedule due computes its due times and the next one, and calls fire_schedule_v1, which stores the
-- messages and moves next_at in one transaction. It does nothing unless the schedule is still as the server read it. So of
-- several servers one fires, and a server that dies has either done both or nothing.
--
-- Locks  the row of the schedule, then as push_limited_v1. Nothing locks a schedule after a partition.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- fire_schedule_v1(items, schedule, due times, next) → missing, dup_ords, dup_ids, refused_ords, refusals, fired
--
-- Takes  p_partition_id … p_deliver_at     as push_limited_v1: an item for each due time, in their order; none to move on only
--        p_name, p_version, p_expected_at  the schedule as the caller has read it, and its next_at
--        p_due_at, p_next_at               the due times of the items, and what follows them, null for nothing
-- Gives  missing … refusals                as push_limited_v1; with missing nothing was done
--        fired                             false when the schedule has changed, is paused, or another server is at it: nothing
--                                          was done
--
-- What a full queue refuses stays due, and is looked at again a few seconds later.
create or replace function queen.fire_schedule_v1(
    p_partition_id   uuid[],
    p_count          integer[],
    p_partition_nr   integer[],
    p_nth            integer[],
    p_transaction_id text[],
    p_message_id     uuid[],
    p_payload        text[],
    p_trace_id       uuid[],
    p_encrypted      boolean[],
    p_producer_sub   text[],
    p_headers        text[],
    p_deliver_at     timestamptz[],
    p_name           text,
    p_version        bigint,
    p_expected_at    timestamptz,
    p_due_at         timestamptz[],
    p_next_at        timestamptz,
    out missing      boolean,
    out dup_ords     integer[],
    out dup_ids      uuid[],
    out refused_ords integer[],
    out refusals     text[],
    out fired        boolean
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_now    timestamptz;
    v_stored integer;
begin
    missing := false;
    perform
    from queen.schedules s
    where s.name = p_name and s.version = p_version and s.next_at = p_expected_at and not s.paused
    for no key update skip locked;
    fired := found;
    if not fired then
        return;
    end if;

    if cardinality(p_due_at) > 0 then
        select l.missing, l.dup_ords, l.dup_ids, l.refused_ords, l.refusals
        into missing, dup_ords, dup_ids, refused_ords, refusals
        from queen.push_limited_v1(p_partition_id, p_count, p_partition_nr, p_nth, p_transaction_id, p_message_id, p_payload,
            p_trace_id, p_encrypted, p_producer_sub, p_headers, p_deliver_at) l;
        if missing then
            return;
        end if;
    end if;

    -- All items go to one partition: what is refused is the end of the list.
    v_stored := coalesce(refused_ords[1] - 1, cardinality(p_due_at));
    v_now := clock_timestamp();
    update queen.schedules s
    set next_at = case when refused_ords is null then p_next_at else p_due_at[v_stored + 1] end,
        look_at = case when refused_ords is null then p_next_at else v_now + interval '5 seconds' end,
        last_due_at = case when v_stored > 0 then p_due_at[v_stored] else s.last_due_at end,
        last_run_at = case when v_stored > 0 then v_now else s.last_run_at end,
        last_error = case when refused_ords is not null then refusals[1] when v_stored > 0 then null else s.last_error end
    where s.name = p_name;
end
$$;

-- due_schedules_v1(until, rows, bytes) → schedules that are to be looked at by then
-- In a random order, so that several servers take different ones, and no more than p_rows; their payloads have no more than
-- p_bytes, or it is one schedule.
create or replace function queen.due_schedules_v1(p_until timestamptz, p_rows integer, p_bytes bigint)
returns setof queen.schedules
language sql
as $$
    select (d.due).*
    from (
        select d.due, sum(d.bytes) over (order by d.place) - d.bytes as before
        from (
            select s as due, octet_length(s.payload) + coalesce(octet_length(s.headers), 0) as bytes, random() as place
            from queen.schedules s
            where s.look_at <= p_until
            order by place
            limit p_rows
        ) d
    ) d
    where d.before = 0 or d.before < p_bytes
$$;
