-- trace_names_v1(limit, offset) → JSON object
-- The names that events were recorded under, the most recently used first, twice: in the words of the API and, as
-- `names`, in those of queenctl. Costs a pass over all named events.
create function queen.trace_names_v1(p_limit integer, p_offset integer) returns text
language sql stable
as $$
    with name as (
        select n.trace_name, count(*) as events, count(distinct (t.partition_id, t.transaction_id)) as messages,
               min(n.created_at) as first_seen, max(n.created_at) as last_seen
        from queen.trace_names n
        join queen.traces t on t.id = n.trace_id
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
