-- held_consumers_v1(partition ids, groups) → which of these an ack or a release would have to wait for, and for whom
-- As held_lanes_v1, for the rows of partition_consumers. Such a row is held when another has locked it, or creates
-- it, or when its partition can't be referred to, as a dead letter does.
create function queen.held_consumers_v1(p_partition_id uuid[], p_consumer_group text[])
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
