-- trim_push_log_v1(before) → rows removed, mark
-- Removes what the push log holds of transactions before p_before (null: nothing), and gives the mark of now: the oldest
-- transaction still running. A server that calls it every so often with the mark it was given a minute ago keeps
-- everything that any server may still ask for, also of transactions that stay open for long.
-- Marks are `life:transaction id`; one of an earlier life of the database removes nothing.
-- Shared leases that no partition is held under any more go here too, a minute after they were taken: pops make them as
-- fast as pushes make log rows, 13 million a day at 150 pops a second.
-- Clear marks go with what they need of the log, in one transaction.
-- One at a time: who finds another at it leaves it alone.
create function queen.trim_push_log_v1(p_before text, out removed bigint, out mark text)
language plpgsql
as $$
declare
    v_life text := queen.push_log_life_v1();
begin
    removed := 0;
    if split_part(p_before, ':', 1) = v_life and pg_try_advisory_xact_lock(hashtext('queen.trim_push_log')) then
        delete from queen.clear_marks m where m.life <> v_life or m.xid < split_part(p_before, ':', 2)::xid8;
        delete from queen.push_log l where l.xid < split_part(p_before, ':', 2)::xid8;
        get diagnostics removed = row_count;
        delete from queen.shared_leases s
        where s.created_at < now() - interval '1 minute'
          and not exists (
              select from unnest(s.partition_ids) u (id)
              cross join lateral (
                  select from queen.partition_consumers c where c.partition_id = u.id and c.lease_id = s.lease_id limit 1) c);
    end if;
    mark := v_life || ':' || pg_snapshot_xmin(pg_current_snapshot());
end
$$;
