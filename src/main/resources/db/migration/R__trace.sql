-- Traces: events that consumers record for messages.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- record_trace_v1(partition, transaction id, group, type, data, names, worker) → id
-- Attaches an event to a message, under any number of names. Null, and nothing stored, when there is no such message.
create or replace function queen.record_trace_v1(
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

-- message_traces_v1(partition, transaction id) → JSON object
-- The events of a message, oldest first; none for a message that is not there.
create or replace function queen.message_traces_v1(p_partition_id uuid, p_transaction_id text) returns text
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

-- traces_by_name_v1(name, limit, offset, visible) → total, and the events of that name
-- Oldest first, over all messages of the queues that the caller may see (is_visible_v1), each with the payload of its message as it is stored. At least one row comes: with a
-- null id when the page is empty.
create or replace function queen.traces_by_name_v1(p_name text, p_limit integer, p_offset integer, p_visible text[] default null)
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
    from (
        select count(*) as total from queen.trace_names n
        where n.trace_name = p_name and (p_visible is null or queen.is_trace_visible_v1(n.trace_id, p_visible))
    ) a
    left join lateral (
        select n.trace_id, n.created_at
        from queen.trace_names n
        where n.trace_name = p_name and (p_visible is null or queen.is_trace_visible_v1(n.trace_id, p_visible))
        order by n.created_at, n.trace_id
        limit p_limit offset p_offset
    ) n on true
    left join queen.traces t on t.id = n.trace_id
    left join queen.partitions p on p.id = t.partition_id
    left join queen.queues q on q.id = p.queue_id
    left join queen.messages m on m.partition_id = t.partition_id and m.transaction_id = t.transaction_id
    order by n.created_at, n.trace_id
$$;

-- is_trace_visible_v1(trace, patterns) → boolean
-- Whether the event is of a message whose queue the caller may see, see is_visible_v1.
create or replace function queen.is_trace_visible_v1(p_trace_id uuid, p_patterns text[]) returns boolean
language sql stable
as $$
    select exists (
        select
        from queen.traces t
        join queen.partitions p on p.id = t.partition_id
        join queen.queues q on q.id = p.queue_id
        where t.id = p_trace_id and queen.is_visible_v1(q.name, p_patterns))
$$;

-- trace_names_v1(limit, offset, visible) → JSON object
-- The names that events were recorded under, the most recently used first, twice: in the words of the API and, as
-- `names`, in those of queenctl. Costs a pass over all named events.
create or replace function queen.trace_names_v1(p_limit integer, p_offset integer, p_visible text[] default null) returns text
language sql stable
as $$
    with name as (
        select n.trace_name, count(*) as events, count(distinct (t.partition_id, t.transaction_id)) as messages,
               min(n.created_at) as first_seen, max(n.created_at) as last_seen
        from queen.trace_names n
        join queen.traces t on t.id = n.trace_id
        where p_visible is null or queen.is_trace_visible_v1(n.trace_id, p_visible)
        group by n.trace_name
    ), page as (
        select n.* from name n order by n.last_seen desc, n.trace_name limit p_limit offset p_offset
    )
    select json_build_object(
        'trace_names', coalesce(json_agg(json_build_object(
            'trace_name', p.trace_name,
            'trace_count', p.events,
            'message_count', p.messages,
            'last_seen', queen.iso_time(p.last_seen)
        ) order by p.last_seen desc, p.trace_name), '[]'::json),
        'names', coalesce(json_agg(json_build_object(
            'name', p.trace_name,
            'count', p.events,
            'firstSeen', queen.iso_time(p.first_seen),
            'lastSeen', queen.iso_time(p.last_seen)
        ) order by p.last_seen desc, p.trace_name), '[]'::json),
        'total', (select count(*) from name),
        'pagination', json_build_object('limit', p_limit, 'offset', p_offset))::text
    from page p
$$;
