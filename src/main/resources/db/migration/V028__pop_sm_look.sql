-- pop_sm_look(queue, group, mark, after, step) → news
-- What a server asks before it answers a pop of any partition: news since its mark (pop_sm_news), or, when it has none
-- that can be trusted, the next step of a sweep (pop_sm_sweep). No sweep is needed where there is a clear mark: the news
-- since then are all there is. Mark and news are read by one statement, because marks go together with their log.
-- Marks are `life:transaction id` here. A mark of an earlier life of the database is answered with nulls: the server has
-- to sweep.
create function queen.pop_sm_look(
    p_queue_name text, p_consumer_group text, p_mark text, p_after text, p_step integer,
    out ids uuid[], out due_ms bigint[], out last_name text, out mark text)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_life text := queen.push_log_life_v1();
begin
    if p_mark is null and p_after is null then
        select n.ids, n.due_ms, n.mark into ids, due_ms, mark
        from (
            select m.xid::text as since from queen.clear_marks m
            where m.queue_id = (select q.id from queen.queues q where q.name = p_queue_name)
              and m.consumer_group = p_consumer_group and m.life = v_life
            order by m.xid desc
            limit 1
        ) m
        cross join lateral queen.pop_sm_news(p_queue_name, p_consumer_group, m.since) n;
    end if;
    if mark is not null then
        null;
    elsif p_mark is null then
        select s.ids, s.due_ms, s.last_name, s.mark into ids, due_ms, last_name, mark
        from queen.pop_sm_sweep(p_queue_name, p_consumer_group, p_after, p_step) s;
    elsif split_part(p_mark, ':', 1) = v_life then
        select n.ids, n.due_ms, n.mark into ids, due_ms, mark
        from queen.pop_sm_news(p_queue_name, p_consumer_group, split_part(p_mark, ':', 2)) n;
    end if;
    mark := v_life || ':' || mark;
end
$$;
