-- pop_sm_fetch(claims, bytes) → messages
-- Reads what was claimed: for each claim the messages after p_first up to p_last, in sequence order, the claims
-- one after the other. A plain read of the primary key: no sort, because the claims are walked in their order.
-- A view with parameters: the caller's statement takes it in, and runs under the caller's settings.
--
-- Takes  p_bytes  per claim, payload bytes after which it is cut off; the first message always comes. Null: no limit.
--                 A claim that was cut off is to be made as short as what was read, see pop_sm_shorten.
-- Gives  claim (from 1), seq, id, transaction_id, trace_id, payload, is_encrypted, producer_sub, created_at.
create function queen.pop_sm_fetch(p_partition_id uuid[], p_first bigint[], p_last bigint[], p_bytes bigint[] default null)
returns table (
    claim          integer,
    seq            bigint,
    id             uuid,
    transaction_id text,
    trace_id       uuid,
    payload        text,
    is_encrypted   boolean,
    producer_sub   text,
    created_at     timestamptz
)
language sql stable
as $$
    select c, m.seq, m.id, m.transaction_id, m.trace_id, m.payload, m.is_encrypted, m.producer_sub,
           m.created_at
    from generate_series(1, cardinality(p_partition_id)) c
    cross join lateral (
        select m.*,
               sum(octet_length(m.payload)) over (order by m.seq rows unbounded preceding) - octet_length(m.payload) as before
        from queen.messages m
        where m.partition_id = p_partition_id[c] and m.seq > p_first[c] and m.seq <= p_last[c]
        order by m.seq
    ) m
    where (m.before < p_bytes[c]) is not false
$$;
