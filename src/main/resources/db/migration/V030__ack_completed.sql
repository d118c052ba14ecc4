-- ack_completed_v1(acks) → one row per ack, in the order given
-- ack_list_v1 for a list in which every ack says `completed`, which is nearly every list: nothing can end the run of a
-- partition or be dead-lettered, so all that counts is the last message of each. Same results, less work.
-- Takes, gives and locks as ack_list_v1; rows of groups without one have been made by it.
create function queen.ack_completed_v1(
    p_partition_id   uuid[],
    p_transaction_id text[],
    p_consumer_group text[],
    p_lease_id       uuid[],
    p_again          boolean
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
begin
    return query
    with key as materialized (
        select c.partition_id, c.consumer_group, c.cursor, c.lease_id, c.lease_expires_at, c.lease_last_seq,
               p.head, p.name as partition_name, q.name as queue_name, q.id as queue_id
        from (select distinct a.partition_id, a.consumer_group
              from unnest(p_partition_id, p_consumer_group) a (partition_id, consumer_group)) a
        join queen.partition_consumers c using (partition_id, consumer_group)
        join queen.partitions p on p.id = c.partition_id
        join queen.queues q on q.id = p.queue_id
        order by c.partition_id, c.consumer_group
        for update of c
    ), ack as (
        select a.ord, a.partition_id, a.consumer_group, m.seq, k.cursor, k.lease_id, k.head,
               k.queue_name, k.partition_name,
               case
                   when m.seq is null then 'Message not found'
                   -- Messages of a deleted queue lie there until they are purged.
                   when k.partition_id is null
                        and not exists (select from queen.partitions p where p.id = a.partition_id)
                   then 'Message not found'
                   when a.lease_id is not null
                        and (a.lease_id is distinct from k.lease_id or k.lease_expires_at <= clock_timestamp()
                             or m.seq > k.lease_last_seq)
                        and not (p_again and m.seq <= k.cursor)
                   then 'Invalid or expired lease'
               end as refused
        from unnest(p_partition_id, p_transaction_id, p_consumer_group, p_lease_id)
            with ordinality a (partition_id, transaction_id, consumer_group, lease_id, ord)
        left join key k on k.partition_id = a.partition_id and k.consumer_group = a.consumer_group
        left join lateral (
            select m.seq
            from queen.messages m
            where m.partition_id = a.partition_id and m.transaction_id = a.transaction_id
            limit 1
        ) m on true
    ), moved as (
        select a.partition_id, a.consumer_group, max(a.seq) as cursor
        from ack a
        where a.refused is null and a.seq > a.cursor
        group by a.partition_id, a.consumer_group
    ), verdict as (
        select v.*, k.lease_last_seq is null or v.cursor >= k.lease_last_seq or not exists (
                   select from queen.messages m
                   where m.partition_id = v.partition_id
                     and m.seq > v.cursor and m.seq <= k.lease_last_seq) as complete
        from moved v
        join key k on k.partition_id = v.partition_id and k.consumer_group = v.consumer_group
    ), changed as (
        update queen.partition_consumers c
        set cursor = v.cursor,
            total_consumed = c.total_consumed + v.cursor - c.cursor,
            last_consumed_at = clock_timestamp(),
            total_batches = c.total_batches + (v.complete and c.lease_id is not null)::integer,
            retry_count = case when v.complete then 0 else c.retry_count end,
            lease_id = case when v.complete then null else c.lease_id end,
            lease_expires_at = case when v.complete then null else c.lease_expires_at end,
            lease_last_seq = case when v.complete then null else c.lease_last_seq end
        from verdict v
        where c.partition_id = v.partition_id and c.consumer_group = v.consumer_group
        returning c.partition_id, c.consumer_group, c.cursor, c.lease_id
    ), logged as (
        -- A partition that is free before its time, with messages left, is news to the other servers.
        insert into queen.push_log (queue_id, partition_ids)
        select k.queue_id, array_agg(distinct k.partition_id)
        from changed ch
        join key k on k.partition_id = ch.partition_id and k.consumer_group = ch.consumer_group
        where ch.lease_id is null and k.head > ch.cursor
        group by k.queue_id
    )
    select a.refused, a.queue_name, a.partition_name,
           case when ch.partition_id is not null then ch.lease_id is null else a.lease_id is null end,
           false,
           ch.partition_id is not null and ch.lease_id is null and a.head > ch.cursor
    from ack a
    left join changed ch on ch.partition_id = a.partition_id and ch.consumer_group = a.consumer_group
    order by a.ord;
end
$$;
