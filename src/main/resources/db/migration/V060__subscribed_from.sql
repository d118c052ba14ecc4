-- subscribed_from_v1(group, queue, partition) → time
-- Where the subscription of a group begins in a partition: its record for the partition, else that for the queue; null is
-- the beginning. Consumers without a group have none.
create function queen.subscribed_from_v1(p_consumer_group text, p_queue_name text, p_partition_name text)
returns timestamptz
language sql stable
as $$
    select s.subscription_timestamp
    from queen.subscriptions s
    where s.queue_name = p_queue_name and s.consumer_group = p_consumer_group
      and s.partition_name in (p_partition_name, '') and s.consumer_group <> '__QUEUE_MODE__'
    order by s.partition_name desc
    limit 1
$$;
