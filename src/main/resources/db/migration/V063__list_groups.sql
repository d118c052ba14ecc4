-- list_groups_v1(limit, offset) → JSON array
-- One element per group and queue, by group, then queue: see group_page_v1.
--   members     partitions with a cursor of the group
--   maxTimeLag  seconds since the last push to the partition that was left unread longest; lagSeconds is the same
--   consumers   how many were seen lately
-- What it calls is made later, so its body is not checked here.
set local check_function_bodies = off;
create function queen.list_groups_v1(p_limit integer, p_offset integer) returns text
language sql stable
set jit = off
as $$
    select coalesce(json_agg(json_build_object(
        'name', w.consumer_group,
        'topics', json_build_array(w.queue_name),
        'queueName', w.queue_name,
        'queue', w.queue_name,
        'members', w.members,
        'partitions', w.partitions,
        'partitionsWithLag', w.with_lag,
        'totalLag', null,
        'lagMessages', w.lag,
        'maxTimeLag', w.seconds,
        'lagSeconds', w.seconds,
        'state', w.state,
        'health', w.health,
        'paused', w.paused,
        'leases', w.leases,
        'waiting', w.waiting,
        'consumers', cardinality(w.holders),
        'subscriptionMode', s.subscription_mode,
        'subscriptionTimestamp', queen.iso_time(s.subscription_timestamp),
        'subscriptionCreatedAt', queen.iso_time(s.created_at)
    ) order by w.consumer_group, w.queue_name), '[]'::json)::text
    from queen.group_page_v1(null, p_limit, p_offset) w
    left join queen.subscriptions s
        on s.queue_name = w.queue_name and s.consumer_group = w.consumer_group and s.partition_name = ''
$$;
