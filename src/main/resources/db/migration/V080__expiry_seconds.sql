-- expiry_seconds(queue, kind) → seconds
-- The age from which messages of a queue are removed by retention, completed retention or eviction; null for never.
create function queen.expiry_seconds(p_queue queen.queues, p_kind text) returns integer
language sql immutable
as $$
    select nullif(case p_kind
        when 'retention' then case when p_queue.retention_enabled then p_queue.retention_seconds end
        when 'completed' then case when p_queue.retention_enabled then p_queue.completed_retention_seconds end
        when 'eviction' then p_queue.max_wait_time_seconds
    end, 0)
$$;
