-- pause_v1(queue, group) → known, full, changed, paused_at
-- Holds back the pops of a queue, or with a group those of one group, which need not exist yet. What is paused stays so, and
-- since when.
--
-- Gives  known      false when there is no such queue: nothing happened
--        full       too many pauses are in force, all servers keep them in memory: nothing happened
--        changed    whether it was not paused before
create function queen.pause_v1(
    p_queue_name text, p_consumer_group text,
    out known boolean, out "full" boolean, out changed boolean, out paused_at timestamptz)
language plpgsql
as $$
declare
    v_queue_id uuid;
begin
    select q.id into v_queue_id from queen.queues q where q.name = p_queue_name for key share;
    known := v_queue_id is not null;
    changed := false;
    "full" := (select count(*) from queen.pauses) >= 1000 and not exists (
        select from queen.pauses z where z.queue_id = v_queue_id and z.consumer_group = coalesce(p_consumer_group, ''));
    if not known or "full" then
        return;
    end if;
    insert into queen.pauses as z (queue_id, consumer_group, paused_at)
    values (v_queue_id, coalesce(p_consumer_group, ''), clock_timestamp())
    on conflict do nothing
    returning z.paused_at into paused_at;
    changed := found;
    if not changed then
        select z.paused_at into paused_at
        from queen.pauses z
        where z.queue_id = v_queue_id and z.consumer_group = coalesce(p_consumer_group, '');
    end if;
end
$$;

-- resume_v1(queue, group) → known, changed
-- Ends a pause. That of a queue leaves those of its groups, and the other way round.
create function queen.resume_v1(p_queue_name text, p_consumer_group text, out known boolean, out changed boolean)
language plpgsql
as $$
begin
    known := exists (select from queen.queues q where q.name = p_queue_name);
    delete from queen.pauses z
    using queen.queues q
    where q.id = z.queue_id and q.name = p_queue_name and z.consumer_group = coalesce(p_consumer_group, '');
    changed := found;
end
$$;
