-- Which rows a list that could not get a lock in time would wait for, and for whom. A server asks when that happened,
-- never while all goes well.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- held_partitions_v1(queue names, partition names) → which of these partitions a push would have to wait for, and for whom
-- For a list that could not get a lock in time. A server asks when that happened, and then from time to time until
-- the answer is nothing; never while all goes well. held_consumers_v1 and held_leases_v1 are its siblings.
--
-- Takes  the partitions by name, side by side; they need not exist yet.
-- Gives  ord     the place (from 1) of one that is held; what is held for two reasons comes twice
--        holder  the transaction that holds it, for comparing: another one than before means that the lock goes from hand
--                to hand, and that it is worth to queue for it. Null when it can't be seen.
-- A partition is held when its row is, or the room of its queue (max_size), or when another creates it or deletes its queue.
-- Locks  all that it is asked about, for the time of this call, and never waits: rows are skipped, and an insert that
--        meets another gives up after a millisecond. Missing partitions are created, as the push to come would.
create or replace function queen.held_partitions_v1(p_queue text[], p_partition text[]) returns table (ord integer, holder xid)
language plpgsql
set lock_timeout = '1ms'
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
declare
    v_free    uuid[];
    -- One element per name: the partition, and its queue if that has a limit.
    v_partitions   uuid[];
    v_limited uuid[];
begin
    select array_agg(p.id order by l.ord), array_agg(case when q.max_size > 0 then q.id end order by l.ord)
    into v_partitions, v_limited
    from unnest(p_queue, p_partition) with ordinality l (queue, partition, ord)
    left join lateral (select q.id, q.max_size from queen.queues q where q.name = l.queue limit 1) q on true
    left join lateral (
        select p.id from queen.partitions p where p.queue_id = q.id and p.name = l.partition limit 1
    ) p on true;

    select coalesce(array_agg(p.id), '{}') into v_free
    from (
        select p.id from queen.partitions p where p.id = any (v_partitions) order by p.id for no key update skip locked
    ) p;
    return query
    select o, p.xmax
    from generate_subscripts(v_partitions, 1) o
    cross join lateral (select p.xmax from queen.partitions p where p.id = v_partitions[o] limit 1) p
    where v_partitions[o] <> all (v_free);

    if array_remove(v_limited, null) <> '{}' then
        select coalesce(array_agg(r.queue_id), '{}') into v_free
        from (
            select r.queue_id from queen.queue_room r where r.queue_id = any (v_limited)
            order by r.queue_id
            for update skip locked
        ) r;
        return query
        select o, r.xmax
        from generate_subscripts(v_limited, 1) o
        cross join lateral (select r.xmax from queen.queue_room r where r.queue_id = v_limited[o] limit 1) r
        where v_limited[o] <> all (v_free);
    end if;

    -- What is not there may be about to come.
    for ord in
        select o from generate_subscripts(p_queue, 1) o
        where v_partitions[o] is null
           or (v_limited[o] is not null and (select true from queen.queue_room r where r.queue_id = v_limited[o]) is null)
    loop
        begin
            perform queen.ensure_partitions_v1(p_queue[ord:ord], p_partition[ord:ord]);
            insert into queen.queue_room (queue_id, room)
            select q.id, 0 from queen.queues q where q.id = v_limited[ord]
            on conflict do nothing;
        exception when lock_not_available then
            holder := null;
            return next;
        end;
    end loop;
end
$$;

-- held_consumers_v1(partition ids, groups) → which of these an ack or a release would have to wait for, and for whom
-- As held_partitions_v1, for the rows of partition_consumers. Such a row is held when another has locked it, or creates
-- it, or when its partition can't be referred to, as a dead letter does.
create or replace function queen.held_consumers_v1(p_partition_id uuid[], p_consumer_group text[])
returns table (ord integer, holder xid)
language plpgsql
set lock_timeout = '1ms'
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
declare
    v_free       tid[];
    v_referables uuid[];
