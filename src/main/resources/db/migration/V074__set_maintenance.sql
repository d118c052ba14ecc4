-- set_maintenance_v1(key, enabled) → push, pop
-- Switches one maintenance mode, 'maintenance_mode' (pushes) or 'pop_maintenance_mode', for all servers of this database,
-- and gives both as they are then. The other one stays as it is.
create function queen.set_maintenance_v1(p_key text, p_enabled boolean, out push boolean, out pop boolean)
language plpgsql
as $$
begin
    insert into queen.system_state (key, value, updated_at)
    values (p_key, to_jsonb(p_enabled), clock_timestamp())
    on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at;
    push := exists (select from queen.system_state s where s.key = 'maintenance_mode' and s.value = 'true');
    pop := exists (select from queen.system_state s where s.key = 'pop_maintenance_mode' and s.value = 'true');
end
$$;
