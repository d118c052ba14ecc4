-- purge_messages_v1(limit) → messages removed
-- Removes up to p_limit messages of deleted partitions; 0 when nothing is left. Several servers may call it at once:
-- each takes a partition that no other is at.
create function queen.purge_messages_v1(p_limit integer) returns integer
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
