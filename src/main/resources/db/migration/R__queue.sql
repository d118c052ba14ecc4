-- Queues: configured, deleted, paused, listed and described.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- configure_queue_v1(name, namespace, task, options) → queue_id, partition_id
-- Creates a queue or replaces its whole configuration, and sees to it that partition 'Default' exists. Messages, cursors
-- and leases are untouched; a new lease time counts from the next pop.
-- p_options holds all eighteen columns under the names they have over HTTP; the caller has filled in the defaults.
create or replace function queen.configure_queue_v1(
    p_name text, p_namespace text, p_task text, p_options jsonb, out queue_id uuid, out partition_id uuid)
language plpgsql
as $$
begin
    insert into queen.queues as q
        (name, namespace, task, lease_time, retry_limit, retry_delay, retry_backoff, retry_delay_max, retry_jitter,
         max_size, ttl, dead_letter_queue, dlq_after_max_retries, priority, delayed_processing, window_buffer,
         retention_seconds, completed_retention_seconds, retention_enabled, encryption_enabled, max_wait_time_seconds)
    select p_name, p_namespace, p_task, o."leaseTime", o."retryLimit", o."retryDelay", o."retryBackoff",
           o."retryDelayMax", o."retryJitter", o."maxSize", o.ttl,
           o."deadLetterQueue", o."dlqAfterMaxRetries", o.priority, o."delayedProcessing", o."windowBuffer",
           o."retentionSeconds", o."completedRetentionSeconds", o."retentionEnabled", o."encryptionEnabled",
           o."maxWaitTimeSeconds"
    from jsonb_to_record(p_options) o (
        "leaseTime" integer, "retryLimit" integer, "retryDelay" integer, "retryBackoff" text,
        "retryDelayMax" integer, "retryJitter" integer, "maxSize" integer, ttl integer, "deadLetterQueue" boolean, "dlqAfterMaxRetries" boolean, priority integer, "delayedProcessing" integer,
        "windowBuffer" integer, "retentionSeconds" integer, "completedRetentionSeconds" integer,
        "retentionEnabled" boolean, "encryptionEnabled" boolean, "maxWaitTimeSeconds" integer)
    on conflict (name) do update
    set (namespace, task, lease_time, retry_limit, retry_delay, retry_backoff, retry_delay_max, retry_jitter,
         max_size, ttl, dead_letter_queue, dlq_after_max_retries, priority, delayed_processing, window_buffer,
         retention_seconds, completed_retention_seconds, retention_enabled, encryption_enabled, max_wait_time_seconds)
      = (excluded.namespace, excluded.task, excluded.lease_time, excluded.retry_limit, excluded.retry_delay,
         excluded.retry_backoff, excluded.retry_delay_max, excluded.retry_jitter, excluded.max_size, excluded.ttl, excluded.dead_letter_queue, excluded.dlq_after_max_retries,
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

-- delete_queue_v1(name) → existed
-- Deletes a queue with its partitions, cursors, leases, subscriptions, dead letters and traces. Its messages are
-- unreachable from then on and are removed by purge_messages_v1 in small steps: there may be millions of them.
-- Locks  the queue, so that no partition is added, then the partitions by id, as a push does: it waits for pushes under
--        way, and later ones find them gone.
create or replace function queen.delete_queue_v1(p_name text) returns boolean
language plpgsql
as $$
declare
    v_queue_id uuid;
begin
    select q.id into v_queue_id from queen.queues q where q.name = p_name for update;
    if not found then
        return false;
    end if;
    perform from queen.partitions p where p.queue_id = v_queue_id order by p.id for update;
    insert into queen.purges (partition_id)
    select p.id from queen.partitions p where p.queue_id = v_queue_id and p.head > p.tail;
    delete from queen.subscriptions s where s.queue_name = p_name;
    delete from queen.clear_marks m where m.queue_id = v_queue_id;
    delete from queen.met_queues m where m.queue_id = v_queue_id;
    delete from queen.queues q where q.id = v_queue_id;
    return found;
end
$$;

-- purge_messages_v1(limit) → messages removed
-- Removes up to p_limit messages of deleted partitions; 0 when nothing is left. Several servers may call it at once:
-- each takes a partition that no other is at.
create or replace function queen.purge_messages_v1(p_limit integer) returns integer
language plpgsql
as $$
declare
    v_partition_id uuid;
    v_total        integer := 0;
    v_count        integer;
begin
    while v_total < p_limit loop
        select g.partition_id into v_partition_id from queen.purges g limit 1 for update skip locked;
        exit when not found;
        delete from queen.messages m
        where m.partition_id = v_partition_id
          and m.seq in (
              select n.seq from queen.messages n
              where n.partition_id = v_partition_id order by n.seq limit p_limit - v_total);
        get diagnostics v_count = row_count;
        v_total := v_total + v_count;
        if v_total < p_limit then
            delete from queen.purges g where g.partition_id = v_partition_id;
        end if;
    end loop;
    return v_total;
end
$$;

-- pause_v1(queue, group) → known, full, changed, paused_at
-- Holds back the pops of a queue, or with a group those of one group, which need not exist yet. What is paused stays so, and
-- since when.
--
-- Gives  known      false when there is no such queue: nothing happened
--        full       too many pauses are in force, all servers keep them in memory: nothing happened
--        changed    whether it was not paused before
create or replace function queen.pause_v1(
    p_queue_name text, p_consumer_group text,
    out known boolean, out "full" boolean, out changed boolean, out paused_at timestamptz)
language plpgsql
as $$
declare
    v_queue_id uuid;
begin
    select q.id into v_queue_id from queen.queues q where q.name = p_queue_name for key share;
    known := v_queue_id is not null;
    changed := false;
    "full" := (select count(*) from queen.pauses) >= 1000 and not exists (
        select from queen.pauses z where z.queue_id = v_queue_id and z.consumer_group = coalesce(p_consumer_group, ''));
    if not known or "full" then
        return;
    end if;
    insert into queen.pauses as z (queue_id, consumer_group, paused_at)
    values (v_queue_id, coalesce(p_consumer_group, ''), clock_timestamp())
    on conflict do nothing
    returning z.paused_at into paused_at;
    changed := found;
    if not changed then
        select z.paused_at into paused_at
        from queen.pauses z
        where z.queue_id = v_queue_id and z.consumer_group = coalesce(p_consumer_group, '');
    end if;
end
$$;

-- resume_v1(queue, group) → known, changed
-- Ends a pause. That of a queue leaves those of its groups, and the other way round.
create or replace function queen.resume_v1(p_queue_name text, p_consumer_group text, out known boolean, out changed boolean)
language plpgsql
as $$
begin
    known := exists (select from queen.queues q where q.name = p_queue_name);
    delete from queen.pauses z
    using queen.queues q
    where q.id = z.queue_id and q.name = p_queue_name and z.consumer_group = coalesce(p_consumer_group, '');
    changed := found;
end
$$;

-- set_maintenance_v1(key, enabled) → push, pop
-- Switches one maintenance mode, 'maintenance_mode' (pushes) or 'pop_maintenance_mode', for all servers of this database,
-- and gives both as they are then. The other one stays as it is.
create or replace function queen.set_maintenance_v1(p_key text, p_enabled boolean, out push boolean, out pop boolean)
language plpgsql
as $$
begin
    insert into queen.system_state (key, value, updated_at)
    values (p_key, to_jsonb(p_enabled), clock_timestamp())
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at;
    push := exists (select from queen.system_state s where s.key = 'maintenance_mode' and s.value = 'true');
    pop := exists (select from queen.system_state s where s.key = 'pop_maintenance_mode' and s.value = 'true');
end
$$;

-- list_queues_v1(namespace, task, limit, offset, with processing, visible) → JSON
-- Queues with their settings and counters, the newest first; null is any namespace or task. Only the queues of the page
-- are counted.
--
-- Takes  p_with_processing  pending includes what is being processed, as the status routes have it
--        p_visible          the queues that the caller may see, see is_visible_v1
-- Gives  queues, total (all that match), pagination.
create or replace function queen.list_queues_v1(
    p_namespace text, p_task text, p_limit integer, p_offset integer, p_with_processing boolean,
    p_visible text[] default null) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set work_mem = '32MB'
set jit = off
as $$
declare
    v_ids   uuid[];
    v_total bigint;
begin
    select count(*) into v_total
    from queen.queues q
    where (p_namespace is null or q.namespace = p_namespace) and (p_task is null or q.task = p_task)
      and (p_visible is null or queen.is_visible_v1(q.name, p_visible));

    select array_agg(q.id) into v_ids
    from (
        select q.id
        from queen.queues q
        where (p_namespace is null or q.namespace = p_namespace) and (p_task is null or q.task = p_task)
          and (p_visible is null or queen.is_visible_v1(q.name, p_visible))
        order by q.created_at desc, q.id
        limit p_limit offset p_offset
    ) q;

    return json_build_object('queues', (
        select coalesce(json_agg(json_build_object(
            'id', q.id, 'name', q.name, 'namespace', q.namespace, 'task', q.task,
            'createdAt', queen.iso_time(q.created_at),
            'partitions', d.partitions, 'partitionCount', d.partitions,
            'messages', queen.message_counts_v1(
                d.total, d.pending, d.processing, d.dead_letter, d.estimated)::jsonb
                || case when p_with_processing
                       then jsonb_build_object('pending', d.pending + d.processing) else '{}' end,
            'priority', q.priority, 'leaseTime', q.lease_time, 'retryLimit', q.retry_limit, 'maxSize', q.max_size,
            'encryptionEnabled', q.encryption_enabled,
            'paused', exists (select from queen.pauses z where z.queue_id = q.id and z.consumer_group = '')
        ) order by q.created_at desc, q.id), '[]')
        from queen.queue_depths_v1(v_ids) d
        join queen.queues q on q.id = d.queue_id),
        'total', v_total, 'pagination', json_build_object('limit', p_limit, 'offset', p_offset));
end
$$;

-- queue_detail_v1(name, limit, offset) → JSON, null when there is no such queue
-- A queue with its settings, the counters of the whole queue (totals) and a page of its partitions, by name. total and
-- partitionCount are the number of all its partitions.
create or replace function queen.queue_detail_v1(p_name text, p_limit integer, p_offset integer) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set work_mem = '32MB'
set jit = off
as $$
declare
    v_id uuid[] := (select array_agg(q.id) from queen.queues q where q.name = p_name);
begin
    return (select json_build_object(
        'id', q.id, 'name', q.name, 'namespace', q.namespace, 'task', q.task,
        'createdAt', queen.iso_time(q.created_at),
        'priority', q.priority, 'leaseTime', q.lease_time, 'retryLimit', q.retry_limit, 'maxSize', q.max_size,
        'encryptionEnabled', q.encryption_enabled,
        'paused', exists (select from queen.pauses z where z.queue_id = q.id and z.consumer_group = ''),
        'partitionCount', d.partitions,
        'partitions', queen.partition_page_v1(v_id, p_limit, p_offset),
        'totals', queen.message_counts_v1(d.total, d.pending, d.processing, d.dead_letter, d.estimated),
        'total', d.partitions, 'pagination', json_build_object('limit', p_limit, 'offset', p_offset))
    from queen.queues q
    cross join lateral queen.queue_depths_v1(v_id) d
    where q.id = any (v_id));
end
$$;

-- queue_status_v1(name, limit, offset) → JSON, null when there is no such queue
-- What queue_detail_v1 tells, in the shape of the status routes.
create or replace function queen.queue_status_v1(p_name text, p_limit integer, p_offset integer) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set work_mem = '32MB'
set jit = off
as $$
declare
    v_id uuid[] := (select array_agg(q.id) from queen.queues q where q.name = p_name);
begin
    return (select json_build_object(
        'queue', json_build_object(
            'id', q.id, 'name', q.name, 'namespace', q.namespace, 'task', q.task, 'priority', q.priority,
            'createdAt', queen.iso_time(q.created_at),
            'paused', exists (select from queen.pauses z where z.queue_id = q.id and z.consumer_group = ''),
            'config', json_build_object(
                'leaseTime', q.lease_time, 'retryLimit', q.retry_limit, 'retryDelay', q.retry_delay,
                'retryBackoff', q.retry_backoff, 'retryDelayMax', q.retry_delay_max, 'retryJitter', q.retry_jitter, 'ttl', q.ttl,
                'maxQueueSize', q.max_size, 'deadLetterQueue', q.dead_letter_queue)),
        'partitions', queen.partition_page_v1(v_id, p_limit, p_offset),
        'totals', jsonb_build_object('messages', c.counts) || c.counts,
        'total', d.partitions, 'pagination', json_build_object('limit', p_limit, 'offset', p_offset))
    from queen.queues q
    cross join lateral queen.queue_depths_v1(v_id) d
    cross join lateral (
        select queen.message_counts_v1(d.total, d.pending, d.processing, d.dead_letter, d.estimated)::jsonb as counts
    ) c
    where q.id = any (v_id));
end
$$;

-- list_labels_v1(kind, limit, offset, visible) → JSON
-- The namespaces or the tasks ('namespace', 'task') that queues have, by name, with their counters; pending includes what
-- is being processed. Queues without one are left out, and those that the caller may not see (is_visible_v1). total is the
-- number of all names.
create or replace function queen.list_labels_v1(
    p_kind text, p_limit integer, p_offset integer, p_visible text[] default null) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set work_mem = '32MB'
set jit = off
as $$
declare
    v_labels text[];
    v_ids    uuid[];
    v_total  bigint;
begin
    select count(distinct case p_kind when 'task' then q.task else q.namespace end) into v_total
    from queen.queues q
    where case p_kind when 'task' then q.task else q.namespace end <> '' and (p_visible is null or queen.is_visible_v1(q.name, p_visible));

    select array_agg(l.label) into v_labels
    from (
        select distinct case p_kind when 'task' then q.task else q.namespace end as label
        from queen.queues q
        where case p_kind when 'task' then q.task else q.namespace end <> '' and (p_visible is null or queen.is_visible_v1(q.name, p_visible))
        order by label
        limit p_limit offset p_offset
    ) l;
    select array_agg(q.id) into v_ids
    from queen.queues q
    where case p_kind when 'task' then q.task else q.namespace end = any (v_labels)
      and (p_visible is null or queen.is_visible_v1(q.name, p_visible));

    return json_build_object(p_kind || 's', (
        select coalesce(json_agg(json_build_object(
            p_kind, l.label, 'name', l.label, 'queues', l.queues, 'queueCount', l.queues, 'partitions', l.partitions,
            'messages', json_build_object('total', l.total, 'pending', l.pending, 'estimated', l.estimated)
        ) order by l.label), '[]')
        from (
            select case p_kind when 'task' then q.task else q.namespace end as label, count(*) as queues,
                   sum(d.partitions)::bigint as partitions, sum(d.total)::bigint as total,
                   sum(d.pending + d.processing)::bigint as pending, bool_or(d.estimated) as estimated
            from queen.queue_depths_v1(v_ids) d
            join queen.queues q on q.id = d.queue_id
            group by label
        ) l),
        'total', v_total, 'pagination', json_build_object('limit', p_limit, 'offset', p_offset));
end
$$;

-- overview_v1(visible) → JSON
-- Everything that the caller may see (is_visible_v1) in one answer: how many queues, partitions, namespaces and tasks there are, the counters of all messages,
-- how far the consumers are behind, and what was pushed and acknowledged a second.
-- lag.offset  messages not consumed, over the partitions that have any; lag.time the seconds since the last push to
--             these, so how long at least their newest message waits. No message is read for it.
-- Costs one pass over all partitions and groups.
create or replace function queen.overview_v1(p_visible text[] default null) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set work_mem = '32MB'
set jit = off
as $$
declare
    v_ids    uuid[] := (
        select coalesce(array_agg(q.id), '{}')
        from queen.queues q
        where (p_visible is null or queen.is_visible_v1(q.name, p_visible)));
    v_counts json;
    v_lag    json;
    v_parts  bigint;
begin
    select count(*),
           queen.message_counts_v1(coalesce(sum(d.total), 0)::bigint, coalesce(sum(d.pending), 0)::bigint,
               coalesce(sum(d.processing), 0)::bigint,
               (select count(*) from (
                   select distinct l.partition_id, l.seq from queen.dead_letters l
                   where p_visible is null
                      or l.partition_id in (select a.id from queen.partitions a where a.queue_id = any (v_ids))) l),
               coalesce(bool_or(d.estimated), false)),
           json_build_object(
               'time', json_build_object(
                   'avg', coalesce(round(avg(b.seconds), 3), 0), 'median', coalesce(percentile_disc(0.5) within group (order by b.seconds), 0),
                   'min', coalesce(min(b.seconds), 0), 'max', coalesce(max(b.seconds), 0)),
               'offset', json_build_object(
                   'avg', coalesce(round(avg(b.messages), 3), 0), 'median', coalesce(percentile_disc(0.5) within group (order by b.messages), 0),
                   'min', coalesce(min(b.messages), 0), 'max', coalesce(max(b.messages), 0)))
    into v_parts, v_counts, v_lag
    from queen.partition_depths_v1(v_ids, null) d
    join queen.partitions p on p.id = d.partition_id
    left join lateral (
        select d.pending + d.processing as messages,
               greatest(round(extract(epoch from now() - greatest(p.last_push_at, p.delayed_until)), 3), 0) as seconds
        where d.pending + d.processing > 0
    ) b on true;

    return json_build_object(
        'queues', cardinality(v_ids), 'partitions', v_parts,
        'namespaces', (select count(distinct q.namespace) from queen.queues q where q.namespace <> '' and q.id = any (v_ids)),
        'tasks', (select count(distinct q.task) from queen.queues q where q.task <> '' and q.id = any (v_ids)),
        'messages', v_counts, 'lag', v_lag,
        'throughput', (
            select json_build_object('ingestedPerSecond', t.ingested, 'processedPerSecond', t.processed)
            from queen.throughput_v1(p_visible) t),
        'timestamp', queen.iso_time(clock_timestamp()), 'statsAge', 0);
end
$$;

-- list_partitions_v1(queue, limit, offset, visible) → JSON, null when there is no such queue
-- Partitions with their counters, by name; without a queue those of all queues that the caller may see (is_visible_v1), by
-- queue and name. total is the number of all of them.
create or replace function queen.list_partitions_v1(
    p_queue text, p_limit integer, p_offset integer, p_visible text[] default null) returns json
language plpgsql stable
as $$
declare
    v_ids uuid[];
begin
    select array_agg(q.id) into v_ids
    from queen.queues q
    where (p_queue is null or q.name = p_queue) and (p_visible is null or queen.is_visible_v1(q.name, p_visible));
    if v_ids is null and p_queue is not null then
        return null;
    end if;
    return json_build_object(
        'partitions', queen.partition_page_v1(v_ids, p_limit, p_offset),
        'total', (select count(*) from queen.partitions p where p.queue_id = any (v_ids)),
        'pagination', json_build_object('limit', p_limit, 'offset', p_offset));
end
$$;

-- partition_page_v1(queues, limit, offset) → JSON array
-- Partitions with their counters, by name (by queue name first when there are several queues). Only those of the page are
-- counted and looked into.
--
-- Gives  id, name, queue, createdAt, stats and messages (the same counters), cursor (what all groups together consumed),
--        lastActivity (the last push or pop), oldestMessage and newestMessage (times of the messages stored).
create or replace function queen.partition_page_v1(p_queue_ids uuid[], p_limit integer, p_offset integer) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
    v_ids uuid[];
begin
    if cardinality(p_queue_ids) = 1 then
        -- In the order of the index: what lies behind the page is not read.
        select array_agg(p.id) into v_ids
        from (
            select p.id from queen.partitions p
            where p.queue_id = p_queue_ids[1]
            order by p.name
            limit p_limit offset p_offset
        ) p;
    else
        select array_agg(p.id) into v_ids
        from (
            select p.id
            from queen.partitions p
            join queen.queues q on q.id = p.queue_id
            where p.queue_id = any (p_queue_ids)
            order by q.name, p.name
            limit p_limit offset p_offset
        ) p;
    end if;

    return (
        select coalesce(json_agg(json_build_object(
            'id', p.id, 'name', p.name, 'queue', q.name, 'createdAt', queen.iso_time(p.created_at),
            'stats', s.counts, 'messages', s.counts,
            'cursor', json_build_object('totalConsumed', c.consumed, 'batchesConsumed', c.batches),
            'lastActivity', queen.iso_time(greatest(p.last_push_at, c.last_consumed_at)),
            'oldestMessage', queen.iso_time(o.created_at), 'newestMessage', queen.iso_time(n.created_at)
        ) order by q.name, p.name), '[]')
        from queen.partition_depths_v1(p_queue_ids, coalesce(v_ids, '{}')) d
        join queen.partitions p on p.id = d.partition_id
        join queen.queues q on q.id = p.queue_id
        cross join lateral (
            select count(distinct l.seq) as n from queen.dead_letters l where l.partition_id = p.id
        ) l
        cross join lateral (
            select queen.message_counts_v1(d.total, d.pending, d.processing, l.n, d.estimated) as counts
        ) s
        cross join lateral (
            select coalesce(sum(c.total_consumed), 0)::bigint as consumed, coalesce(sum(c.total_batches), 0)::bigint as batches,
                   max(c.last_consumed_at) as last_consumed_at
            from queen.partition_consumers c
            where c.partition_id = p.id
        ) c
        left join lateral (
            select m.created_at from queen.messages m
            where m.partition_id = p.id and m.seq > p.tail order by m.seq limit 1
        ) o on true
        left join lateral (
            select m.created_at from queen.messages m
            where m.partition_id = p.id and m.seq > p.tail order by m.seq desc limit 1
        ) n on true);
end
$$;

-- is_visible_v1(queue, patterns) → boolean
-- Whether a caller with rights on some queues may see this one: a pattern is its name, or ends with * and the name begins
-- with what stands before. Callers ask with `p_visible is null or …` in front: null is a caller with all queues, which costs
-- nothing then.
create or replace function queen.is_visible_v1(p_queue text, p_patterns text[]) returns boolean
language sql
immutable
parallel safe
as $$
    select exists (
        select
        from unnest(p_patterns) p (pattern)
        where case when right(p.pattern, 1) = '*' then starts_with(p_queue, left(p.pattern, -1)) else p.pattern = p_queue end)
$$;

-- iso_time(time) → text
-- A time as inspection answers write it: UTC, three digits of a second, so that text order is time order.
create or replace function queen.iso_time(p_time timestamptz) returns text
language sql
immutable
parallel safe
as $$
    select to_char(p_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
