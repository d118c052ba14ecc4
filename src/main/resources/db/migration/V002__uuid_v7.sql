-- uuid_v7() → uuid
-- A time-ordered UUID (RFC 9562, version 7), for callers that speak SQL only: PostgreSQL has one of its own from 18 on,
-- and 14 to 17 are supported. 48 bits of milliseconds over a random UUID, the version nibble set from 4 to 7.
create function queen.uuid_v7() returns uuid
language sql volatile parallel safe
as $$
    select encode(
        set_bit(set_bit(
            overlay(uuid_send(gen_random_uuid())
                placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
                from 1 for 6),
            52, 1), 53, 1),
        'hex')::uuid
$$;
