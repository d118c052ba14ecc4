-- group_health_v1(paused, leases, waiting, consumers, lag, lag seconds, still seconds) → a word
-- How a group fares in a queue. The first that holds:
--   paused   an operator holds it back
--   stuck    messages wait for more than five minutes, and nothing was acked for as long
--   lagging  messages wait for more than five minutes, and some are acked
--   active   a consumer holds a lease, waits, or was seen lately
--   idle     nobody is there, and nothing waits for long
--
-- Takes  p_leases, p_waiting, p_consumers   leases held now, pops that wait now, consumers seen lately
--        p_lag, p_lag_seconds               messages that wait, and for how long the oldest of them could have been had
--        p_still_seconds                    since a cursor last moved by an ack; null for never
create function queen.group_health_v1(
    p_paused boolean, p_leases bigint, p_waiting bigint, p_consumers bigint,
    p_lag bigint, p_lag_seconds bigint, p_still_seconds bigint) returns text
language sql immutable
as $$
    select case
        when p_paused then 'paused'
        when p_lag > 0 and p_lag_seconds > 300 and coalesce(p_still_seconds, p_lag_seconds) > 300 then 'stuck'
        when p_lag > 0 and p_lag_seconds > 300 then 'lagging'
        when p_leases > 0 or p_waiting > 0 or p_consumers > 0 then 'active'
        else 'idle'
    end
$$;
