-- configure_queue_v1(name, namespace, task, options) → queue_id, partition_id
-- Creates a queue or replaces its whole configuration, and sees to it that partition 'Default' exists. Messages, cursors
-- and leases are untouched; a new lease time counts from the next pop.
-- p_options holds all fifteen columns under the names they have over HTTP; the caller has filled in the defaults.
create function queen.configure_queue_v1(
    p_name text, p_namespace text, p_task text, p_options jsonb, out queue_id uuid, out partition_id uuid)
language plpgsql
as $$
begin
    insert into queen.queues as q
        (name, namespace, task, lease_time, retry_limit, retry_delay, max_size, ttl, dead_letter_queue,
         dlq_after_max_retries, priority, delayed_processing, window_buffer, retention_seconds,
         completed_retention_seconds, retention_enabled, encryption_enabled, max_wait_time_seconds)
    select p_name, p_namespace, p_task, o."leaseTime", o."retryLimit", o."retryDelay", o."maxSize", o.ttl,
           o."deadLetterQueue", o."dlqAfterMaxRetries", o.priority, o."delayedProcessing", o."windowBuffer",
           o."retentionSeconds", o."completedRetentionSeconds", o."retentionEnabled", o."encryptionEnabled",
           o."maxWaitTimeSeconds"
    from jsonb_to_record(p_options) o (
        "leaseTime" integer, "retryLimit" integer, "retryDelay" integer, "maxSize" integer, ttl integer,
        "deadLetterQueue" boolean, "dlqAfterMaxRetries" boolean, priority integer, "delayedProcessing" integer,
        "windowBuffer" integer, "retentionSeconds" integer, "completedRetentionSeconds" integer,
        "retentionEnabled" boolean, "encryptionEnabled" boolean, "maxWaitTimeSeconds" integer)
    on conflict (name) do update
    set (namespace, task, lease_time, retry_limit, retry_delay, max_size, ttl, dead_letter_queue,
         dlq_after_max_retries, priority, delayed_processing, window_buffer, retention_seconds,
         completed_retention_seconds, retention_enabled, encryption_enabled, max_wait_time_seconds)
      = (excluded.namespace, excluded.task, excluded.lease_time, excluded.retry_limit, excluded.retry_delay,
         excluded.max_size, excluded.ttl, excluded.dead_letter_queue, excluded.dlq_after_max_retries,
         excluded.priority, excluded.delayed_processing, excluded.window_buffer, excluded.retention_seconds,
         excluded.completed_retention_seconds, excluded.retention_enabled, excluded.encryption_enabled,
         excluded.max_wait_time_seconds)
    returning q.id into queue_id;
    -- What was counted against an earlier limit.
    delete from queen.queue_room r where r.queue_id = configure_queue_v1.queue_id;

    insert into queen.partitions (queue_id, name)
    values (configure_queue_v1.queue_id, 'Default')
    on conflict on constraint partitions_queue_id_name_key do nothing;
    select p.id into partition_id
    from queen.partitions p
    where p.queue_id = configure_queue_v1.queue_id and p.name = 'Default';
end
$$;
