-- ack_list_v1(acks) → one row per ack, in the order given
-- The server's own way to acknowledge: one list of any size over any partitions and groups, one transaction.
--
-- Takes  arrays of one length: partition id, transaction id, consumer group, lease id (null: not checked), status
--        ('completed', 'failed', 'dlq' or 'retry'), error text for dead letters. p_again: the list was sent before and
--        its outcome is not known; a lease that ended by the first sending is then no error.
-- Gives  error          null, 'Message not found' or 'Invalid or expired lease'
--        queue_name, partition_name   null when the partition is unknown
--        lease_released the (partition, group) has no lease afterwards
--        dlq            this ack dead-lettered its message
--        pending        the partition has messages that the group may pop now
--
-- Locks  rows of partition_consumers in key order; nothing else.
-- Order  Acks of one (partition, group) apply in sequence order, whatever their order in the list. `completed` moves the
--        cursor to its message. `failed` with retries left, and `retry`, end the lease and the run: what comes after is
--        a lease error, and is delivered again; after `failed` not before the queue's retry_delay, if it asked for one.
--        A lease speaks for what was delivered under it, not for what was pushed since. `failed` without retries left, and `dlq`, dead-letter and move on; the
--        retry counter starts anew. The cursor never moves back. The lease ends when no message delivered under it is
--        left behind the cursor.
create function queen.ack_list_v1(
    p_partition_id   uuid[],
    p_transaction_id text[],
    p_consumer_group text[],
    p_lease_id       uuid[],
    p_status         text[],
    p_error          text[],
    p_again          boolean default false
) returns table (
    error          text,
    queue_name     text,
    partition_name text,
    lease_released boolean,
    dlq            boolean,
    pending        boolean
)
language plpgsql
set plan_cache_mode = force_generic_plan
as $$
declare
    v_now timestamptz;
