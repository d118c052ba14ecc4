-- delete_group_v1(group, queue, metadata) → partitions, queues
-- Removes the cursors, leases, pauses and redriven messages of a group, in one queue or (null) in all; with p_metadata its
-- subscriptions too. Dead letters stay. A later pop starts as a new group, so what it had consumed is news again, and
-- without a subscription also what lay before it: that goes into the push log, a thousand partitions a row.
--
-- Gives  deleted   cursors removed
--        metadata  whether a subscription was removed
--        queues    the names of the queues in which something was removed
-- Locks  rows of partition_consumers in key order; at the end the advisory locks of the meetings that are free.
create function queen.delete_group_v1(
    p_consumer_group text, p_queue_name text, p_metadata boolean,
    out deleted integer, out metadata boolean, out queues text[])
language plpgsql
as $$
declare
    v_ids          uuid[];
    v_unsubscribed text[];
    v_queue_id     uuid;
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
    select count(*), array_agg(distinct q.name), array_agg(g.id)
    into deleted, queues, v_ids
    from gone g
    join queen.queues q on q.id = g.queue_id;

    delete from queen.redriven r where r.partition_id = any (v_ids) and r.consumer_group = p_consumer_group;
    perform queen.recount_room_v1(v_ids);
    delete from queen.pauses z
    using queen.queues q
    where q.id = z.queue_id and z.consumer_group = p_consumer_group and (p_queue_name is null or q.name = p_queue_name);

    metadata := false;
    if p_metadata then
        with gone as (
            delete from queen.subscriptions s
            where s.consumer_group = p_consumer_group and (p_queue_name is null or s.queue_name = p_queue_name)
            returning s.queue_name
        )
        select count(*) > 0, array(select unnest(delete_group_v1.queues) union select g.queue_name from gone g),
               array_agg(g.queue_name)
        into metadata, queues, v_unsubscribed
        from gone g;
        perform queen.announce_partitions_v1(v_unsubscribed, null);
    end if;
    queues := coalesce(queues, '{}');

    delete from queen.clear_marks m
    where m.consumer_group = p_consumer_group
      and (p_queue_name is null or m.queue_id = (select q.id from queen.queues q where q.name = p_queue_name));
    for v_queue_id in
        select distinct m.queue_id
        from queen.met_queues m
        where m.consumer_group = p_consumer_group
          and (p_queue_name is null or m.queue_id = (select q.id from queen.queues q where q.name = p_queue_name))
    loop
        -- A cursor that a pop makes meanwhile stays, and so does the note that there is one.
        if pg_try_advisory_xact_lock(queen.meeting_lock_v1(v_queue_id, p_consumer_group)) then
            delete from queen.met_queues m
            where m.queue_id = v_queue_id and m.consumer_group = p_consumer_group
              and not exists (
                  select
                  from queen.partitions p
                  join queen.partition_consumers c on c.partition_id = p.id and c.consumer_group = p_consumer_group
                  where p.queue_id = v_queue_id);
        end if;
    end loop;
end
$$;
