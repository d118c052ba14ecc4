-- pop_sm_lease(requests × candidate partitions) → what became of each candidate
-- The judge of a pop: one atomic check-and-set per candidate, for any number of requests in one call.
--
-- Takes  arrays of one length, one element per candidate, the candidates of a request side by side and in the order in
--        which it wants them; no (partition, group) twice in one call:
--        p_request       number of the request
--        p_partition_id, p_consumer_group
--        p_batch         messages the request wants in all; p_partitions how many partitions it takes at most
--        p_lease_id      fresh id for its lease; the lease gets lease_id_for(this, first partition claimed)
--        p_auto_ack      move the cursor at once and take no lease
--        p_start         where the group starts here if nothing else says so: null is the beginning
--        p_again         the call was sent before and its outcome is not known: leases it took then are its own
-- Gives  one row per candidate, in order:
--        outcome    claimed   deliver the messages after first_seq up to last_seq
--                   free      could be claimed, but the request had enough
--                   leased, delayed, window   not before due_ms have passed
--                   locked    somebody else is at it right now
--                   empty     nothing after the cursor
--                   gone      there is no such partition
--        due_ms     milliseconds until it is worth another look; for a claim, until its lease expires
--        more       messages are left behind the claim
--        The partition was seen with these values: queue_name, partition_name, retry_count; lease_id when claimed.
--
-- Creates the row of a group that is new to a partition, at the start that its subscription says.
-- Locks  rows of partition_consumers, in key order, and skips those that others hold: a pop never waits.
-- The lease is committed without waiting for the disk unless something was acked: a lease lost in a crash of
-- PostgreSQL is one that ended early.
create function queen.pop_sm_lease(
    p_request        integer[],
    p_partition_id   uuid[],
    p_consumer_group text[],
    p_batch          integer[],
    p_partitions     integer[],
    p_lease_id       uuid[],
    p_auto_ack       boolean[],
    p_start          timestamptz[],
    p_again          boolean default false
) returns table (
    outcome        text,
    queue_name     text,
    partition_name text,
    first_seq      bigint,
    last_seq       bigint,
    due_ms         bigint,
    lease_id       uuid,
    retry_count    integer,
    more           boolean
)
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
declare
    v_now timestamptz;
