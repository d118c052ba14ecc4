-- announce_partitions_v1(queue names, from)
-- Tells every server by the push log that the partitions of these queues that hold messages of that time or later may have
-- news for some group: because its subscription was moved or removed, and begins earlier now. A thousand partitions a row.
create function queen.announce_partitions_v1(p_queue_names text[], p_from timestamptz) returns void
language sql
as $$
    insert into queen.push_log (queue_id, partition_ids)
    select n.queue_id, array_agg(n.id)
    from (
        select p.queue_id, p.id, row_number() over (partition by p.queue_id) / 1000 as portion
        from queen.partitions p
        where p.queue_id in (select q.id from queen.queues q where q.name = any (p_queue_names))
          and p.head > p.tail
          and (p_from is null or p.last_push_at >= p_from)
    ) n
    group by n.queue_id, n.portion
$$;
