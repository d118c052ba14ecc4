-- prune_metrics_v1(days, limit) → rows removed
-- Removes up to p_limit rows each of minute buckets and retention history older than so many days; oldest first, in small
-- portions, as everything that is removed in the background.
create function queen.prune_metrics_v1(p_days integer, p_limit integer) returns bigint
language plpgsql
as $$
declare
    v_before  timestamptz := now() - make_interval(days => p_days);
    v_buckets bigint;
    v_history bigint;
begin
    if not pg_try_advisory_xact_lock(hashtext('queen.prune_metrics')) then
        return 0;
    end if;
    delete from queen.metric_buckets b
    where b.ctid = any (array(
        select o.ctid from queen.metric_buckets o where o.bucket < v_before order by o.bucket limit p_limit));
    get diagnostics v_buckets = row_count;
    delete from queen.retention_history h
    where h.ctid = any (array(
        select o.ctid from queen.retention_history o where o.executed_at < v_before order by o.executed_at limit p_limit));
    get diagnostics v_history = row_count;
    return v_buckets + v_history;
end
$$;
