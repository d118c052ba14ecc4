-- seek_group_v1(group, queue, to, time, after, limit, mark) → moved, last_name, mark
-- Moves the cursors of a group in the next p_limit partitions of a queue, in name order: in all that have had messages,
-- also where the group has no cursor yet, or a seek to the end would deliver what lies there. Called until last_name is
-- null, each portion a transaction of its own, so that nobody waits long. Nothing happens for a group that does not know
-- the queue.
--
-- Takes  p_to, p_time as move_cursors_v1; p_after the name after which to go on, null to begin; p_mark what the portion
--        before gave
-- Gives  moved       partitions of this portion
--        last_name   where the next portion goes on, null when this was the last
--        mark        `life:transaction id` before the first portion. After the last portion of a seek to the end the
--                    group has nothing but what was pushed since then: that is noted as a clear mark
-- Locks  as move_cursors_v1.
create function queen.seek_group_v1(
    p_consumer_group text, p_queue_name text, p_to text, p_time timestamptz, p_after text, p_limit integer,
    p_mark text default null, out moved integer, out last_name text, out mark text)
language plpgsql
as $$
declare
    v_ids uuid[];
begin
    moved := 0;
    select coalesce(p_mark, queen.push_log_life_v1() || ':' || pg_snapshot_xmin(pg_current_snapshot())) into mark;
    if p_after is null and not queen.knows_queue_v1(p_consumer_group, p_queue_name) then
        return;
    end if;

    select array_agg(s.id) filter (where s.head > 0), case when count(*) = p_limit then max(s.name) end
    into v_ids, last_name
    from (
        select p.id, p.name, p.head
        from queen.partitions p
        where p.queue_id = (select q.id from queen.queues q where q.name = p_queue_name)
          and p.name >= coalesce(p_after, '') and p.name is distinct from p_after
        order by p.name
        limit p_limit
    ) s;
    if v_ids is not null then
        moved := queen.move_cursors_v1(v_ids, p_consumer_group, p_to, p_time);
    end if;
    if p_to = 'end' and last_name is null then
        insert into queen.clear_marks (queue_id, consumer_group, life, xid)
        select q.id, p_consumer_group, split_part(mark, ':', 1), split_part(mark, ':', 2)::xid8
        from queen.queues q
        where q.name = p_queue_name;
    end if;
end
$$;