begin
    if not (true = any (p_auto_ack)) then
        perform set_config('synchronous_commit', 'off', true);
    end if;

    insert into queen.partition_consumers (partition_id, consumer_group, cursor)
    select c.partition_id, c.consumer_group, case when s.start is null then 0 else queen.seq_before(c.partition_id, s.start) end
    from unnest(p_partition_id, p_consumer_group, p_start) c (partition_id, consumer_group, start)
    join queen.partitions p on p.id = c.partition_id
    join queen.queues q on q.id = p.queue_id
    cross join lateral (
        select case when c.consumer_group = '__QUEUE_MODE__' then null else coalesce(
            (select u.subscription_timestamp from queen.subscriptions u
             where u.queue_name = q.name and u.consumer_group = c.consumer_group and u.partition_name = p.name and p.name <> ''),
            (select u.subscription_timestamp from queen.subscriptions u
             where u.queue_name = q.name and u.consumer_group = c.consumer_group and u.partition_name = ''),
            c.start) end as start
    ) s
    where not exists (
        select from queen.partition_consumers k
        where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group)
    order by c.partition_id, c.consumer_group
    on conflict do nothing;

    v_now := clock_timestamp();

    return query
    with candidate as (
        select c.*, q.name as queue_name, p.name as partition_name, p.head, p.tail, p.last_push_at,
               q.window_buffer, q.delayed_processing, coalesce(nullif(q.lease_time, 0), 60) as lease_time
        from unnest(p_request, p_partition_id, p_consumer_group, p_batch, p_partitions, p_lease_id, p_auto_ack)
            with ordinality c (request, partition_id, consumer_group, batch, partitions, fresh_id, auto_ack, ord)
        left join queen.partitions p on p.id = c.partition_id
        left join queen.queues q on q.id = p.queue_id
    ), held as (
        select k.partition_id, k.consumer_group, k.cursor, k.lease_id, k.lease_expires_at, k.lease_last_seq,
               k.retry_count, k.retry_at
        from queen.partition_consumers k
        join unnest(p_partition_id, p_consumer_group) c (partition_id, consumer_group)
            on k.partition_id = c.partition_id and k.consumer_group = c.consumer_group
        order by k.partition_id, k.consumer_group
        for update of k skip locked
    ), judged as (
        select c.*, greatest(k.cursor, c.tail) as cursor, k.retry_count, k.cursor as old_cursor,
               coalesce(d.last_seq, c.head) as deliverable,
               case
                   when c.queue_name is null then 'gone'
                   when k.partition_id is null then 'locked'
                   when k.lease_expires_at > v_now
                        and not (p_again and k.lease_id::text like left(c.fresh_id::text, 28) || '%') then 'leased'
                   when k.retry_at > v_now then 'delayed'
                   when c.head <= greatest(k.cursor, c.tail) then 'empty'
                   when c.window_buffer > 0
                        and c.last_push_at > v_now - make_interval(secs => c.window_buffer) then 'window'
                   when c.delayed_processing > 0 and d.last_seq is null and d.next_at is not null then 'delayed'
                   else 'free'
               end as state,
               case
                   when k.lease_expires_at > v_now then k.lease_expires_at
                   when k.retry_at > v_now then k.retry_at
                   when c.window_buffer > 0
                        and c.last_push_at > v_now - make_interval(secs => c.window_buffer)
                   then c.last_push_at + make_interval(secs => c.window_buffer)
                   when c.delayed_processing > 0 then d.next_at + make_interval(secs => c.delayed_processing)
               end as due_at
        from candidate c
        left join held k on k.partition_id = c.partition_id and k.consumer_group = c.consumer_group
        left join lateral (
            -- With a delay: the last message of the batch that is old enough, and the age of the first that is not.
            select max(m.seq) filter (where m.created_at <= v_now - make_interval(secs => c.delayed_processing)) as last_seq,
                   min(m.created_at) filter (where m.created_at > v_now - make_interval(secs => c.delayed_processing)) as next_at
            from (
                select m.seq, m.created_at
                from queen.messages m
                where m.partition_id = c.partition_id and m.seq > greatest(k.cursor, c.tail)
                order by m.seq
                limit c.batch
            ) m
            where c.delayed_processing > 0
        ) d on true
    ), counted as (
        select j.*,
               row_number() over w as place,
               coalesce(sum(j.deliverable - j.cursor) over (w rows between unbounded preceding and 1 preceding), 0) as before
        from judged j
        where j.state = 'free'
        window w as (partition by j.request order by j.ord)
    ), chosen as (
        select c.*, least(c.deliverable, c.cursor + c.batch - c.before)::bigint as to_seq,
               queen.lease_id_for(c.fresh_id, first_value(c.partition_id) over (partition by c.request order by c.ord)) as new_lease_id
        from counted c
        where c.place <= c.partitions and c.before < c.batch
    ), shared as (
        insert into queen.shared_leases (lease_id, consumer_group, partition_ids)
        select c.new_lease_id, min(c.consumer_group), array_agg(c.partition_id)
        from chosen c
        where not c.auto_ack
        group by c.new_lease_id
        having count(*) > 1
        on conflict do nothing
    ), claimed as (
        update queen.partition_consumers k
        set cursor = case when c.auto_ack then c.to_seq else c.cursor end,
            lease_id = case when c.auto_ack then null else c.new_lease_id end,
            lease_expires_at = case when c.auto_ack then null else v_now + make_interval(secs => c.lease_time) end,
            lease_last_seq = case when c.auto_ack then null else c.to_seq end,
            retry_count = case when c.auto_ack then 0 else k.retry_count end,
            retry_at = null,
            total_consumed = k.total_consumed + case when c.auto_ack then c.to_seq - c.cursor else 0 end,
            total_batches = k.total_batches + c.auto_ack::integer,
            last_consumed_at = v_now
        from chosen c
        where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group
        returning c.ord
    )
    select case when h.ord is not null then 'claimed' else j.state end,
           j.queue_name, j.partition_name,
           case when h.ord is not null then h.cursor end,
           case when h.ord is not null then h.to_seq end,
           case when h.ord is null then ceil(extract(epoch from j.due_at - v_now) * 1000)::bigint else j.lease_time * 1000 end,
           case when h.ord is not null and not j.auto_ack then h.new_lease_id end,
           coalesce(j.retry_count, 0),
           coalesce(j.head > h.to_seq, false)
    from judged j
    left join chosen h on h.ord = j.ord
    order by j.ord;
end
$$;
