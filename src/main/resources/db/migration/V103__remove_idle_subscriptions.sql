-- remove_idle_subscriptions_v1(hours, keep, limit) → records removed
-- A group may subscribe to a queue or partition before that exists, and then gets all that is pushed later. The record of
-- one that never comes to be must not stay for ever: it goes when no pop asked for it for so many hours, and when more
-- than p_keep are kept the longest not asked for go first. At most p_limit in one call.
-- Records of queues and partitions that exist stay.
-- Locks  an advisory lock for the transaction, so that one server at a time removes.
create function queen.remove_idle_subscriptions_v1(p_hours integer, p_keep integer, p_limit integer) returns integer
language plpgsql
as $$
declare
    v_removed integer;
begin
    if not pg_try_advisory_xact_lock(hashtext('queen.remove_idle_subscriptions')) then
        return 0;
    end if;
    with early as (
        select s.queue_name, s.consumer_group, s.partition_name, s.asked_at,
               row_number() over (order by s.asked_at desc) as place
        from queen.subscriptions s
        left join queen.queues q on q.name = s.queue_name
        left join queen.partitions p on p.queue_id = q.id and p.name = s.partition_name
        where q.id is null or (s.partition_name <> '' and p.id is null)
    )
    delete from queen.subscriptions s
    using (
        select * from early e
        where e.place > p_keep or e.asked_at < now() - make_interval(hours => p_hours)
        order by e.asked_at
        limit p_limit
    ) e
    where s.queue_name = e.queue_name and s.consumer_group = e.consumer_group and s.partition_name = e.partition_name
      and s.asked_at = e.asked_at;
    get diagnostics v_removed = row_count;
    return v_removed;
end
$$;
