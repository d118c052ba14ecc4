-- traces_by_name_v1(name, limit, offset) → total, and the events of that name
-- Oldest first, over all messages, each with the payload of its message as it is stored. At least one row comes: with a
-- null id when the page is empty.
create function queen.traces_by_name_v1(p_name text, p_limit integer, p_offset integer)
returns table (
    total          bigint,
    id             uuid,
    transaction_id text,
    partition_id   uuid,
    event_type     text,
    data           text,
    consumer_group text,
    worker_id      text,
    created_at     timestamptz,
    queue_name     text,
    partition_name text,
    payload        text,
    is_encrypted   boolean,
    trace_names    text[]
)
language sql stable
as $$
    select a.total, t.id, t.transaction_id, t.partition_id, t.event_type, t.data::text, t.consumer_group, t.worker_id,
           t.created_at, q.name, p.name, m.payload, m.is_encrypted,
           array(select o.trace_name from queen.trace_names o where o.trace_id = t.id order by o.trace_name)
    from (select count(*) as total from queen.trace_names n where n.trace_name = p_name) a
    left join lateral (
        select n.trace_id, n.created_at
        from queen.trace_names n
        where n.trace_name = p_name
        order by n.created_at, n.trace_id
        limit p_limit offset p_offset
    ) n on true
    left join queen.traces t on t.id = n.trace_id
    left join queen.partitions p on p.id = t.partition_id
    left join queen.queues q on q.id = p.queue_id
    left join queen.messages m on m.partition_id = t.partition_id and m.transaction_id = t.transaction_id
    order by n.created_at, n.trace_id
$$;