begin
    select coalesce(array_agg(k.place), '{}'), array_agg(k.partition_id)
    into v_free, v_referables
    from (
        select k.place, c.partition_id
        from (
            -- Sorted before it is joined: the rows are locked in this order.
            select distinct c.partition_id, c.consumer_group
            from unnest(p_partition_id, p_consumer_group) c (partition_id, consumer_group)
            order by c.partition_id, c.consumer_group
        ) c
        cross join lateral (
            select k.ctid as place from queen.partition_consumers k
            where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group
            for update skip locked
        ) k
    ) k;
    return query
    select c.ord::integer, k.xmax
    from unnest(p_partition_id, p_consumer_group) with ordinality c (partition_id, consumer_group, ord)
    cross join lateral (
        select k.xmax, k.ctid as place from queen.partition_consumers k
        where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group
        limit 1
    ) k
    where k.place <> all (v_free);

    -- Only when that explains nothing: the lock to refer to a partition joins that of a push, and hides who that is.
    if not found then
        return query
        select o, p.xmax
        from generate_subscripts(p_partition_id, 1) o
        cross join lateral (select p.xmax from queen.partitions p where p.id = p_partition_id[o] limit 1) p
        where p_partition_id[o] = any (v_referables)
          and p_partition_id[o] not in (
            select p.id from queen.partitions p where p.id = any (v_referables) for key share skip locked);
    end if;

    -- A row that is not there may be about to come. It does not stay: who acks decides whether there is to be one.
    for ord in
        select o from generate_subscripts(p_partition_id, 1) o
        where (select true from queen.partition_consumers k
               where k.partition_id = p_partition_id[o] and k.consumer_group = p_consumer_group[o]) is null
    loop
        begin
            insert into queen.partition_consumers (partition_id, consumer_group)
            select p.id, p_consumer_group[ord] from queen.partitions p where p.id = p_partition_id[ord]
            on conflict do nothing;
            raise exception using errcode = 'QU000';
        exception
            when sqlstate 'QU000' then
                null;
            when lock_not_available then
                holder := null;
                return next;
        end;
    end loop;
end
$$;

-- held_cycles_v1(query ids, partition ids) → which of these a cycle would have to wait for, and for whom
-- As held_partitions_v1, for the rows of stream_partitions. One that is not there yet is not waited for long: whoever makes
-- it is a cycle itself.
create or replace function queen.held_cycles_v1(p_query_id uuid[], p_partition_id uuid[]) returns table (ord integer, holder xid)
language sql
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
    select c.ord::integer, s.xmax
    from unnest(p_query_id, p_partition_id) with ordinality c (query_id, partition_id, ord)
    cross join lateral (
        select s.xmax from queen.stream_partitions s
        where s.query_id = c.query_id and s.partition_id = c.partition_id
        limit 1
    ) s
    where not exists (
        select from queen.stream_partitions s
        where s.query_id = c.query_id and s.partition_id = c.partition_id
        for update skip locked)
$$;

-- held_leases_v1(lease ids) → which of these a renewal would have to wait for, and for whom
-- As held_partitions_v1, for the rows that renew_list_v1 finds.
create or replace function queen.held_leases_v1(p_lease_id uuid[]) returns table (ord integer, holder xid)
language plpgsql
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
declare
    -- One element per row of a lease.
    v_ords integer[];
    v_rows tid[];
    v_free tid[];
begin
    select array_agg(k.ord), array_agg(k.place)
    into v_ords, v_rows
    from (
        select l.ord::integer, k.place
        from unnest(p_lease_id) with ordinality l (id, ord)
        cross join lateral queen.lease_rows_v1(l.id) k
    ) k;

    select coalesce(array_agg(c.place), '{}') into v_free
    from (
        select c.ctid as place from queen.partition_consumers c where c.ctid = any (v_rows) for update skip locked
    ) c;
    return query
    select v_ords[o], c.xmax
    from generate_subscripts(v_rows, 1) o
    cross join lateral (select c.xmax from queen.partition_consumers c where c.ctid = v_rows[o] limit 1) c
    where v_rows[o] <> all (v_free);
end
$$;
