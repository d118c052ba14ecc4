-- record_trace_v1(partition, transaction id, group, type, data, names, worker) → id
-- Attaches an event to a message, under any number of names. Null, and nothing stored, when there is no such message.
create function queen.record_trace_v1(
    p_partition_id uuid, p_transaction_id text, p_consumer_group text, p_event_type text, p_data jsonb,
    p_names text[], p_worker_id text) returns uuid
language sql
as $$
    with event as (
        insert into queen.traces (partition_id, transaction_id, consumer_group, event_type, data, worker_id)
        select p_partition_id, p_transaction_id, p_consumer_group, p_event_type, p_data, p_worker_id
        where exists (
            select
            from queen.messages m
            join queen.partitions p on p.id = m.partition_id
            where m.partition_id = p_partition_id and m.transaction_id = p_transaction_id)
        returning id, created_at
    ), named as (
        insert into queen.trace_names (trace_id, trace_name, created_at)
        select distinct e.id, n.name, e.created_at
        from event e
        cross join unnest(p_names) n (name)
    )
    select e.id from event e
$$;
