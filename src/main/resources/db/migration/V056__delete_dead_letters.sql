-- delete_dead_letters_v1(filters) → rows removed
-- Forgets dead letters that match (see matching_dead_letters_v1). The messages stay where they are, consumed.
create function queen.delete_dead_letters_v1(
    p_queue text, p_partition text, p_group text, p_from timestamptz, p_to timestamptz) returns bigint
language plpgsql
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
    v_count bigint;
begin
    delete from queen.dead_letters l
    using (
        select d.id from queen.matching_dead_letters_v1(p_queue, p_partition, p_group, p_from, p_to) d
    ) d
    where l.id = d.id;
    get diagnostics v_count = row_count;
    return v_count;
end
$$;
