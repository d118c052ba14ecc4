-- delete_group_v1(group, queue, metadata) → partitions, queues
-- Removes the cursors and leases of a group, in one queue or (null) in all; with p_metadata its subscriptions too. Dead
-- letters stay. A later pop starts as a new group, so what it had consumed is news again: that goes into the push log,
-- a thousand partitions a row.
--
-- Gives  deleted   cursors removed
--        metadata  whether a subscription was removed
--        queues    the names of the queues in which something was removed
-- Locks  rows of partition_consumers in key order.
create function queen.delete_group_v1(
    p_consumer_group text, p_queue_name text, p_metadata boolean,
    out deleted integer, out metadata boolean, out queues text[])
language plpgsql
as $$
begin
    perform
    from queen.partition_consumers c
    join queen.partitions p on p.id = c.partition_id
    where c.consumer_group = p_consumer_group
      and (p_queue_name is null or p.queue_id = (select q.id from queen.queues q where q.name = p_queue_name))
    order by c.partition_id
    for update of c;

    with gone as (
        delete from queen.partition_consumers c
        using queen.partitions p
        where p.id = c.partition_id and c.consumer_group = p_consumer_group
          and (p_queue_name is null or p.queue_id = (select q.id from queen.queues q where q.name = p_queue_name))
        returning p.queue_id, p.id, p.head > p.tail as stored
    ), logged as (
        insert into queen.push_log (queue_id, partition_ids)
        select n.queue_id, array_agg(n.id)
        from (select g.*, row_number() over (partition by g.queue_id) / 1000 as portion from gone g where g.stored) n
        group by n.queue_id, n.portion
    )
    select count(*), array_agg(distinct q.name)
    into deleted, queues
    from gone g
    join queen.queues q on q.id = g.queue_id;

    metadata := false;
    if p_metadata then
        with gone as (
            delete from queen.subscriptions s
            where s.consumer_group = p_consumer_group and (p_queue_name is null or s.queue_name = p_queue_name)
            returning s.queue_name
        )
        select count(*) > 0, array(select unnest(delete_group_v1.queues) union select g.queue_name from gone g)
        into metadata, queues
        from gone;
    end if;
    queues := coalesce(queues, '{}');
end
$$;
