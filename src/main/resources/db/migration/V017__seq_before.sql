-- seq_before(partition, time) → sequence number
-- The last sequence number whose message is older than the given time, 0 when there is none: the cursor of a group that
-- starts at that time. created_at never falls with the sequence number, so it is found by halving, in a few dozen
-- look-ups of the primary key at most; removed messages leave gaps, so each look-up takes the next one that is there.
create function queen.seq_before(p_partition_id uuid, p_time timestamptz) returns bigint
language plpgsql stable
as $$
declare
    v_low  bigint;
    v_high bigint;
    v_seq  bigint;
    v_time timestamptz;
begin
    select p.tail, p.head into v_low, v_high
    from queen.partitions p
    where p.id = p_partition_id and p.last_push_at >= p_time;
    if not found then
        return coalesce((select p.head from queen.partitions p where p.id = p_partition_id), 0);
    end if;
    -- Everything up to v_low is older, everything after v_high is not.
    while v_low < v_high loop
        select m.seq, m.created_at into v_seq, v_time
        from queen.messages m
        where m.partition_id = p_partition_id and m.seq > (v_low + v_high) / 2
        order by m.seq
        limit 1;
        if not found or v_seq > v_high or v_time >= p_time then
            v_high := (v_low + v_high) / 2;
        else
            v_low := v_seq;
        end if;
    end loop;
    return v_low;
end
$$;
