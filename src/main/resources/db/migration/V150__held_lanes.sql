-- held_lanes_v1(queue names, partition names) → which of these partitions a push would have to wait for, and for whom
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
create function queen.held_lanes_v1(p_queue text[], p_partition text[]) returns table (ord integer, holder xid)
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
    -- One element per lane: its partition, and its queue if that has a limit.
    v_lanes   uuid[];
    v_limited uuid[];
begin
    select array_agg(p.id order by l.ord), array_agg(case when q.max_size > 0 then q.id end order by l.ord)
    into v_lanes, v_limited
    from unnest(p_queue, p_partition) with ordinality l (queue, partition, ord)
    left join lateral (select q.id, q.max_size from queen.queues q where q.name = l.queue limit 1) q on true
    left join lateral (
        select p.id from queen.partitions p where p.queue_id = q.id and p.name = l.partition limit 1
    ) p on true;

    select coalesce(array_agg(p.id), '{}') into v_free
    from (
        select p.id from queen.partitions p where p.id = any (v_lanes) order by p.id for no key update skip locked
    ) p;
    return query
    select o, p.xmax
    from generate_subscripts(v_lanes, 1) o
    cross join lateral (select p.xmax from queen.partitions p where p.id = v_lanes[o] limit 1) p
    where v_lanes[o] <> all (v_free);

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
        where v_lanes[o] is null
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
