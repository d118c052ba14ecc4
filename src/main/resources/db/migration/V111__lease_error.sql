-- lease_error_v1(partition, group, lease) → text
-- What an ack is told whose lease is not its group's: who holds it, when another group does, because forgetting the
-- group is the common mistake. The text begins as it always did. Asked when an ack is refused, and only then.
create function queen.lease_error_v1(p_partition_id uuid, p_consumer_group text, p_lease_id uuid) returns text
language sql stable
as $$
    select 'Invalid or expired lease' || coalesce((
        select ': it belongs to ' || case c.consumer_group
                   when '__QUEUE_MODE__' then 'the default group' else 'consumer group ''' || c.consumer_group || '''' end
               || ', and the ack names ' || case p_consumer_group
                   when '__QUEUE_MODE__' then 'no consumerGroup' else '''' || p_consumer_group || '''' end
        from queen.partition_consumers c
        where c.partition_id = p_partition_id and c.lease_id = p_lease_id and c.consumer_group <> p_consumer_group
          and c.lease_expires_at > clock_timestamp()
        limit 1), '')
$$;
