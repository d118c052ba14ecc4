-- push_log_life_v1() → text
-- The name of this life of the database, made up when there is none: it begins anew after a crash or a failover. A mark
-- of the push log is good in the life it was given in, `life:transaction id`; another life may have given out the same
-- ids again.
create function queen.push_log_life_v1() returns text
language plpgsql
as $$
declare
    v_id uuid;
begin
    loop
        select l.id into v_id from queen.push_log_life l where l.single;
        if found then
            return v_id::text;
        end if;
        insert into queen.push_log_life default values on conflict do nothing;
    end loop;
end
$$;
