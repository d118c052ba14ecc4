-- pop_sm_subscribe(queue, group, partition, mode, time)
-- Records where a group starts, at its first pop: the first writer wins, later calls change nothing. p_partition is ''
-- for the whole queue; p_time null is now. The group __QUEUE_MODE__ has no subscription.
create function queen.pop_sm_subscribe(
    p_queue_name text, p_consumer_group text, p_partition_name text, p_mode text, p_time timestamptz) returns void
language sql
as $$
    insert into queen.subscriptions (queue_name, consumer_group, partition_name, subscription_mode, subscription_timestamp)
    values (p_queue_name, p_consumer_group, p_partition_name, p_mode, coalesce(p_time, clock_timestamp()))
    on conflict do nothing
$$;
