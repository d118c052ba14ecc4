-- remove_expired_v1(kind, run, partitions, limit, wait) → removed, remaining
-- One portion of retention or eviction: removes up to p_limit messages that are due in the given partitions, and adds
-- them to the history of the run.
--
-- Takes  p_kind   retention, completed or eviction, see expired_range_v1
--        p_run    when the run began: its key in the history
--        p_wait   wait for a partition that somebody writes to; only for a single one
-- Gives  removed    messages removed; null when another server is at it
--        remaining  the partitions to call for again: somebody held them, or the limit was reached before their end
-- Locks  an advisory lock for the transaction, so that one server at a time removes; then partitions, skipping those that
--        others hold: it never waits while it holds one, and a push waits for one portion at most. Then rows of
--        partition_consumers, see remove_messages_v1. The advisory lock ends with the transaction and not with the
--        session, so that it is right behind a pooler too.
create function queen.remove_expired_v1(
    p_kind text, p_run timestamptz, p_partition_ids uuid[], p_limit integer, p_wait boolean,
    out removed bigint, out remaining uuid[])
language plpgsql
as $$
declare
    v_id    uuid;
    v_after bigint;
    v_upto  bigint;
    v_count bigint;
    v_done  boolean;
begin
    if not pg_try_advisory_xact_lock(hashtext('queen.remove_expired')) then
        return;
    end if;
    removed := 0;
    remaining := '{}';
    foreach v_id in array p_partition_ids loop
        if removed >= p_limit then
            remaining := remaining || v_id;
            continue;
        end if;
        if p_wait then
            perform from queen.partitions p where p.id = v_id for no key update;
        else
            perform from queen.partitions p where p.id = v_id for no key update skip locked;
        end if;
        if not found then
            if exists (select from queen.partitions p where p.id = v_id) then
                remaining := remaining || v_id;
            end if;
            continue;
        end if;
        select r.after, r.upto into v_after, v_upto from queen.expired_range_v1(p_kind, v_id) r;
        continue when v_upto <= v_after;
        select r.removed, r.done into v_count, v_done
        from queen.remove_messages_v1(v_id, v_after, v_upto, (p_limit - removed)::integer) r;
        removed := removed + v_count;
        if not v_done then
            remaining := remaining || v_id;
        end if;
        if v_count > 0 then
            insert into queen.retention_history as h (executed_at, queue_name, kind, deleted_count)
            select p_run, q.name, p_kind, v_count
            from queen.partitions p
            join queen.queues q on q.id = p.queue_id
            where p.id = v_id
            on conflict (executed_at, queue_name, kind) do update set deleted_count = h.deleted_count + excluded.deleted_count;
        end if;
    end loop;
end
$$;
