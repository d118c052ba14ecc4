-- push_advance_v1(lanes, counts) → heads, now
-- Locks the partitions of a push in id order, moves their heads by the counts, and notes the news in the push log.
-- Gives the heads before the move, by lane, and the time that all messages of the push get; nulls, with nothing
-- changed, when a partition is gone. A lane with count 0 is locked and left as it is.
-- One lane, the push of a lone producer, takes the short way: a single row is locked and moved by one statement.
-- For push_list_v1, under whose settings it runs.
create function queen.push_advance_v1(
    p_lane_id    uuid[],
    p_lane_count integer[],
    out heads    bigint[],
    out now      timestamptz
)
language plpgsql
as $$
declare
    v_rows      tid[];
    v_queue_ids uuid[];
begin
    if cardinality(p_lane_id) = 1 and p_lane_count[1] > 0 then
        update queen.partitions p
        set head = p.head + p_lane_count[1], last_push_at = greatest(clock_timestamp(), p.last_push_at)
        where p.id = p_lane_id[1]
        returning array[p.head - p_lane_count[1]], array[p.queue_id], p.last_push_at into heads, v_queue_ids, now;
        if found then
            insert into queen.push_log (queue_id, partition_ids) values (v_queue_ids[1], p_lane_id);
        end if;
        return;
    end if;

    select array_agg(p.place), array_agg(p.queue_id), array_agg(p.head), greatest(clock_timestamp(), max(p.last_push_at))
    into v_rows, v_queue_ids, heads, now
    from (
        select p.ctid as place, p.queue_id, p.head, p.last_push_at
        from queen.partitions p
        where p.id = any (p_lane_id)
        order by p.id
        for no key update
    ) p;
    if heads is null or cardinality(heads) < cardinality(p_lane_id) then
        heads := null;
        return;
    end if;

    update queen.partitions p
    set head = p.head + l.n, last_push_at = push_advance_v1.now
    from (select v_rows[l] as place, p_lane_count[l] as n from generate_series(1, cardinality(v_rows)) l) l
    where p.ctid = l.place and l.n > 0;

    insert into queen.push_log (queue_id, partition_ids)
    select l.queue_id, array_agg(l.id)
    from unnest(v_queue_ids, p_lane_id, p_lane_count) l (queue_id, id, n)
    where l.n > 0
    group by l.queue_id;
end
$$;
