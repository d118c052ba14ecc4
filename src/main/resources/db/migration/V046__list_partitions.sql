-- list_partitions_v1(queue, limit, offset) → JSON, null when there is no such queue
-- Partitions with their counters, by name; without a queue those of all queues, by queue and name. total is the number
-- of all of them.
create function queen.list_partitions_v1(p_queue text, p_limit integer, p_offset integer) returns json
language plpgsql stable
as $$
declare
    v_ids uuid[];
begin
    select array_agg(q.id) into v_ids from queen.queues q where p_queue is null or q.name = p_queue;
    if v_ids is null and p_queue is not null then
        return null;
    end if;
    return json_build_object(
        'partitions', queen.partition_page_v1(v_ids, p_limit, p_offset),
        'total', (select count(*) from queen.partitions p where p.queue_id = any (v_ids)),
        'pagination', json_build_object('limit', p_limit, 'offset', p_offset));
end
$$;
