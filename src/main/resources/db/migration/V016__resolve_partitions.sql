-- resolve_partitions_v1(queue names, partition names) → partition ids, in the order given
-- From names to ids, creating what is not there yet. A server calls it once for each partition it meets and remembers
-- the answer; an id stays the same for the life of a partition.
create function queen.resolve_partitions_v1(p_queues text[], p_partitions text[]) returns uuid[]
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_ids uuid[];
begin
    loop
        select array_agg((
            select p.id
            from queen.partitions p
            where p.queue_id = (select q.id from queen.queues q where q.name = l.queue) and p.name = l.partition)
            order by l.ord)
        into v_ids
        from unnest(p_queues, p_partitions) with ordinality l (queue, partition, ord);
        if array_position(v_ids, null) is null then
            return v_ids;
        end if;
        perform queen.ensure_partitions_v1(p_queues, p_partitions);
    end loop;
end
$$;
