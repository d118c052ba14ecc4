-- pop_sm_look(queue, group, mark, after, step) → news
-- What a server asks before it answers a pop of any partition: news since its mark (pop_sm_news), or, when it has none
-- that can be trusted, the next step of a sweep (pop_sm_sweep).
create function queen.pop_sm_look(
    p_queue_name text, p_consumer_group text, p_mark text, p_after text, p_step integer,
    out ids uuid[], out due_ms bigint[], out last_name text, out mark text)
language plpgsql stable
set plan_cache_mode = force_generic_plan
as $$
begin
    if p_mark is null then
        select s.ids, s.due_ms, s.last_name, s.mark into ids, due_ms, last_name, mark
        from queen.pop_sm_sweep(p_queue_name, p_consumer_group, p_after, p_step) s;
    else
        select n.ids, n.due_ms, n.mark into ids, due_ms, mark
        from queen.pop_sm_news(p_queue_name, p_consumer_group, p_mark) n;
    end if;
end
$$;
