-- queue_lag_v1(queue, group) → JSON text
-- How far a group is behind on a queue, for who decides how many consumers to run. One question, however many
-- partitions: a look at each partition's head and the group's cursor, and at the oldest message of those behind.
--
--   select queen.queue_lag_v1('orders', 'billing');
--
-- Gives  {"queue", "consumerGroup", "lagMessages", "lagSeconds", "lagPartitions"}
--        lagMessages    messages after the group's cursors: waiting, delayed, or leased and not acknowledged yet; and redriven
--                       ones.
--                       Counted by sequence numbers: messages deleted one by one in between still count
--        lagSeconds     age of the oldest of them
--        lagPartitions  partitions that have some: more consumers than that would find nothing to lease
--        A group that was never seen starts where its subscription says, else at the beginning, as its first pop would.
--        A queue that does not exist has no lag: who scales consumers asks before the first push.
-- No lock is taken.
create function queen.queue_lag_v1(p_queue_name text, p_consumer_group text) returns text
language sql stable
as $$
    with place as (
        select p.id, p.head, p.tail, coalesce(c.redriven, 0) as redriven,
               coalesce(c.cursor, case when s.start is null then 0 else queen.seq_before(p.id, s.start) end) as cursor
        from queen.queues q
        join queen.partitions p on p.queue_id = q.id
        left join queen.partition_consumers c on c.partition_id = p.id and c.consumer_group = p_consumer_group
        left join lateral (
            select u.subscription_timestamp as start
            from queen.subscriptions u
            where c.partition_id is null and p_consumer_group <> '__QUEUE_MODE__'
              and u.queue_name = p_queue_name and u.consumer_group = p_consumer_group
              and u.partition_name in (p.name, '')
            order by u.partition_name desc
            limit 1
        ) s on true
        where q.name = p_queue_name and p.head > p.tail
    ), behind as (
        select l.head - greatest(l.cursor, l.tail) + l.redriven as messages, m.created_at
        from place l
        left join lateral (
            select m.created_at
            from queen.messages m
            where m.partition_id = l.id
              and m.seq > queen.before_waiting_v1(l.id, p_consumer_group, greatest(l.cursor, l.tail), l.redriven)
            order by m.seq
            limit 1
        ) m on true
        where l.head > greatest(l.cursor, l.tail) or l.redriven > 0
    )
    select json_build_object(
        'queue', p_queue_name,
        'consumerGroup', p_consumer_group,
        'lagMessages', coalesce(sum(b.messages), 0),
        'lagSeconds', coalesce(floor(extract(epoch from greatest(now() - min(b.created_at), interval '0')))::bigint, 0),
        'lagPartitions', count(*))::text
    from behind b
$$;
