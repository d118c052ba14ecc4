-- message_traces_v1(partition, transaction id) → JSON object
-- The events of a message, oldest first; none for a message that is not there.
create function queen.message_traces_v1(p_partition_id uuid, p_transaction_id text) returns text
language sql stable
as $$
    select json_build_object('traces', coalesce(json_agg(json_build_object(
        'id', t.id,
        'event_type', t.event_type,
        'data', t.data,
        'consumer_group', t.consumer_group,
        'worker_id', t.worker_id,
        'created_at', queen.iso_time(t.created_at),
        'trace_names', array(
            select n.trace_name from queen.trace_names n where n.trace_id = t.id order by n.trace_name)
    ) order by t.created_at, t.id), '[]'::json))::text
    from queen.traces t
    where t.partition_id = p_partition_id and t.transaction_id = p_transaction_id
$$;
