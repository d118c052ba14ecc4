-- meet_queues_v1, after rows were inserted into partition_consumers
-- Notes that the group has a cursor in the queue, so that nobody concludes it has none: see pop_sm_subscribe, which then
-- leaves a clear mark. Either that waits for nothing and leaves none because the lock is held here, or this waits for its
-- end, a moment, and sees the mark. Where the group has a clear mark the partitions are news: the statement that inserted
-- may have been begun before the subscription was there, and have put a cursor before it. So it is, too, in a transaction
-- that does not see what others commit.
-- Locks  the advisory lock of the meeting, shared.
create function queen.meet_queues_v1() returns trigger
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_met record;
begin
    for v_met in
        select p.queue_id, f.consumer_group, array_agg(f.partition_id) filter (where p.head > f.cursor) as ids
        from fresh f
        cross join lateral (select p.queue_id, p.head from queen.partitions p where p.id = f.partition_id limit 1) p
        group by p.queue_id, f.consumer_group
    loop
        perform pg_advisory_xact_lock_shared(queen.meeting_lock_v1(v_met.queue_id, v_met.consumer_group));
        insert into queen.met_queues (queue_id, consumer_group)
        select v_met.queue_id, v_met.consumer_group
        where not exists (
            select from queen.met_queues m
            where m.queue_id = v_met.queue_id and m.consumer_group = v_met.consumer_group);
        insert into queen.push_log (queue_id, partition_ids)
        select v_met.queue_id, v_met.ids
        where v_met.ids is not null
          and (current_setting('transaction_isolation') <> 'read committed'
               or exists (
                   select from queen.clear_marks m
                   where m.queue_id = v_met.queue_id and m.consumer_group = v_met.consumer_group));
    end loop;
    return null;
end
$$;

create trigger meet_queues after insert on queen.partition_consumers
referencing new table as fresh
for each statement execute function queen.meet_queues_v1();
