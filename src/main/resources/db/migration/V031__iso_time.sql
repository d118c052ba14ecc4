-- iso_time(time) → text
-- A time as inspection answers write it: UTC, three digits of a second, so that text order is time order.
create function queen.iso_time(p_time timestamptz) returns text
language sql
immutable
parallel safe
as $$
    select to_char(p_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
