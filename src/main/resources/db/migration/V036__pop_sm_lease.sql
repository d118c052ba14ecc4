-- pop_sm_lease(requests × candidate partitions) → what became of each candidate
-- pop_sm_take without the messages: takes and gives as it says there. For SQL; the server claims and reads in one call.
-- The holder of the leases is the session, see session_holder_v1.
create function queen.pop_sm_lease(
    p_request        integer[],
    p_partition_id   uuid[],
    p_consumer_group text[],
    p_batch          integer[],
    p_partitions     integer[],
    p_lease_id       uuid[],
    p_auto_ack       boolean[],
    p_start          timestamptz[],
    p_again          boolean default false
) returns table (
    outcome        text,
    queue_name     text,
    partition_name text,
    first_seq      bigint,
    last_seq       bigint,
    due_ms         bigint,
    lease_id       uuid,
    retry_count    integer,
    more           boolean
)
language sql
as $$
    select t.outcome, t.queue_name, t.partition_name, t.first_seq, t.last_seq, t.due_ms, t.lease_id, t.retry_count, t.more
    from queen.pop_sm_take(p_request, p_partition_id, p_consumer_group, p_batch, p_partitions, p_lease_id, p_auto_ack,
        p_start, array_fill(queen.session_holder_v1(), array[cardinality(p_request)]), p_again, null) t
    order by t.candidate
$$;
