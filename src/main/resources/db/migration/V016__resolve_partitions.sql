-- resolve_partitions_v1(queue names, partition names) → partition ids, in the order given
-- From names to ids, creating what is not there yet. A server calls it once for each partition it meets and remembers
-- the answer; an id stays the same for the life of a partition.
create function queen.resolve_partitions_v1(p_queues text[], p_partitions text[]) returns uuid[]
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
    v_ids uuid[];
begin
    loop
        select array_agg(p.id order by l.ord)
        into v_ids
        from unnest(p_queues, p_partitions) with ordinality l (queue, partition, ord)
        join queen.queues q on q.name = l.queue
        join queen.partitions p on p.queue_id = q.id and p.name = l.partition;
        if cardinality(v_ids) = cardinality(p_queues) then
            return v_ids;
        end if;
        perform queen.ensure_partitions_v1(p_queues, p_partitions);
    end loop;
end
$$;
