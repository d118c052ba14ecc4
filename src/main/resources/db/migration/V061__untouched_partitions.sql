-- untouched_partitions_v1(group, queue id) → partitions
-- The partitions of a queue in which a group that knows the queue has no cursor yet, and where it would start.
--
-- Gives  partition_id, partition_name, head, last_push_at
--        start_at  where the group's subscription begins, null for the beginning
--        position  all up to here lies before that. Null when both older and newer messages may be there:
--                  seq_before(partition_id, start_at) then tells, for a few look-ups
create function queen.untouched_partitions_v1(p_consumer_group text, p_queue_id uuid)
returns table (
    partition_id   uuid,
    partition_name text,
    head           bigint,
    last_push_at   timestamptz,
    start_at       timestamptz,
    "position"     bigint
)
language sql stable
as $$
    select p.id, p.name, p.head, p.last_push_at, s.start_at,
           case
               when s.start_at is null or p.created_at >= s.start_at then p.tail
               when p.last_push_at is null or p.last_push_at < s.start_at then p.head
           end
    from queen.partitions p
    join queen.queues q on q.id = p.queue_id
    left join queen.subscriptions whole
        on whole.queue_name = q.name and whole.consumer_group = p_consumer_group and whole.partition_name = ''
    left join queen.subscriptions one
        on one.queue_name = q.name and one.consumer_group = p_consumer_group and one.partition_name = p.name
    cross join lateral (
        select case when p_consumer_group <> '__QUEUE_MODE__'
               then coalesce(one.subscription_timestamp, whole.subscription_timestamp) end as start_at
    ) s
    where p.queue_id = p_queue_id
      and not exists (
          select from queen.partition_consumers c
          where c.partition_id = p.id and c.consumer_group = p_consumer_group)
$$;