begin
    if array_position(p_lease_id, null) is not null then
        -- An ack without a lease works for a group that never popped here: it needs its row.
        insert into queen.partition_consumers (partition_id, consumer_group)
        select distinct a.partition_id, a.consumer_group
        from unnest(p_partition_id, p_consumer_group, p_lease_id) a (partition_id, consumer_group, lease_id)
        where a.lease_id is null
          and exists (select from queen.partitions p where p.id = a.partition_id)
          and not exists (
              select from queen.partition_consumers c
              where c.partition_id = a.partition_id and c.consumer_group = a.consumer_group)
        order by a.partition_id, a.consumer_group
        on conflict do nothing;
    end if;
    if 'completed' = all (p_status) then
        return query select * from queen.ack_completed_v1(
            p_partition_id, p_transaction_id, p_consumer_group, p_lease_id, p_again);
        return;
    end if;

    perform
    from (select distinct a.partition_id, a.consumer_group
          from unnest(p_partition_id, p_consumer_group) a (partition_id, consumer_group)) a
    join queen.partition_consumers c using (partition_id, consumer_group)
    order by c.partition_id, c.consumer_group
    for update of c;
    v_now := clock_timestamp();

    return query
    with judged as (
        select a.ord, a.partition_id, a.consumer_group, a.status, a.error, m.seq, m.id as message_id, a.transaction_id,
               q.name as queue_name, p.name as partition_name, p.head, q.retry_limit,
               case when q.retry_at_once then 0 else q.retry_delay end as retry_delay,
               c.cursor, c.lease_id, c.lease_last_seq, c.retry_count,
               case
                   when m.seq is null then 'Message not found'
                   when a.lease_id is not null
                        and (a.lease_id is distinct from c.lease_id or c.lease_expires_at <= v_now
                             or m.seq > c.lease_last_seq)
                        and not (p_again and m.seq <= c.cursor)
                   then 'Invalid or expired lease'
               end as refused
        from unnest(p_partition_id, p_transaction_id, p_consumer_group, p_lease_id, p_status, p_error)
            with ordinality a (partition_id, transaction_id, consumer_group, lease_id, status, error, ord)
        left join queen.partitions p on p.id = a.partition_id
        left join queen.queues q on q.id = p.queue_id
        left join queen.partition_consumers c
            on c.partition_id = a.partition_id and c.consumer_group = a.consumer_group
        left join lateral (
            select m.seq, m.id
            from queen.messages m
            where m.partition_id = p.id and m.transaction_id = a.transaction_id
            limit 1
        ) m on true
    ), ack as (
        -- A message acked twice in one list counts once: the first time that is not refused.
        select j.*,
               row_number() over (
                   partition by j.partition_id, j.consumer_group, j.seq, j.refused is null order by j.ord) = 1 as first
        from judged j
    ), run as (
        -- Acks that count, in sequence order, with the number of those so far that dead-letter once the counter is used
        -- up. What lies behind the cursor is done.
        select a.*, count(*) filter (where a.status in ('failed', 'dlq')) over w as failures
        from ack a
        where a.refused is null and a.first and a.seq > a.cursor
        window w as (partition by a.partition_id, a.consumer_group order by a.seq)
    ), stop as (
        -- The first ack that gives its batch back: a retry, or a failure with retries left. When the counter is used up
        -- the first failure is dead-lettered and the next one finds it at zero.
        select distinct on (r.partition_id, r.consumer_group) r.partition_id, r.consumer_group, r.ord, r.seq, r.status, r.failures,
               r.retry_delay
        from run r
        where r.status = 'retry'
           or (r.status = 'failed' and r.retry_limit > 0 and (r.retry_count < r.retry_limit or r.failures > 1))
        order by r.partition_id, r.consumer_group, r.seq
    ), done as (
        select r.*, r.status in ('failed', 'dlq') as dead
        from run r
        left join stop s on s.partition_id = r.partition_id and s.consumer_group = r.consumer_group
        where s.seq is null or r.seq < s.seq
    ), dead as (
        insert into queen.dead_letters
            (partition_id, consumer_group, seq, message_id, transaction_id, error_message, retry_count, failed_at)
        select d.partition_id, d.consumer_group, d.seq, d.message_id, d.transaction_id,
               coalesce(nullif(d.error, ''), 'Message processing failed'), d.retry_count, v_now
        from done d
        where d.dead
        on conflict do nothing
    ), verdict as (
        -- One row per (partition, group) that changes.
        select coalesce(d.partition_id, s.partition_id) as partition_id,
               coalesce(d.consumer_group, s.consumer_group) as consumer_group,
               d.cursor, coalesce(d.dead, false) as dead, s.status as stopped,
               case when s.status = 'failed' then s.retry_delay else 0 end as delay
        from (select partition_id, consumer_group, max(seq) as cursor, bool_or(done.dead) as dead
              from done group by partition_id, consumer_group) d
        full join stop s on s.partition_id = d.partition_id and s.consumer_group = d.consumer_group
    ), changed as (
        update queen.partition_consumers c
        set cursor = greatest(c.cursor, v.cursor),
            total_consumed = c.total_consumed + greatest(v.cursor - c.cursor, 0),
            last_consumed_at = case when v.cursor is null then c.last_consumed_at else v_now end,
            total_batches = c.total_batches + (v.complete and c.lease_id is not null)::integer,
            retry_count = case
                when v.complete then 0
                when v.stopped = 'failed' and c.lease_id is not null then case when v.dead then 1 else c.retry_count + 1 end
                when v.dead then 0
                else c.retry_count
            end,
            retry_at = case when v.delay > 0 then v_now + v.delay * interval '1 ms' else c.retry_at end,
            lease_id = case when v.complete or v.stopped is not null then null else c.lease_id end,
            lease_expires_at = case when v.complete or v.stopped is not null then null else c.lease_expires_at end,
            lease_last_seq = case when v.complete or v.stopped is not null then null else c.lease_last_seq end
        from (
            select v.*, v.stopped is null and (k.lease_last_seq is null or not exists (
                       select from queen.messages m
                       where m.partition_id = v.partition_id
                         and m.seq > v.cursor and m.seq <= k.lease_last_seq)) as complete
            from verdict v
            join queen.partition_consumers k
                on k.partition_id = v.partition_id and k.consumer_group = v.consumer_group
        ) v
        where c.partition_id = v.partition_id and c.consumer_group = v.consumer_group
        returning c.partition_id, c.consumer_group, c.cursor, c.lease_id
    ), logged as (
        -- A partition that is free before its time, with messages left, is news to the other servers.
        insert into queen.push_log (queue_id, partition_ids)
        select p.queue_id, array_agg(distinct p.id)
        from changed ch
        join queen.partitions p on p.id = ch.partition_id and p.head > ch.cursor
        where ch.lease_id is null
        group by p.queue_id
    )
    select case when s.seq is not null and a.refused is null and a.seq > a.cursor
                     and (a.seq > s.seq or (a.seq = s.seq and not a.first))
                then 'Invalid or expired lease' else a.refused end,
           a.queue_name, a.partition_name,
           case when ch.partition_id is not null then ch.lease_id is null else a.lease_id is null end,
           a.refused is null and exists (
               select from done d
               where d.dead and d.partition_id = a.partition_id and d.consumer_group = a.consumer_group and d.seq = a.seq),
           ch.partition_id is not null and ch.lease_id is null and a.head > ch.cursor
    from ack a
    left join stop s on s.partition_id = a.partition_id and s.consumer_group = a.consumer_group
    left join changed ch on ch.partition_id = a.partition_id and ch.consumer_group = a.consumer_group
    order by a.ord;
end
$$;
