-- overview_v1() → JSON
-- Everything in one answer: how many queues, partitions, namespaces and tasks there are, the counters of all messages,
-- how far the consumers are behind, and what was pushed and acknowledged a second.
-- lag.offset  messages not consumed, over the partitions that have any; lag.time the seconds since the last push to
--             these, so how long at least their newest message waits. No message is read for it.
-- Costs one pass over all partitions and groups.
create function queen.overview_v1() returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set work_mem = '32MB'
set jit = off
as $$
declare
    v_ids    uuid[] := (select coalesce(array_agg(q.id), '{}') from queen.queues q);
    v_counts json;
    v_lag    json;
    v_parts  bigint;
begin
    select count(*),
           queen.message_counts_v1(coalesce(sum(d.total), 0)::bigint, coalesce(sum(d.pending), 0)::bigint,
               coalesce(sum(d.processing), 0)::bigint,
               (select count(*) from (select distinct l.partition_id, l.seq from queen.dead_letters l) l),
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
               greatest(round(extract(epoch from now() - p.last_push_at), 3), 0) as seconds
        where d.pending + d.processing > 0
    ) b on true;

    return json_build_object(
        'queues', cardinality(v_ids), 'partitions', v_parts,
        'namespaces', (select count(distinct q.namespace) from queen.queues q where q.namespace <> ''),
        'tasks', (select count(distinct q.task) from queen.queues q where q.task <> ''),
        'messages', v_counts, 'lag', v_lag,
        'throughput', (
            select json_build_object('ingestedPerSecond', t.ingested, 'processedPerSecond', t.processed)
            from queen.throughput_v1() t),
        'timestamp', queen.iso_time(clock_timestamp()), 'statsAge', 0);
end
$$;
