-- pop_sm_look(queue, group, mark, after, step) → news
-- What a server asks before it answers a pop of any partition: news since its mark (pop_sm_news), or, when it has none
-- that can be trusted, the next step of a sweep (pop_sm_sweep).
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
as $$
declare
    v_life text := queen.push_log_life_v1();
begin
    if p_mark is null then
        select s.ids, s.due_ms, s.last_name, s.mark into ids, due_ms, last_name, mark
        from queen.pop_sm_sweep(p_queue_name, p_consumer_group, p_after, p_step) s;
    elsif split_part(p_mark, ':', 1) = v_life then
        select n.ids, n.due_ms, n.mark into ids, due_ms, mark
        from queen.pop_sm_news(p_queue_name, p_consumer_group, split_part(p_mark, ':', 2)) n;
    end if;
    mark := v_life || ':' || mark;
end
$$;
