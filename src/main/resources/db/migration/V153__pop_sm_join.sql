-- pop_sm_join(candidates) → nothing
-- Creates the rows of groups that are new to partitions, each at the start that its subscription says, or at p_start.
--
-- Takes  arrays of one length, as pop_sm_take has them. Those that have a row already are left as they are.
-- Locks  the partitions, against being deleted (a push does not wait for that), passing over those that are, and the rows
--        it creates, in key order. An insert has to wait for another of the same row, a pop does not wait: after
--        ten milliseconds, in which another pop is done, each row is tried alone, and what another transaction creates is
--        left to that one. To pop_sm_take such a row is locked.
create function queen.pop_sm_join(p_partition_id uuid[], p_consumer_group text[], p_start timestamptz[]) returns void
language plpgsql
set lock_timeout = '10ms'
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
begin
    if cardinality(p_partition_id) = 1 then
        perform set_config('lock_timeout', '1ms', true);
    end if;
    insert into queen.partition_consumers (partition_id, consumer_group, cursor)
    select c.partition_id, c.consumer_group, case when s.start is null then 0 else queen.seq_before(c.partition_id, s.start) end
    from unnest(p_partition_id, p_consumer_group, p_start) c (partition_id, consumer_group, start)
    cross join lateral (
        -- Not while its queue is being deleted, or the row would refer to nothing.
        select p.name, p.queue_id from queen.partitions p where p.id = c.partition_id for key share skip locked
    ) p
    cross join lateral (select q.name from queen.queues q where q.id = p.queue_id limit 1) q
    cross join lateral (
        select case when c.consumer_group = '__QUEUE_MODE__' then null else coalesce(
            (select u.subscription_timestamp from queen.subscriptions u
             where u.queue_name = q.name and u.consumer_group = c.consumer_group and u.partition_name = p.name and p.name <> ''),
            (select u.subscription_timestamp from queen.subscriptions u
             where u.queue_name = q.name and u.consumer_group = c.consumer_group and u.partition_name = ''),
            c.start) end as start
    ) s
    where (select true from queen.partition_consumers k
           where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group) is null
    order by c.partition_id, c.consumer_group
    on conflict do nothing;
exception when lock_not_available then
    for c in 1 .. cardinality(p_partition_id) loop
        exit when cardinality(p_partition_id) = 1;
        perform queen.pop_sm_join(p_partition_id[c:c], p_consumer_group[c:c], p_start[c:c]);
    end loop;
end
$$;
