-- ensure_partitions_v1(queue names, partition names)
-- Creates the queues and partitions that are not there yet. The two arrays run side by side: one pair a partition.
-- A queue created here takes its namespace and task from its dotted name: `a.b.c` is namespace a, task b; a name
-- without a dot is its own namespace.
-- Locks: rows are inserted in name order, so that two callers creating the same names wait for each other and do not
-- deadlock. Existing rows are not touched.
create function queen.ensure_partitions_v1(p_queues text[], p_partitions text[]) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
begin
    -- Again when the queue of a new partition was deleted in between: it is then created anew.
    loop
        begin
            insert into queen.queues (name, namespace, task)
            select distinct q, split_part(q, '.', 1), split_part(q, '.', 2)
            from unnest(p_queues) q
            where not exists (select from queen.queues known where known.name = q)
            order by q
            on conflict (name) do nothing;

            insert into queen.partitions (queue_id, name)
            select distinct q.id, l.partition
            from unnest(p_queues, p_partitions) l (queue, partition)
            join queen.queues q on q.name = l.queue
            where (select known.id from queen.partitions known where known.queue_id = q.id and known.name = l.partition) is null
            order by q.id, l.partition
            on conflict (queue_id, name) do nothing;
            return;
        exception when foreign_key_violation then
            null;
        end;
    end loop;
end
$$;
