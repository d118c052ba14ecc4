-- note_consumers_v1(server, seconds, queues, groups, waiting, holders) → nothing
-- A server tells who pops through it, all in one call; each row is believed for so many seconds. Rows that nobody believes
-- any more are removed, a thousand at a time, whoever told them.
--
-- Takes  arrays of one length, no (queue, group) twice: names, pops that wait now, and the consumers seen lately, one in
--        a line.
-- Locks  rows of queen.consumers: a server writes none but its own, and skips old ones that another is removing.
create function queen.note_consumers_v1(
    p_server_id text, p_seconds integer, p_queue text[], p_consumer_group text[], p_waiting integer[], p_holders text[])
returns void
language sql
as $$
    delete from queen.consumers c
    using (
        select o.ctid as place from queen.consumers o
        where o.believed_until < clock_timestamp() - interval '1 minute'
        limit 1000
        for update skip locked
    ) o
    where c.ctid = o.place;

    insert into queen.consumers (queue_name, consumer_group, server_id, waiting, holders, believed_until)
    select c.queue, c.consumer_group, p_server_id, c.waiting, coalesce(string_to_array(nullif(c.holders, ''), e'\n'), '{}'),
           clock_timestamp() + make_interval(secs => p_seconds)
    from unnest(p_queue, p_consumer_group, p_waiting, p_holders) c (queue, consumer_group, waiting, holders)
    on conflict (queue_name, consumer_group, server_id) do update
    set waiting = excluded.waiting, holders = excluded.holders, believed_until = excluded.believed_until
$$;

-- present_consumers_v1(group, queue) → waiting, holders
-- Pops of the group that wait on any server, and its consumers seen lately, each once.
create function queen.present_consumers_v1(
    p_consumer_group text, p_queue_name text, out waiting bigint, out holders text[])
language sql stable
as $$
    select (
        select coalesce(sum(c.waiting), 0)
        from queen.consumers c
        where c.queue_name = p_queue_name and c.consumer_group = p_consumer_group and c.believed_until > now()
    ), array(
        select distinct h.holder
        from queen.consumers c
        cross join lateral unnest(c.holders) h (holder)
        where c.queue_name = p_queue_name and c.consumer_group = p_consumer_group and c.believed_until > now()
        order by h.holder
    )
$$;

-- holder_v1(text) → JSON
-- The address and the name, null for none, of who holds a lease.
create function queen.holder_v1(p_holder text) returns json
language sql immutable
as $$
    select case when p_holder is not null then json_build_object(
        'address', split_part(p_holder, ' ', 1),
        'name', nullif(substr(p_holder, length(split_part(p_holder, ' ', 1)) + 2), '')) end
$$;

-- holders_v1(texts) → JSON array
create function queen.holders_v1(p_holders text[]) returns json
language sql immutable
as $$
    select coalesce(json_agg(queen.holder_v1(h.holder) order by h.holder), '[]') from unnest(p_holders) h (holder)
$$;
