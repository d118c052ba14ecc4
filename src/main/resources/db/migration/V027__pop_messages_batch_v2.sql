-- pop_messages_batch_v2(requests) → results
-- Several pops in one call, each with a lease of its own.
--
--   select queen.pop_messages_batch_v2('[{"idx": 0, "queue": "orders", "consumerGroup": "billing", "batch": 5}]');
--
-- Takes  an array of objects: queue (required), partition (absent, '' or '*' is any), consumerGroup, batch (1),
--        leaseTime (seconds, 0 is the queue's), subMode, subFrom, idx (given back).
-- Gives  an array in the same order: {"idx", "result": {"messages", "leaseId"}}. Two requests never get one partition.
create function queen.pop_messages_batch_v2(p_requests jsonb) returns jsonb
language plpgsql
as $$
declare
    v_request jsonb;
    v_results jsonb := '[]';
begin
    for v_request in select r from jsonb_array_elements(p_requests) with ordinality e (r, ord) order by e.ord loop
        v_results := v_results || jsonb_build_object('idx', v_request -> 'idx', 'result', queen.pop_messages_v2(
            v_request ->> 'queue',
            nullif(nullif(v_request ->> 'partition', ''), '*'),
            coalesce(v_request ->> 'consumerGroup', '__QUEUE_MODE__'),
            coalesce((v_request ->> 'batch')::integer, 1),
            coalesce((v_request ->> 'leaseTime')::integer, 0),
            coalesce(v_request ->> 'subMode', 'all'),
            v_request ->> 'subFrom'));
    end loop;
    return v_results;
end
$$;
