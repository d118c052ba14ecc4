-- What lies in the database of a release's dump when its servers are updated: made by the functions of that release, and
-- dumped with them (UpgradeTest). Something in every table that outlives an update. Leases live until 2100 or have expired.
select queen.push_messages_v2(jsonb_agg(jsonb_build_object('queue', 'orders', 'partition', p,
    'transactionId', p || '-' || n, 'payload', jsonb_build_object('n', n)) order by p, n))
from unnest(array['ann', 'bob', 'cyd']) p, generate_series(1, 6) n;
update queen.queues set namespace = 'shop', task = 'billing', retry_limit = 1, dlq_after_max_retries = true where name = 'orders';

-- ledger has passed four messages of ann, two of them dead; one of these waits to be delivered again.
select queen.ack_messages_v2(jsonb_agg(jsonb_build_object('partitionId', p.id, 'transactionId', 'ann-' || n,
    'consumerGroup', 'ledger', 'status', case when n % 2 = 0 then 'dlq' else 'completed' end, 'error', 'bad') order by n))
from queen.partitions p, generate_series(1, 4) n where p.name = 'ann';
select queen.redrive_messages_v1('orders', null, null, null, null, p.id, 'ann-2', null, 10)
from queen.partitions p where p.name = 'ann';

-- billing holds a lease on two messages of bob; the one on ann has expired.
select queen.pop_messages_v2('orders', 'bob', 'billing', 2);
select queen.pop_messages_v2('orders', 'ann', 'billing', 3);
-- wide holds two partitions under one lease.
select queen.pop_sm_lease(array[1, 1], array_agg(p.id order by p.name), array['wide', 'wide'], array[9, 9], array[2, 2],
    array_fill('0198a000-0000-7000-8000-000000000000'::uuid, array[2]), array[false, false], array_fill(null::timestamptz, array[2]))
from queen.partitions p where p.name in ('ann', 'cyd');
update queen.partition_consumers c
set lease_expires_at = case when c.consumer_group = 'billing' and p.name = 'ann' then now() else '2100-01-01Z' end
from queen.partitions p where p.id = c.partition_id and c.lease_id is not null;

-- late wants what is new; a message of cyd was deleted by hand.
select queen.pop_messages_v2('orders', null, 'late', 10, 0, 'new');
select queen.delete_message_v1(p.id, 'cyd-3') from queen.partitions p where p.name = 'cyd';

-- A queue with a limit, one that is paused, and one that was deleted while it had messages.
select queen.push_messages_v2('[{"queue": "limited"}, {"queue": "limited"}, {"queue": "limited"}]');
update queen.queues set max_size = 5 where name = 'limited';
select queen.push_messages_v2('[{"queue": "limited"}]');
select queen.push_messages_v2('[{"queue": "held"}, {"queue": "gone"}]');
select queen.pause_v1('held', null);
select queen.delete_queue_v1('gone');

select queen.record_trace_v1(p.id, 'bob-1', 'billing', 'info', '{"step": 1}', array['invoice-7'], 'worker-1')
from queen.partitions p where p.name = 'bob';
select queen.set_maintenance_v1('pop_maintenance_mode', false);
insert into queen.metric_buckets (bucket, server_id, queue_name, metrics)
values (date_trunc('minute', now()), 'one', 'orders', '{"push_messages": 18}');
insert into queen.retention_history (executed_at, queue_name, kind, deleted_count) values (now(), 'orders', 'retention', 7);
