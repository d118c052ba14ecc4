-- move_subscriptions_v1(group, time) → subscriptions moved
-- Lets the recorded subscriptions of a group begin at that time: it counts where the group has no cursor yet. What it can
-- get by that is news to every server.
create function queen.move_subscriptions_v1(p_consumer_group text, p_time timestamptz) returns integer
language plpgsql
as $$
declare
    v_queues text[];
begin
    with moved as (
        update queen.subscriptions s
        set subscription_mode = 'timestamp', subscription_timestamp = p_time
        where s.consumer_group = p_consumer_group
        returning s.queue_name
    )
    select array_agg(m.queue_name) into v_queues from moved m;
    perform queen.announce_partitions_v1(v_queues, p_time);
    return coalesce(cardinality(v_queues), 0);
end
$$;
