create schema queen;
-- The data model. One rule above all: what changes with every message stands in no index.
--
-- Order inside a partition is `seq`, taken from `partitions.head` under the row lock of the partition. So sequence
-- order is commit order is delivery order, and a cursor is one integer. Ordering by time would lose messages: the
-- later of two concurrent pushes may commit first, be consumed, and carry the cursor past the earlier one.

-- Configuration, one row a queue. Small, read by every operation, written by configure and by the first push.
create table queen.queues (
    id                          uuid primary key default gen_random_uuid(),
    name                        text not null unique check (length(name) <= 255),
    namespace                   text not null default '',
    task                        text not null default '',
    priority                    integer not null default 0,
    lease_time                  integer not null default 300,
    retry_limit                 integer not null default 3,
    retry_delay                 integer not null default 0,
    retry_backoff               text not null default 'fixed' check (retry_backoff in ('fixed', 'exponential')),
    retry_delay_max             integer not null default 3600000,
    retry_jitter                integer not null default 0 check (retry_jitter between 0 and 100),
    max_size                    integer not null default 0,
    ttl                         integer not null default 3600,
    dead_letter_queue           boolean not null default false,
    dlq_after_max_retries       boolean not null default false,
    delayed_processing          integer not null default 0,
    window_buffer               integer not null default 0,
    retention_seconds           integer not null default 0,
    completed_retention_seconds integer not null default 0,
    retention_enabled           boolean not null default false,
    encryption_enabled          boolean not null default false,
    max_wait_time_seconds       integer not null default 0,
    created_at                  timestamptz not null default now()
);

-- Pops by namespace or task look queues up here; a queue changes these columns on configure only.
create index queues_namespace_task on queen.queues (namespace, task);

-- How many messages a queue with max_size surely has room for; see take_room_v1. Changes with every push to such a queue.
create table queen.queue_room (
    queue_id uuid primary key references queen.queues (id) on delete cascade,
    room     bigint not null
) with (fillfactor = 50);

-- Queues whose room is to be counted anew, see recount_room_v1: a row or a few, taken away by the next push.
create table queen.queue_recounts (
    queue_id uuid not null references queen.queues (id) on delete cascade
);
create index queue_recounts_queue_id on queen.queue_recounts (queue_id);

-- The hot row of a push: `head` and `last_push_at` change with every push to the partition.
-- fillfactor 20: most of each page is room for the next versions of its rows, so that an update stays on the page and
-- touches no index (HOT), and the old versions are pruned by the next visitor without waiting for vacuum. Half a page
-- is not enough: several lists in flight update the same rows before the first of their old versions may be pruned.
-- autovacuum: by a fixed number of dead rows, because a share of a large table is too late for rows as hot as these;
-- no cost delay, because the table is small and a late vacuum costs more than a quick one.
create table queen.partitions (
    id           uuid primary key default gen_random_uuid(),
    queue_id     uuid not null references queen.queues (id) on delete cascade,
    name         text not null check (length(name) <= 255),
    head         bigint not null default 0,
    tail         bigint not null default 0,
    removed      bigint not null default 0,
    last_push_at timestamptz,
    created_at   timestamptz not null default now(),
    delayed_until timestamptz,
    unique (queue_id, name)
) with (
    fillfactor = 20,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_analyze_scale_factor = 0.1,
    autovacuum_vacuum_cost_delay = 0
);

comment on column queen.partitions.head is 'sequence number of the newest message, 0 for none yet';
comment on column queen.partitions.tail is 'everything up to this sequence number was removed';
comment on column queen.partitions.removed is 'messages removed so far, wherever they stood: head - removed are stored';
comment on column queen.partitions.delayed_until is 'the latest deliver_at of all its messages ever; from then on none of them waits';

-- Append-only: rows are inserted and, much later, deleted; never updated, so pages are packed full.
-- The primary key is the order of delivery, the unique constraint is deduplication and the look-up of an ack. There is
-- no third index and no foreign key: each would cost every insert. A queue's messages go with its partitions, deleted
-- by the function that deletes the queue.
-- payload is text, checked to be JSON by who inserts it: what was pushed comes back byte for byte, and is not parsed
-- again. Cast it (`payload::jsonb`) to look inside.
-- autovacuum: after each million inserts at the latest, so that freezing and the visibility map come in small portions.
create table queen.messages (
    partition_id   uuid not null,
    seq            bigint not null,
    id             uuid not null,
    trace_id       uuid,
    created_at     timestamptz not null,
    is_encrypted   boolean not null default false,
    transaction_id text not null,
    producer_sub   text,
    payload        text not null,
    headers        text,
    deliver_at     timestamptz,
    primary key (partition_id, seq),
    unique (partition_id, transaction_id)
) with (
    fillfactor = 100,
    autovacuum_vacuum_insert_scale_factor = 0,
    autovacuum_vacuum_insert_threshold = 1000000,
    autovacuum_vacuum_scale_factor = 0.05,
    autovacuum_analyze_scale_factor = 0.1
);

comment on column queen.messages.headers is 'a JSON object of strings, as text; null for none';
comment on column queen.messages.deliver_at is 'not delivered before this time, nor what comes after it in the partition; null for at once';

-- The hot row of pop and ack, one per partition and group. Same reasons as for partitions: no index but the key, room
-- on the page, an early vacuum.
-- A lease is found by its id through the key: R__lease.sql has the rule.
create table queen.partition_consumers (
    partition_id     uuid not null references queen.partitions (id) on delete cascade,
    consumer_group   text not null check (length(consumer_group) <= 255),
    cursor           bigint not null default 0,
    lease_id         uuid,
    lease_expires_at timestamptz,
    lease_last_seq   bigint,
    retry_count      integer not null default 0,
    redriven         integer not null default 0,
    retry_at         timestamptz,
    total_consumed   bigint not null default 0,
    total_batches    bigint not null default 0,
    last_consumed_at timestamptz,
    progressed_at    timestamptz,
    created_at       timestamptz not null default now(),
    leased_by        text,
    primary key (partition_id, consumer_group)
) with (
    fillfactor = 25,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_analyze_scale_factor = 0.1,
    autovacuum_vacuum_cost_delay = 0
);

comment on column queen.partition_consumers.cursor is 'sequence number of the last message consumed';
comment on column queen.partition_consumers.lease_last_seq is 'last sequence number delivered under the lease; not above the cursor: the lease is for redriven messages';
comment on column queen.partition_consumers.redriven is 'messages that wait in queen.redriven for the group, or are processed again';
comment on column queen.partition_consumers.retry_count is 'failed deliveries of the batch after the cursor';
comment on column queen.partition_consumers.retry_at is 'not delivered again before this time';
comment on column queen.partition_consumers.last_consumed_at is 'when it was last leased, or its cursor moved by an ack';
comment on column queen.partition_consumers.progressed_at is 'when its cursor last moved by an ack';
comment on column queen.partition_consumers.leased_by is
    'who took the last lease: an address, a space, the name it gave; it stays when the lease ends';

-- The partitions of leases that hold more than one: written by pops that claimed several, read by renewals.
create table queen.shared_leases (
    lease_id       uuid primary key,
    consumer_group text not null,
    partition_ids  uuid[] not null,
    created_at     timestamptz not null default now()
);

-- Where a group starts on partitions it has not consumed yet. Written at the group's first pop, first writer wins.
-- By name, because a group may pop before the queue exists. partition_name '' is the record for the whole queue.
-- asked_at is when a pop last asked for it, give or take: records of queues that do not exist go some time after that,
-- see remove_idle_subscriptions_v1.
create table queen.subscriptions (
    queue_name             text not null check (length(queue_name) <= 255),
    consumer_group         text not null check (length(consumer_group) <= 255),
    partition_name         text not null default '',
    subscription_mode      text not null check (subscription_mode in ('new', 'timestamp')),
    subscription_timestamp timestamptz not null,
    created_at             timestamptz not null default now(),
    asked_at               timestamptz not null default now(),
    primary key (queue_name, consumer_group, partition_name)
);

-- Dead letters: one row per message and group. The message itself stays where it is.
-- The index serves the list (newest failure first, per queue through its partitions); the table is written rarely.
create table queen.dead_letters (
    id             uuid primary key default gen_random_uuid(),
    partition_id   uuid not null references queen.partitions (id) on delete cascade,
    consumer_group text not null,
    seq            bigint not null,
    message_id     uuid not null,
    transaction_id text not null,
    error_message  text,
    retry_count    integer not null default 0,
    failed_at      timestamptz not null default now(),
    unique (partition_id, seq, consumer_group)
);
create index dead_letters_failed_at on queen.dead_letters (failed_at desc, id);

-- Messages that a group gets again after they were its dead letters; R__dead_letter.sql tells the states. The rows change under
-- the lock of the group's row in partition_consumers, which counts them.
create table queen.redriven (
    partition_id   uuid not null references queen.partitions (id) on delete cascade,
    consumer_group text not null,
    seq            bigint not null,
    lease_id       uuid,
    retry_count    integer not null default 0,
    primary key (partition_id, consumer_group, seq)
);

comment on column queen.redriven.lease_id is 'under which it was last delivered; it is being processed while the group holds that lease';
comment on column queen.redriven.retry_count is 'failed deliveries since it was redriven';

-- Trace events of messages, and their names.
create table queen.traces (
    id             uuid primary key default gen_random_uuid(),
    partition_id   uuid not null references queen.partitions (id) on delete cascade,
    transaction_id text not null,
    consumer_group text not null,
    event_type     text not null default 'info',
    data           jsonb not null,
    worker_id      text,
    created_at     timestamptz not null default now()
);
create index traces_message on queen.traces (partition_id, transaction_id, created_at);

create table queen.trace_names (
    trace_id   uuid not null references queen.traces (id) on delete cascade,
    trace_name text not null check (length(trace_name) <= 255),
    created_at timestamptz not null default now(),
    primary key (trace_name, created_at, trace_id)
);
-- For the cascade from traces.
create index trace_names_trace_id on queen.trace_names (trace_id);

-- Deleted partitions whose messages still lie in the table, see purge_messages_v1.
create table queen.purges (
    partition_id uuid primary key
);

-- Flags and values that every server of this database shares (maintenance modes).
create table queen.system_state (
    key        text primary key,
    value      jsonb not null,
    updated_at timestamptz not null default now()
);

-- Streaming queries: a name, and what it was registered with. `state_id` is the generation of its state: a query that is
-- reset gets a new one, and what lies under one that no query has is removed in the background (sweep_stream_state_v1).
create table queen.stream_queries (
    id                      uuid primary key default gen_random_uuid(),
    name                    text not null unique check (length(name) <= 255),
    source_queue            text not null check (length(source_queue) <= 255),
    sink_queue              text check (length(sink_queue) <= 255),
    config_hash             text not null,
    state_id                uuid not null unique default gen_random_uuid(),
    state_retention_seconds integer not null default 0,
    created_at              timestamptz not null default now(),
    registered_at           timestamptz not null default now()
);

comment on column queen.stream_queries.state_retention_seconds is 'keys that no cycle wrote for so long are removed; 0 keeps them';

-- The hot row of a cycle: its lock makes the cycles of a query and partition go one after the other, and it knows how much
-- state there is, so that no question counts rows. Same reasons as for partition_consumers: no index but the key, room on
-- the page, an early vacuum. No foreign keys: a cycle locks this row before partitions, and what deletes partitions must
-- not wait for it. Rows of what is gone are removed in the background (sweep_stream_partitions_v1).
create table queen.stream_partitions (
    query_id       uuid not null,
    partition_id   uuid not null,
    state_id       uuid not null,
    consumer_group text,
    cycles         bigint not null default 0,
    keys           bigint not null default 0,
    bytes          bigint not null default 0,
    last_cycles    uuid[] not null default '{}',
    last_cycle_at  timestamptz,
    primary key (query_id, partition_id)
) with (
    fillfactor = 25,
    autovacuum_vacuum_scale_factor = 0.02,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_analyze_scale_factor = 0.1,
    autovacuum_vacuum_cost_delay = 0
);

comment on column queen.stream_partitions.state_id is 'the generation that keys and bytes count';
comment on column queen.stream_partitions.last_cycles is 'the ids of the last cycles, newest first: one that is sent again was applied';

-- The state of queries, one row a key. value is text, checked to be JSON by the server: it comes back byte for byte.
-- window_end is value.windowEnd when that is a number, so that windows that are over are found by the index; it does not
-- change while a window fills, so updates stay on the page (HOT) and touch no index.
create table queen.stream_state (
    state_id     uuid not null,
    partition_id uuid not null,
    key          text collate "C" not null check (octet_length(key) <= 2000),
    value        text not null,
    bytes        integer not null,
    window_end   double precision,
    updated_at   timestamptz not null default now(),
    primary key (state_id, partition_id, key)
) with (
    fillfactor = 70,
    autovacuum_vacuum_scale_factor = 0.05,
    autovacuum_vacuum_threshold = 1000,
    autovacuum_analyze_scale_factor = 0.1
);
create index stream_state_window_end on queen.stream_state (state_id, partition_id, window_end) where window_end is not null;

comment on column queen.stream_state.bytes is 'of key and value';

-- What an operator holds back: pops of the queue, or of one group of it, get nothing. consumer_group '' is the whole queue.
create table queen.pauses (
    queue_id       uuid not null references queen.queues (id) on delete cascade,
    consumer_group text not null check (length(consumer_group) <= 255),
    paused_at      timestamptz not null default now(),
    primary key (queue_id, consumer_group)
);

-- Messages that are pushed at set times, see R__schedule.sql. Few rows; one changes when it fires. By name of the queue, which
-- is created by the first push. look_at stands in an index, and is null while there is nothing to do.
create table queen.schedules (
    name             text primary key check (length(name) between 1 and 200),
    queue_name       text not null check (length(queue_name) <= 255),
    partition_name   text not null check (length(partition_name) <= 255),
    payload          text not null,
    headers          text,
    cron             text,
    time_zone        text,
    interval_seconds integer check (interval_seconds > 0),
    start_at         timestamptz,
    missed           text not null check (missed in ('none', 'last', 'all')),
    paused           boolean not null default false,
    next_at          timestamptz,
    look_at          timestamptz,
    last_due_at      timestamptz,
    last_run_at      timestamptz,
    last_error       text,
    producer_sub     text,
    version          bigint not null default 1,
    created_at       timestamptz not null default now(),
    updated_at       timestamptz not null default now(),
    check ((cron is null) <> (interval_seconds is null)),
    check ((cron is null) = (time_zone is null)),
    check ((interval_seconds is null) = (start_at is null))
);
create index schedules_look_at on queen.schedules (look_at);

comment on column queen.schedules.next_at is 'the first due time that has not been fired, null when none comes any more';
comment on column queen.schedules.look_at is 'when servers look at it: at next_at, later after a failed try, null while paused';
comment on column queen.schedules.version is 'changes with every change that is not a run';

-- Who pops, as each server tells of itself: pops that wait now, and consumers seen lately. Every row is rewritten every few
-- seconds and believed for a while; nothing is lost with it, so it is not logged. Room on the page, and no index on what
-- changes: HOT updates.
create unlogged table queen.consumers (
    queue_name     text not null,
    consumer_group text not null,
    server_id      text not null,
    waiting        integer not null,
    holders        text[] not null,
    believed_until timestamptz not null,
    primary key (queue_name, consumer_group, server_id)
) with (
    fillfactor = 50,
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0
);

comment on column queen.consumers.holders is 'consumers seen lately, each as leased_by of partition_consumers';

-- What retention and eviction removed, one row per run, queue and kind; executed_at is when the run began.
create table queen.retention_history (
    executed_at   timestamptz not null,
    queue_name    text not null,
    kind          text not null check (kind in ('retention', 'completed', 'eviction')),
    deleted_count bigint not null,
    primary key (executed_at, queue_name, kind)
);

-- What operators did, or tried to: one row per act, with the answer that it got. Appended to, and removed after
-- QUEEN_AUDIT_DAYS. The id is the server's, so that a row is added once however often it is sent.
create table queen.audit (
    id             uuid primary key,
    at             timestamptz not null,
    server_id      text not null,
    act            text not null,
    status         integer not null,
    code           text,
    subject        text,
    address        text not null,
    request_id     text,
    queue_name     text,
    partition_name text,
    consumer_group text,
    transaction_id text,
    details        text
);
create index audit_at on queen.audit (at, id);

-- What each server did for each queue in each minute; queue_name '' is the server as a whole. No key: a minute that is
-- written in two parts has two rows, and who reads adds them up.
create table queen.metric_buckets (
    bucket     timestamptz not null,
    server_id  text not null,
    queue_name text not null default '',
    metrics    jsonb not null
);
create index metric_buckets_bucket on queen.metric_buckets (bucket, queue_name);

-- Which partitions got news, one row per push call and queue: a wildcard pop reads what is newer than its last look and
-- never walks all partitions. `xid` orders rows by what a reader can be sure to have seen: everything below the oldest
-- running transaction is committed or gone. Rows live for a minute or so; constant churn wants an eager vacuum.
create table queen.push_log (
    queue_id      uuid not null,
    xid           xid8 not null default pg_current_xact_id(),
    partition_ids uuid[] not null
) with (
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 10000,
    autovacuum_vacuum_insert_threshold = -1,
    autovacuum_vacuum_cost_delay = 0
);
create index push_log_queue_xid on queen.push_log (queue_id, xid);

-- Marks of the push log at which nothing was left for a group in a queue: all that it can get was pushed since, and a
-- server that comes to the group need not walk over the partitions. Written where that is known without looking: when a
-- group subscribes to what is new, and after a seek to the end. A mark goes with the part of the log that it needs.
create table queen.clear_marks (
    queue_id       uuid not null,
    consumer_group text not null,
    life           text not null,
    xid            xid8 not null
);
create index clear_marks_queue_group on queen.clear_marks (queue_id, consumer_group);

-- Which groups have, or had, a cursor in which queue, see meet_queues_v1. Not unique: who is first would make others
-- wait for the end of its transaction.
create table queen.met_queues (
    queue_id       uuid not null,
    consumer_group text not null
);
create index met_queues_queue_group on queen.met_queues (queue_id, consumer_group);

-- Which life of the database this is: one row, empty after a crash or a failover because the table is not logged. Then
-- transaction ids that were handed out and never reached the disk are handed out again, and a place in the push log
-- that a server remembers means nothing any more. See push_log_life_v1.
create unlogged table queen.push_log_life (
    single boolean primary key default true check (single),
    id     uuid not null default gen_random_uuid()
);

-- Ack: what was processed, or failed. ack_messages_v2 → ack_list_v1; redriven messages through ack_redriven_v1 in
-- R__dead_letter.sql.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- ---------------------------------------------------------------------------------------------------------------------
-- Public SQL interface: applications call what follows. Names, arguments and answers stay.
-- ---------------------------------------------------------------------------------------------------------------------

-- ack_messages_v2(acknowledgments) → results
-- Acknowledges from SQL, inside the caller's own transaction if it has one open.
--
--   select queen.ack_messages_v2('[{"partitionId": "…", "transactionId": "…", "consumerGroup": "billing"}]');
--
-- Takes  an array of objects: transactionId and partitionId (required), status ('completed'; 'success', 'failed', 'dlq',
--        'retry'), leaseId (checked when given), consumerGroup ('__QUEUE_MODE__'), error.
-- Gives  an array in the same order: index, transactionId, success, error, queueName, partitionName, leaseReleased, dlq.
-- Fails  with QU001 on an unknown status or a missing id. Locks and order as in ack_list_v1.
create or replace function queen.ack_messages_v2(p_acknowledgments jsonb) returns jsonb
language plpgsql
as $$
declare
    v_result jsonb;
begin
    if exists (
        select from jsonb_array_elements(p_acknowledgments) a
        where coalesce(a ->> 'status', 'completed') not in ('completed', 'success', 'failed', 'dlq', 'retry')
           or a ->> 'transactionId' is null or a ->> 'partitionId' is null)
    then
        raise exception 'every acknowledgment needs a transactionId, a partitionId and a known status'
            using errcode = 'QU001';
    end if;

    with ack as (
        select a.item ->> 'transactionId' as transaction_id, a.ord
        from jsonb_array_elements(p_acknowledgments) with ordinality a (item, ord)
    ), outcome as (
        select r.*
        from (
            select array_agg((a ->> 'partitionId')::uuid order by ord) as partition_id,
                   array_agg(a ->> 'transactionId' order by ord) as transaction_id,
                   array_agg(coalesce(a ->> 'consumerGroup', '__QUEUE_MODE__') order by ord) as consumer_group,
                   array_agg(nullif(a ->> 'leaseId', '')::uuid order by ord) as lease_id,
                   array_agg(case coalesce(a ->> 'status', 'completed') when 'success' then 'completed'
                             else coalesce(a ->> 'status', 'completed') end order by ord) as status,
                   array_agg(a ->> 'error' order by ord) as error
            from jsonb_array_elements(p_acknowledgments) with ordinality e (a, ord)
        ) a
        cross join lateral queen.ack_list_v1(a.partition_id, a.transaction_id, a.consumer_group, a.lease_id, a.status, a.error)
            with ordinality r (error, queue_name, partition_name, lease_released, dlq, pending, ord)
        where a.partition_id is not null
    )
    select jsonb_agg(jsonb_build_object('index', a.ord - 1, 'transactionId', a.transaction_id, 'success', o.error is null,
            'error', o.error, 'queueName', o.queue_name, 'partitionName', o.partition_name,
            'leaseReleased', o.lease_released, 'dlq', o.dlq) order by a.ord)
    into v_result
    from ack a
    join outcome o using (ord);
    return coalesce(v_result, '[]');
end
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- The server's own: what follows may change with every release.
-- ---------------------------------------------------------------------------------------------------------------------

-- ack_list_v1(acks) → one row per ack, in the order given
-- The server's own way to acknowledge: one list of any size over any partitions and groups, one transaction.
--
-- Takes  arrays of one length: partition id, transaction id, consumer group, lease id (null: not checked), status
--        ('completed', 'failed', 'dlq' or 'retry'), error text for dead letters. p_again: the list was sent before and
--        its outcome is not known; a lease that ended by the first sending is then no error.
-- Gives  error          null, 'Message not found' or 'Invalid or expired lease', which goes on when another group holds it
--                       (lease_error_v1). A refused ack changes nothing
--        queue_name, partition_name   null when the partition is unknown
--        lease_released the (partition, group) has no lease afterwards
--        dlq            this ack dead-lettered its message
--        pending        the partition has messages that the group may pop now
--
-- Locks  rows of partition_consumers in key order; nothing else.
-- Order  Acks of one (partition, group) apply in sequence order, whatever their order in the list. `completed` moves the
--        cursor to its message. `failed` with retries left, and `retry`, end the lease and the run: what comes after is
--        a lease error, and is delivered again; after `failed` not before the wait of retry_wait_v1.
--        `failed` without retries left, and `dlq`, dead-letter and move on; the retry counter starts anew. The cursor
--        never moves back. A lease speaks for what was delivered under it, not for what was pushed since, and ends when
--        no message delivered under it is left behind the cursor. Redriven messages, which lie before the cursor, are
--        looked for only when the group has some: see R__dead_letter.sql.
--
-- One statement finds the messages, one locks and reads the (partition, group) rows, one writes them; what is between is
-- decided in plain code, ack by ack, by the rule in ack_verdict_v1: starting up one large statement costs more than the
-- rows of a usual list. Settings, and writing by ctid: see R__push.sql.
create or replace function queen.ack_list_v1(
    p_partition_id   uuid[],
    p_transaction_id text[],
    p_consumer_group text[],
    p_lease_id       uuid[],
    p_status         text[],
    p_error          text[],
    p_again          boolean default false
) returns table (
    error          text,
    queue_name     text,
    partition_name text,
    lease_released boolean,
    dlq            boolean,
    pending        boolean
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_key           record;
    v_ord           integer;
    v_seqs          bigint[];
    v_seq           bigint;
    v_cursor        bigint;
    v_verdict       text;
    v_stopped       text;
    v_dead          boolean;
    v_dead_seq      bigint;
    v_complete      boolean;
    v_released      boolean;
    v_pending       boolean;
    v_again         record;
    v_done          integer;
    v_stays         boolean;
    v_failures      integer;
    v_wait          integer;
    v_count         integer := cardinality(p_partition_id);
    -- One element per ack.
    v_errors        text[] := array_fill(null::text, array[v_count]);
    v_queues        text[] := v_errors;
    v_partitions    text[] := v_errors;
    v_releases      boolean[] := array_fill(false, array[v_count]);
    v_dlqs          boolean[] := v_releases;
    v_pendings      boolean[] := v_releases;
    -- One element per row that changes.
    v_rows          tid[];
    v_cursors       bigint[];
    v_ends          boolean[];
    v_completes     boolean[];
    v_retry_counts  integer[];
    v_delays        integer[];
    v_dones         integer[];
    -- One element per message that is dead now.
    v_dead_ords     integer[];
    v_dead_retries  integer[];
    -- One element per partition that is free before its time, with messages left: news to the other servers.
    v_news          uuid[];
begin
    v_seqs := array(
        select (select m.seq from queen.messages m
                where m.partition_id = p_partition_id[a] and m.transaction_id = p_transaction_id[a])
        from generate_series(1, v_count) a
        order by a);

    if array_position(p_lease_id, null) is not null then
        -- An ack without a lease works for a group that never popped here: it needs its row. Not when it will be
        -- refused: a group that is only named would be the slowest of all.
        insert into queen.partition_consumers (partition_id, consumer_group, cursor)
        select distinct a.partition_id, a.consumer_group, queen.first_cursor_v1(a.partition_id, a.consumer_group)
        from unnest(p_partition_id, p_consumer_group, p_lease_id, v_seqs) a (partition_id, consumer_group, lease_id, seq)
        where a.lease_id is null and a.seq is not null
          and (select true from queen.partitions p where p.id = a.partition_id)
          and (select true from queen.partition_consumers c
               where c.partition_id = a.partition_id and c.consumer_group = a.consumer_group) is null
        order by a.partition_id, a.consumer_group
        on conflict do nothing;
        if found then
            perform queen.recount_room_v1(p_partition_id);
        end if;
    end if;

    for v_key in
        select a.*, p.name as partition_name, p.head, q.name as queue_name, q.retry_limit,
               q.retry_delay, q.retry_backoff, q.retry_delay_max, q.retry_jitter, c.*
        from (
            -- Sorted before it is joined: the rows are locked in this order.
            select p_partition_id[a] as partition_id, p_consumer_group[a] as consumer_group, array_agg(a order by v_seqs[a], a) as ords
            from generate_series(1, v_count) a
            group by 1, 2
            order by 1, 2
        ) a
        left join lateral (
            select p.queue_id, p.name, p.head from queen.partitions p where p.id = a.partition_id limit 1
        ) p on true
        left join lateral (
            select q.name, q.retry_limit, q.retry_delay, q.retry_backoff, q.retry_delay_max, q.retry_jitter
            from queen.queues q where q.id = p.queue_id limit 1
        ) q on true
        left join lateral (
            select c.ctid as place, c.cursor, c.lease_id, c.lease_expires_at, c.lease_last_seq, c.retry_count, c.redriven
            from queen.partition_consumers c
            where c.partition_id = a.partition_id and c.consumer_group = a.consumer_group
            for update
        ) c on true
    loop
        v_cursor := null;
        v_stopped := null;
        v_dead := false;
        v_dead_seq := null;
        v_done := 0;
        v_failures := null;
        v_wait := 0;
        foreach v_ord in array v_key.ords loop
            v_queues[v_ord] := v_key.queue_name;
            v_partitions[v_ord] := v_key.partition_name;
            v_seq := v_seqs[v_ord];
            v_verdict := queen.ack_verdict_v1(v_seq, v_key.queue_name, p_status[v_ord], p_lease_id[v_ord], v_key.lease_id,
                v_key.lease_expires_at <= clock_timestamp(), v_key.lease_last_seq, v_key.cursor, v_key.redriven,
                v_key.retry_count, v_key.retry_limit, p_again, v_stopped, v_cursor, v_dead);
            if v_verdict = 'completed' then
                v_cursor := v_seq;
            elsif v_verdict = 'dead' then
                v_cursor := v_seq;
                v_dead := true;
                v_dead_seq := v_seq;
                v_dlqs[v_ord] := true;
                v_dead_ords := v_dead_ords || v_ord;
                v_dead_retries := v_dead_retries || v_key.retry_count;
            elsif v_verdict = 'stop' then
                v_stopped := p_status[v_ord];
            elsif v_verdict = 'unknown' then
                v_errors[v_ord] := 'Message not found';
            elsif v_verdict = 'refused' then
                v_errors[v_ord] := queen.lease_error_v1(v_key.partition_id, v_key.consumer_group, p_lease_id[v_ord]);
            elsif v_verdict = 'late' then
                v_errors[v_ord] := 'Invalid or expired lease';
            elsif v_verdict = 'same' then
                v_dlqs[v_ord] := v_seq is not distinct from v_dead_seq;
            elsif v_verdict = 'redriven' then
                select * into v_again
                from queen.ack_redriven_v1(v_key.partition_id, v_key.consumer_group, v_seq, p_lease_id[v_ord], v_key.lease_id,
                    p_status[v_ord], v_stopped is not null, v_key.retry_limit, p_error[v_ord]);
                v_done := v_done + v_again.done;
                if v_again.verdict = 'late' then
                    v_errors[v_ord] := 'Invalid or expired lease';
                elsif v_again.verdict in ('failed', 'retry') then
                    v_stopped := v_again.verdict;
                    v_failures := v_again.failures;
                elsif v_again.verdict = 'dead' then
                    v_dead_seq := v_seq;
                end if;
                v_dlqs[v_ord] := v_seq is not distinct from v_dead_seq;
            end if;
        end loop;

        v_released := v_key.lease_id is null;
        v_pending := false;
        if v_cursor is not null or v_stopped is not null or v_done > 0 then
            -- The lease is for redriven messages, so what becomes of it says nothing of the batch after the cursor.
            v_stays := v_cursor is null and coalesce(v_key.lease_last_seq <= v_key.cursor, true);
            v_complete := v_stopped is null and case
                when v_key.lease_last_seq is null then true
                when v_key.lease_last_seq <= v_key.cursor then not queen.holds_redriven_v1(
                    v_key.partition_id, v_key.consumer_group, v_key.lease_id, v_key.lease_last_seq)
                else v_cursor >= v_key.lease_last_seq or not exists (
                    select from queen.messages m
                    where m.partition_id = v_key.partition_id and m.seq > coalesce(v_cursor, v_key.cursor)
                      and m.seq <= v_key.lease_last_seq)
            end;
            v_released := v_released or v_complete or v_stopped is not null;
            v_pending := v_released and (v_key.head > coalesce(v_cursor, v_key.cursor) or v_key.redriven > v_done);
            v_rows := v_rows || v_key.place;
            v_cursors := v_cursors || v_cursor;
            v_ends := v_ends || (v_complete or v_stopped is not null);
            v_completes := v_completes || (v_complete and v_key.lease_id is not null);
            v_dones := v_dones || v_done;
            v_retry_counts := v_retry_counts || queen.ack_retry_count_v1(v_key.retry_count, v_stays,
                v_complete or (v_cursor is not null and v_key.lease_last_seq <= v_key.cursor),
                v_stopped = 'failed' and v_key.lease_id is not null, v_dead);
            if v_stopped = 'failed' then
                v_wait := queen.retry_wait_v1(v_key.retry_delay, v_key.retry_backoff, v_key.retry_delay_max,
                    v_key.retry_jitter, coalesce(v_failures, v_retry_counts[cardinality(v_retry_counts)]));
            end if;
            v_delays := v_delays || v_wait;
        end if;
        if v_pending then
            v_news := v_news || v_key.partition_id;
        end if;
        foreach v_ord in array v_key.ords loop
            v_releases[v_ord] := v_released;
            v_pendings[v_ord] := v_pending;
        end loop;
    end loop;

    if v_rows is not null then
        update queen.partition_consumers c
        set cursor = coalesce(v_cursors[k], c.cursor),
            total_consumed = c.total_consumed + coalesce(v_cursors[k] - c.cursor, 0),
            redriven = c.redriven - v_dones[k],
            last_consumed_at = case when v_cursors[k] is null and v_dones[k] = 0 then c.last_consumed_at
                else clock_timestamp() end,
            progressed_at = case when v_cursors[k] is null and v_dones[k] = 0 then c.progressed_at else clock_timestamp() end,
            total_batches = c.total_batches + v_completes[k]::integer,
            retry_count = v_retry_counts[k],
            retry_at = case when v_delays[k] > 0 then clock_timestamp() + v_delays[k] * interval '1 ms' else c.retry_at end,
            lease_id = case when v_ends[k] then null else c.lease_id end,
            lease_expires_at = case when v_ends[k] then null else c.lease_expires_at end,
            lease_last_seq = case when v_ends[k] then null else c.lease_last_seq end
        from generate_series(1, cardinality(v_rows)) k
        where c.ctid = v_rows[k];
    end if;
    if v_dead_ords is not null then
        insert into queen.dead_letters
            (partition_id, consumer_group, seq, message_id, transaction_id, error_message, retry_count, failed_at)
        select m.partition_id, p_consumer_group[d.ord], m.seq, m.id, m.transaction_id,
               coalesce(nullif(p_error[d.ord], ''), 'Message processing failed'), d.retry_count, clock_timestamp()
        from unnest(v_dead_ords, v_dead_retries) d (ord, retry_count)
        cross join lateral (
            select m.* from queen.messages m
            where m.partition_id = p_partition_id[d.ord] and m.seq = v_seqs[d.ord]
            limit 1
        ) m
        on conflict do nothing;
    end if;
    if v_news is not null then
        insert into queen.push_log (queue_id, partition_ids)
        select p.queue_id, array_agg(p.id)
        from queen.partitions p
        where p.id = any (v_news)
        group by p.queue_id;
    end if;

    return query
    select v_errors[a], v_queues[a], v_partitions[a], v_releases[a], v_dlqs[a], v_pendings[a]
    from generate_series(1, v_count) a
    order by a;
end
$$;

-- ack_verdict_v1(ack, row, run) → unknown, refused, done, redriven, late, same, stop, dead or completed
-- The rule of an ack: what it does to its message. The first that applies counts.
--
--   unknown    there is no such message, or its queue was deleted: messages lie there until they are purged
--   refused    it names a lease, and that is not the group's, has expired, or does not reach as far as the message. Not when
--              the list was sent before (p_again) and the message is passed: the first sending may have ended the lease
--   done       the cursor has passed the message; the ack changes nothing
--   redriven   as done, but the group has redriven messages, and this may be one: ack_redriven_v1 decides
--   late       an ack of this list before it has ended the lease (p_stopped)
--   same       the same message as the ack before: the first ack counts
--   stop       retry, or failed with retries left: ends the lease, the message comes again. The retries of a batch start
--              anew behind a dead letter (p_dead)
--   dead       failed without retries left, or dlq: a dead letter, and the cursor passes it
--   completed  the cursor passes it
-- AckRuleTest has it as a table. An expression: ack_list_v1 takes it in and calls nothing.
create or replace function queen.ack_verdict_v1(
    p_seq bigint, p_queue_name text, p_status text, p_lease_id uuid,
    p_held_id uuid, p_held_expired boolean, p_held_last_seq bigint, p_cursor bigint, p_redriven integer, p_retry_count integer,
    p_retry_limit integer, p_again boolean, p_stopped text, p_moved_to bigint, p_dead boolean) returns text
language sql immutable
as $$
    select case
        when p_seq is null or p_queue_name is null then 'unknown'
        when p_lease_id is not null
             and (p_lease_id is distinct from p_held_id or p_held_expired or p_seq > p_held_last_seq)
             and not (p_again and p_seq <= p_cursor) then 'refused'
        when p_seq <= p_cursor then case when p_redriven = 0 then 'done' else 'redriven' end
        when p_stopped is not null then 'late'
        when p_seq = p_moved_to then 'same'
        when p_status = 'retry'
             or (p_status = 'failed' and p_retry_limit > 0 and (p_retry_count < p_retry_limit or p_dead)) then 'stop'
        when p_status in ('failed', 'dlq') then 'dead'
        else 'completed'
    end
$$;

-- ack_retry_count_v1(count, stays, passed, failed, dead) → the count of failed deliveries after the acks of a list
-- It stays when they were of redriven messages alone, and starts anew when the batch was passed, or behind a dead letter.
-- An expression, as ack_verdict_v1.
create or replace function queen.ack_retry_count_v1(
    p_retry_count integer, p_stays boolean, p_passed boolean, p_failed boolean, p_dead boolean) returns integer
language sql immutable
as $$
    select case
        when p_stays then p_retry_count
        when p_passed then 0
        when p_failed then case when p_dead then 1 else p_retry_count + 1 end
        when p_dead then 0
        else p_retry_count
    end
$$;

-- retry_wait_v1(delay, backoff, most, jitter, failures) → milliseconds until a failed batch comes again
-- The first failure waits the delay. `exponential` doubles it with each that follows, up to `most`: in double precision, and
-- thirty times at most, so that no number overflows. `jitter` is how many percent of the wait
-- chance may take away, never add: the cap holds, and batches that failed together do not come again together.
create or replace function queen.retry_wait_v1(
    p_delay integer, p_backoff text, p_most integer, p_jitter integer, p_failures integer) returns integer
language sql volatile
as $$
    select (case p_backoff
        when 'exponential' then least(p_most, p_delay * 2::double precision ^ least(greatest(p_failures - 1, 0), 30))
        else p_delay
    end * (1 - p_jitter * random() / 100))::integer
$$;

-- lease_error_v1(partition, group, lease) → text
-- What an ack is told whose lease is not its group's: who holds it, when another group does, because forgetting the
-- group is the common mistake. The text begins as it always did. Asked when an ack is refused, and only then.
create or replace function queen.lease_error_v1(p_partition_id uuid, p_consumer_group text, p_lease_id uuid) returns text
language sql stable
as $$
    select 'Invalid or expired lease' || coalesce((
        select ': it belongs to ' || case c.consumer_group
                   when '__QUEUE_MODE__' then 'the default group' else 'consumer group ''' || c.consumer_group || '''' end
               || ', and the ack names ' || case p_consumer_group
                   when '__QUEUE_MODE__' then 'no consumerGroup' else '''' || p_consumer_group || '''' end
        from queen.partition_consumers c
        where c.partition_id = p_partition_id and c.lease_id = p_lease_id and c.consumer_group <> p_consumer_group
          and c.lease_expires_at > clock_timestamp()
        limit 1), '')
$$;

-- What operators did.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- add_audit_v1(server, one array per column) → nothing
-- Adds acts; one whose id is there already is left alone. An act on a single message names its partition by id: while the
-- partition is there, its names are stored.
-- Locks  nothing but the new rows.
create or replace function queen.add_audit_v1(
    p_server_id text, p_id uuid[], p_at timestamptz[], p_act text[], p_status integer[], p_code text[], p_subject text[],
    p_address text[], p_request_id text[], p_queue text[], p_partition text[], p_group text[], p_transaction_id text[],
    p_details text[]) returns void
language sql
as $$
    insert into queen.audit (
        id, at, server_id, act, status, code, subject, address, request_id, queue_name, partition_name, consumer_group,
        transaction_id, details)
    select a.id, a.at, p_server_id, a.act, a.status, a.code, a.subject, a.address, a.request_id,
           coalesce(a.queue, q.name), coalesce(p.name, a.partition), a.consumer_group, a.transaction_id, a.details
    from unnest(p_id, p_at, p_act, p_status, p_code, p_subject, p_address, p_request_id, p_queue, p_partition, p_group,
                p_transaction_id, p_details)
        a (id, at, act, status, code, subject, address, request_id, queue, partition, consumer_group, transaction_id, details)
    left join queen.partitions p on p.id = case
        when a.transaction_id is not null and a.partition ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
        then a.partition::uuid end
    left join queen.queues q on q.id = p.queue_id
    on conflict (id) do nothing
$$;

-- list_audit_v1(from, to, act, subject, queue, after, limit) → JSON object
-- A page of acts, the newest first; filters are null for any, the first of the times is included and the last is not. The
-- next page begins after the last act of this one, so that acts that are added meanwhile move nothing.
--
-- Takes  p_after_at, p_after_id  the last act of the page before; nulls to begin
-- Gives  acts, and next: null when there are no more
create or replace function queen.list_audit_v1(
    p_from timestamptz, p_to timestamptz, p_act text, p_subject text, p_queue text, p_after_at timestamptz, p_after_id uuid,
    p_limit integer) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set jit = off
as $$
begin
    return (
        with page as (
            select a.*, row_number() over (order by a.at desc, a.id desc) as nth
            from queen.audit a
            where a.at >= coalesce(p_from, '-infinity') and a.at < coalesce(p_to, 'infinity')
              and (a.at, a.id) < (coalesce(p_after_at, 'infinity'), coalesce(p_after_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
              and (p_act is null or a.act = p_act)
              and (p_subject is null or a.subject = p_subject)
              and (p_queue is null or a.queue_name = p_queue)
            order by a.at desc, a.id desc
            limit p_limit + 1
        )
        select json_build_object(
            'acts', coalesce(json_agg(json_build_object(
                'id', a.id, 'at', queen.iso_time(a.at), 'act', a.act, 'status', a.status, 'code', a.code,
                'subject', a.subject, 'address', a.address, 'server', a.server_id, 'requestId', a.request_id,
                'queue', a.queue_name, 'partition', a.partition_name, 'consumerGroup', a.consumer_group,
                'transactionId', a.transaction_id, 'details', a.details) order by a.nth)
                filter (where a.nth <= p_limit), '[]'),
            'next', max((extract(epoch from a.at) * 1000000)::bigint || ':' || a.id)
                filter (where a.nth = p_limit and exists (select from page l where l.nth > p_limit)))
        from page a);
end
$$;

-- prune_audit_v1(days, limit) → rows removed
-- Removes up to p_limit acts older than so many days, the oldest first.
create or replace function queen.prune_audit_v1(p_days integer, p_limit integer) returns bigint
language plpgsql
as $$
declare
    v_removed bigint;
begin
    if not pg_try_advisory_xact_lock(hashtext('queen.prune_audit')) then
        return 0;
    end if;
    delete from queen.audit a
    where a.ctid = any (array(
        select o.ctid from queen.audit o where o.at < now() - make_interval(days => p_days) order by o.at limit p_limit));
    get diagnostics v_removed = row_count;
    return v_removed;
end
$$;

-- Dead letters: made by hand, listed, deleted, redriven; and redriven messages on their way. Acks make most of them
-- (R__ack.sql).
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- dead_letter_message_v1(partition, transaction id, group, error) → known, and what became of the group's lease
-- Makes a message a dead letter of a group by hand. When it is the message that the group would get next, the group's
-- cursor passes it, as an ack with status dlq would do. When the group has consumed it, or has others to consume
-- before, only the dead letter is written: the group's order stays as it is, and it will still get the message.
-- The same when the group never consumed the partition while others did: no cursor is made for it.
-- One that was redriven for the group, and waits or is being processed, is dead again.
--
-- Gives  known, queue_name, partition_name; lease_released and pending as ack_list_v1, for who waits.
-- Locks  the row of the group, as ack_list_v1.
create or replace function queen.dead_letter_message_v1(
    p_partition_id uuid, p_transaction_id text, p_consumer_group text, p_error text,
    out known boolean, out queue_name text, out partition_name text, out lease_released boolean, out pending boolean)
language plpgsql
as $$
declare
    v_seq    bigint;
    v_id     uuid;
    v_cursor bigint;
    v_others boolean;
    v_lease  uuid;
begin
    select c.cursor, c.lease_id into v_cursor, v_lease
    from queen.partition_consumers c
    where c.partition_id = p_partition_id and c.consumer_group = p_consumer_group
    for update;

    select m.seq, m.id, q.name, p.name,
           exists (select from queen.partition_consumers c where c.partition_id = p.id)
    into v_seq, v_id, queue_name, partition_name, v_others
    from queen.messages m
    join queen.partitions p on p.id = m.partition_id
    join queen.queues q on q.id = p.queue_id
    where m.partition_id = p_partition_id and m.transaction_id = p_transaction_id;
    known := v_seq is not null;
    lease_released := false;
    pending := false;
    if not known then
        return;
    end if;

    if (v_cursor is not null or not v_others) and v_seq > coalesce(v_cursor, 0) and not exists (
        select from queen.messages m
        where m.partition_id = p_partition_id and m.seq > coalesce(v_cursor, 0) and m.seq < v_seq)
    then
        select a.lease_released, a.pending into lease_released, pending
        from queen.ack_list_v1(
            array[p_partition_id], array[p_transaction_id], array[p_consumer_group], array[null::uuid], array['dlq'],
            array[p_error]) a;
    else
        insert into queen.dead_letters
            (partition_id, consumer_group, seq, message_id, transaction_id, error_message, failed_at)
        values (p_partition_id, p_consumer_group, v_seq, v_id, p_transaction_id, p_error, clock_timestamp())
        on conflict do nothing;
        delete from queen.redriven r
        where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group and r.seq = v_seq;
        if found then
            perform queen.settle_redriven_v1(p_partition_id, v_seq - 1, v_seq);
            select v_lease is not null and c.lease_id is null, p.head > c.cursor or c.redriven > 0
            into lease_released, pending
            from queen.partition_consumers c
            join queen.partitions p on p.id = c.partition_id
            where c.partition_id = p_partition_id and c.consumer_group = p_consumer_group;
        end if;
    end if;
end
$$;

-- list_dead_letters_v1(filters, limit, offset, visible, error) → total, letter, payload, is_encrypted
-- A page of dead letters, the newest failure first. One row each: letter is a JSON object without the payload, which is
-- given as it is stored; null when the message is gone. The first row is not a dead letter: it has the number of all
-- that match as total, and nulls.
create or replace function queen.list_dead_letters_v1(
    p_queue text, p_partition text, p_group text, p_from timestamptz, p_to timestamptz, p_limit integer, p_offset integer,
    p_visible text[] default null, p_error text default null)
returns table (total bigint, letter json, payload text, is_encrypted boolean)
language plpgsql stable
set plan_cache_mode = force_custom_plan
set jit = off
as $$
begin
    return query
    select count(*), null::json, null::text, null::boolean
    from queen.matching_dead_letters_v1(p_queue, p_partition, p_group, p_from, p_to, p_visible, p_error);

    return query
    select null::bigint,
           json_build_object(
               'id', d.message_id, 'transactionId', d.transaction_id, 'partitionId', d.partition_id,
               'queue', q.name, 'partition', p.name, 'consumerGroup', d.consumer_group,
               'errorMessage', d.error_message, 'retryCount', d.retry_count, 'traceId', m.trace_id,
               'producerSub', m.producer_sub, 'createdAt', queen.iso_time(m.created_at),
               'failedAt', queen.iso_time(d.failed_at), 'headers', m.headers::json,
               'deliverAt', queen.iso_time(m.deliver_at)),
           m.payload, m.is_encrypted
    from (
        select d.*
        from queen.matching_dead_letters_v1(p_queue, p_partition, p_group, p_from, p_to, p_visible, p_error) d
        order by d.failed_at desc, d.id
        limit p_limit offset p_offset
    ) d
    join queen.partitions p on p.id = d.partition_id
    join queen.queues q on q.id = p.queue_id
    left join queen.messages m on m.partition_id = d.partition_id and m.seq = d.seq
    order by d.failed_at desc, d.id;
end
$$;

-- dead_letter_errors_v1(filters, limit, offset, visible, most, error) → JSON
-- Dead letters by their error text, the most frequent first: a page of texts, how many texts there are, and how many dead
-- letters. Only the newest p_most that match are looked at, so that a million cost no more than those; when there are more,
-- estimated is true, and all numbers are of these.
create or replace function queen.dead_letter_errors_v1(
    p_queue text, p_partition text, p_group text, p_from timestamptz, p_to timestamptz, p_limit integer, p_offset integer,
    p_visible text[], p_most integer, p_error text)
returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set jit = off
as $$
begin
    return (
        with newest as materialized (
            select d.partition_id, d.consumer_group, d.error_message, d.failed_at,
                   row_number() over (order by d.failed_at desc, d.id) as place
            from queen.matching_dead_letters_v1(p_queue, p_partition, p_group, p_from, p_to, p_visible, p_error) d
            order by d.failed_at desc, d.id
            limit p_most + 1
        ), error as materialized (
            select n.error_message as text, count(*) as letters, count(distinct p.queue_id) as queues,
                   count(distinct n.consumer_group) as groups, min(n.failed_at) as first, max(n.failed_at) as last
            from newest n
            join queen.partitions p on p.id = n.partition_id
            where n.place <= p_most
            group by n.error_message
        )
        select json_build_object(
            'errors', coalesce((
                select json_agg(json_build_object(
                    'error', e.text, 'count', e.letters, 'queues', e.queues, 'groups', e.groups,
                    'firstFailedAt', queen.iso_time(e.first), 'lastFailedAt', queen.iso_time(e.last))
                    order by e.letters desc, e.last desc, e.text)
                from (
                    select * from error e order by e.letters desc, e.last desc, e.text limit p_limit offset p_offset
                ) e), '[]'),
            'total', (select count(*) from error),
            'messages', (select coalesce(sum(e.letters), 0) from error e),
            'estimated', exists (select from newest n where n.place > p_most),
            'pagination', json_build_object('limit', p_limit, 'offset', p_offset)));
end
$$;

-- count_dead_letters_v1(filters, error) → how many match
create or replace function queen.count_dead_letters_v1(
    p_queue text, p_partition text, p_group text, p_from timestamptz, p_to timestamptz, p_error text) returns bigint
language plpgsql stable
set plan_cache_mode = force_custom_plan
set jit = off
as $$
begin
    return (
        select count(*)
        from queen.matching_dead_letters_v1(p_queue, p_partition, p_group, p_from, p_to, null, p_error));
end
$$;

-- matching_dead_letters_v1(queue, partition, group, from, to, visible, error) → dead letters
-- Those of a queue, a partition (by name), a group, a span of failed_at, both ends included, and an error text; null for any.
-- Of the queues that the caller may see, see is_visible_v1.
create or replace function queen.matching_dead_letters_v1(
    p_queue text, p_partition text, p_group text, p_from timestamptz, p_to timestamptz, p_visible text[] default null,
    p_error text default null)
returns setof queen.dead_letters
language sql stable
as $$
    select d.*
    from queen.dead_letters d
    join queen.partitions p on p.id = d.partition_id
    join queen.queues q on q.id = p.queue_id
    where (p_queue is null or q.name = p_queue)
      and (p_partition is null or p.name = p_partition)
      and (p_group is null or d.consumer_group = p_group)
      and (p_from is null or d.failed_at >= p_from)
      and (p_to is null or d.failed_at <= p_to)
      and (p_visible is null or queen.is_visible_v1(q.name, p_visible))
      and (p_error is null or d.error_message = p_error)
$$;

-- delete_dead_letters_v1(filters, error) → rows removed
-- Forgets dead letters that match (see matching_dead_letters_v1). The messages stay where they are, consumed.
create or replace function queen.delete_dead_letters_v1(
    p_queue text, p_partition text, p_group text, p_from timestamptz, p_to timestamptz, p_error text default null)
returns bigint
language plpgsql
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
    v_count bigint;
begin
    delete from queen.dead_letters l
    using (
        select d.id
        from queen.matching_dead_letters_v1(p_queue, p_partition, p_group, p_from, p_to, null, p_error) d
    ) d
    where l.id = d.id;
    get diagnostics v_count = row_count;
    return v_count;
end
$$;

-- redrive_messages_v1(filters, limit, error) → one row per partition and group that got messages
-- Gives dead letters another chance: each message goes to the group that failed it, and to no other. It is the same
-- message, with its id and transaction id, and comes before what the group has not been given yet, as told under
-- "Redriven messages" below. A message that the group's cursor has not passed (it was dead-lettered by hand before its turn, or the
-- group was moved back) comes in its turn anyway, so only the dead letter is dropped; so for a group that has no cursor
-- here and will begin before it. One whose message has been removed meanwhile can't be delivered: its dead letter is
-- dropped too, and counted as gone.
--
-- Takes  p_partition_id, p_transaction_id  one message, or nulls and the filters of matching_dead_letters_v1
--        p_until   nothing that failed later: null at the first call, then what that gave, or a consumer that fails what
--                  it is given would keep the redrive going forever
--        p_limit   dead letters at most; no row when nothing is left
-- Gives  partition_id, queue_name, partition_name, consumer_group, redriven, gone, message_id (of the last), until.
-- Locks  the partitions in id order, as a push and a removal do, then rows of partition_consumers in key order. Two at once
--        redrive no message twice.
create or replace function queen.redrive_messages_v1(
    p_queue text, p_partition text, p_group text, p_from timestamptz, p_to timestamptz,
    p_partition_id uuid, p_transaction_id text, p_until timestamptz, p_limit integer, p_error text default null)
returns table (
    partition_id   uuid,
    queue_name     text,
    partition_name text,
    consumer_group text,
    redriven       integer,
    gone           integer,
    message_id     uuid,
    until          timestamptz
)
language plpgsql
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
    v_until      timestamptz := coalesce(p_until, clock_timestamp());
    v_letters    uuid[];
    v_partitions uuid[];
    v_groups     text[];
begin
    select array_agg(d.id), array_agg(d.partition_id), array_agg(d.consumer_group)
    into v_letters, v_partitions, v_groups
    from (
        select d.id, d.partition_id, d.consumer_group
        from queen.matching_dead_letters_v1(
            p_queue, p_partition, p_group, p_from, least(p_to, v_until), null, p_error) d
        where (p_partition_id is null or d.partition_id = p_partition_id)
          and (p_transaction_id is null or d.transaction_id = p_transaction_id)
        order by d.partition_id, d.consumer_group, d.seq
        limit p_limit
    ) d;
    if v_letters is null then
        return;
    end if;

    perform from queen.partitions p where p.id = any (v_partitions) order by p.id for no key update;
    -- A group without a cursor here that begins behind the message needs one, where its first pop would put it.
    insert into queen.partition_consumers (partition_id, consumer_group, cursor)
    select d.partition_id, d.consumer_group, s.start
    from (
        select d.partition_id, d.consumer_group, min(d.seq) as first
        from queen.dead_letters d
        where d.id = any (v_letters)
        group by d.partition_id, d.consumer_group
    ) d
    join queen.partitions p on p.id = d.partition_id
    join queen.queues q on q.id = p.queue_id
    cross join lateral (select queen.subscribed_from_v1(d.consumer_group, q.name, p.name) as start_at) u
    cross join lateral (select case when u.start_at is null then 0 else queen.seq_before(p.id, u.start_at) end as start) s
    where s.start >= d.first
    order by d.partition_id, d.consumer_group
    on conflict do nothing;
    if found then
        perform queen.recount_room_v1(v_partitions);
    end if;
    perform
    from queen.partition_consumers c
    where (c.partition_id, c.consumer_group) in (select * from unnest(v_partitions, v_groups))
    order by c.partition_id, c.consumer_group
    for update;

    -- In a statement of its own after the locks: it sees what another redrive took whom we waited for.
    return query
    with letter as materialized (
        delete from queen.dead_letters d
        where d.id = any (v_letters)
        returning d.partition_id, d.consumer_group, d.seq
    ), found as materialized (
        select l.partition_id, l.consumer_group, l.seq, m.id
        from letter l
        left join queen.messages m on m.partition_id = l.partition_id and m.seq = l.seq
    ), waiting as (
        insert into queen.redriven (partition_id, consumer_group, seq)
        select f.partition_id, f.consumer_group, f.seq
        from found f
        join queen.partition_consumers c on c.partition_id = f.partition_id and c.consumer_group = f.consumer_group
        where f.id is not null and c.cursor >= f.seq
        on conflict do nothing
        returning queen.redriven.partition_id, queen.redriven.consumer_group
    ), counted as (
        update queen.partition_consumers c
        set redriven = c.redriven + w.n
        from (select w.partition_id, w.consumer_group, count(*) as n from waiting w group by 1, 2) w
        where c.partition_id = w.partition_id and c.consumer_group = w.consumer_group
    ), logged as (
        insert into queen.push_log (queue_id, partition_ids)
        select p.queue_id, array_agg(p.id)
        from queen.partitions p
        where p.id in (select w.partition_id from waiting w)
        group by p.queue_id
    )
    select f.partition_id, q.name, p.name, f.consumer_group, count(f.id)::integer, (count(*) - count(f.id))::integer,
           (array_agg(f.id order by f.seq desc) filter (where f.id is not null))[1], v_until
    from found f
    join queen.partitions p on p.id = f.partition_id
    join queen.queues q on q.id = p.queue_id
    group by f.partition_id, q.name, p.name, f.consumer_group
    order by f.partition_id, f.consumer_group;
end
$$;

-- redrive_copies_v1(filters, limit, error) → one row per partition that got messages
-- Gives dead letters another chance in all groups: each message is pushed again to the end of its partition, and its
-- dead letters, of all groups, are dropped. Messages of one partition keep their order among themselves. The message that failed stays
-- where it is, consumed; the copy has an id of its own and its transaction id is `<transaction id>~<message id>`, so that
-- it is no duplicate, now or when it fails and is redriven again. Every group gets the copy.
--
-- Takes  p_partition_id, p_transaction_id  one message, or nulls and the filters of matching_dead_letters_v1
--        p_until   nothing that failed later: null at the first call, then what that gave, or a consumer that fails what
--                  it is given would keep the redrive going forever
--        p_limit   messages at most; less were redriven when nothing is left
-- Gives  as redrive_messages_v1, one row per partition: consumer_group is null and message_id that of the last copy.
-- Locks  the partitions in id order, then does what push_list_v1 does. Two at once redrive no message twice.
create or replace function queen.redrive_copies_v1(
    p_queue text, p_partition text, p_group text, p_from timestamptz, p_to timestamptz,
    p_partition_id uuid, p_transaction_id text, p_until timestamptz, p_limit integer, p_error text default null)
returns table (
    partition_id   uuid,
    queue_name     text,
    partition_name text,
    consumer_group text,
    redriven       integer,
    gone           integer,
    message_id     uuid,
    until          timestamptz
)
language plpgsql
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
    v_until timestamptz := coalesce(p_until, clock_timestamp());
    v_ids   uuid[];
    v_seqs  bigint[];
begin
    select array_agg(d.partition_id order by d.partition_id, d.seq), array_agg(d.seq order by d.partition_id, d.seq)
    into v_ids, v_seqs
    from (
        select distinct d.partition_id, d.seq
        from queen.matching_dead_letters_v1(
            p_queue, p_partition, p_group, p_from, least(p_to, v_until), null, p_error) d
        join queen.messages m on m.partition_id = d.partition_id and m.seq = d.seq
        where (p_partition_id is null or d.partition_id = p_partition_id)
          and (p_transaction_id is null or d.transaction_id = p_transaction_id)
        order by d.partition_id, d.seq
        limit p_limit
    ) d;

    -- In a statement of its own after the lock: it sees what another redrive took whom we waited for.
    perform from queen.partitions p where p.id = any (v_ids) order by p.id for no key update;
    with dropped as (
        delete from queen.dead_letters d
        using unnest(v_ids, v_seqs) f (partition_id, seq)
        where d.partition_id = f.partition_id and d.seq = f.seq
        returning d.partition_id, d.seq
    )
    select array_agg(d.partition_id order by d.partition_id, d.seq), array_agg(d.seq order by d.partition_id, d.seq)
    into v_ids, v_seqs
    from (select distinct d.partition_id, d.seq from dropped d) d;
    if v_ids is null then
        return;
    end if;

    return query
    with copy as materialized (
        select m.partition_id, m.seq, queen.uuid_v7() as id, m.transaction_id, m.payload, m.trace_id, m.is_encrypted,
               m.producer_sub, m.headers, dense_rank() over (order by m.partition_id)::integer as partition_nr,
               row_number() over (partition by m.partition_id order by m.seq)::integer as nth
        from unnest(v_ids, v_seqs) f (partition_id, seq)
        join queen.messages m on m.partition_id = f.partition_id and m.seq = f.seq
    ), target as materialized (
        select c.partition_id, count(*)::integer as n, (array_agg(c.id order by c.seq desc))[1] as last_id
        from copy c
        group by c.partition_id
    ), pushed as materialized (
        select queen.push_list_v1(
            (select array_agg(l.partition_id order by l.partition_id) from target l),
            (select array_agg(l.n order by l.partition_id) from target l),
            array_agg(c.partition_nr order by c.partition_nr, c.nth), array_agg(c.nth order by c.partition_nr, c.nth),
            array_agg(left(regexp_replace(c.transaction_id, '~[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', ''), 218)
                || '~' || c.id order by c.partition_nr, c.nth),
            array_agg(c.id order by c.partition_nr, c.nth), array_agg(c.payload order by c.partition_nr, c.nth),
            array_agg(c.trace_id order by c.partition_nr, c.nth), array_agg(c.is_encrypted order by c.partition_nr, c.nth),
            array_agg(c.producer_sub order by c.partition_nr, c.nth), array_agg(c.headers order by c.partition_nr, c.nth),
            null) as done
        from copy c
    )
    select l.partition_id, q.name, p.name, null::text, l.n, 0, l.last_id, v_until
    from pushed u
    cross join target l
    join queen.partitions p on p.id = l.partition_id
    join queen.queues q on q.id = p.queue_id
    where not (u.done).missing
    order by l.partition_id;
end
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- Redriven messages
-- ---------------------------------------------------------------------------------------------------------------------
-- Messages that a group gets again after it gave them up. A redrive takes a dead letter of the group, and the message,
-- which is still where it was, waits in queen.redriven for that group alone: no other group sees it, its id, transaction
-- id and payload are what they were, and the group's cursor stays where it is (only a seek moves one back).
--
-- Its place of order: before everything the group has not been given yet, among its like by sequence number. What the
-- group consumed since it failed stays consumed. It is delivered in a batch of its own, never together with messages
-- after the cursor, so a lease is of one kind: one that ends at or before the cursor is for redriven messages, and
-- holds the rows that carry its id.
--
--   the message is                       row in redriven    row.lease_id          dead letter
--   dead for the group                   none               -                     yes
--   waiting to be delivered again        yes                null, or of no lease  none
--   being processed                      yes                the group's lease     none
--   done: acked, auto-acked, sought past none               -                     none
--
--   event                                from → to
--   redrive                              dead → waiting; not yet passed by the cursor: → comes in its turn
--   pop                                  waiting → being processed; with autoAck → done
--   ack completed                        being processed → done, and what the lease holds before it
--   ack failed, retries left; retry      being processed → waiting, and all that the lease holds; the lease ends
--   ack failed, no retries left; dlq     being processed → dead; what the lease holds before it → done
--   release, lease expired               being processed → waiting
--   ack without a lease                  waiting → done or dead, this message alone; failed and retry leave it waiting
--   ack with a lease that does not hold it   no change: it was done under that lease
--   dead-lettered by hand                waiting, being processed → dead
--   seek, the group deleted              waiting, being processed → done (what lies after the new cursor comes in its turn)
--   the message removed                  gone with it. Retention of completed messages leaves it alone while it waits
--
-- Retries are counted per message, from 0 at each redrive, and do not touch the counter of the batch after the cursor. The
-- retry delay of the queue holds; window and delayed processing do not: the message has waited before.
--
-- partition_consumers.redriven counts the rows, so that who has none pays nothing. Rows and count change together, under
-- the lock of that row. A message may be removed while somebody holds the lock: then the count is too high until the
-- next pop that finds nothing.

-- redriven_left_v1(partition, group, place, waiting) → place, waiting
-- Looks whether any of a group's redriven messages is still stored; when none is, drops the rows and the count. The caller
-- holds the lock of the row at `place`, and goes on with the place that this gives.
create or replace function queen.redriven_left_v1(p_partition_id uuid, p_consumer_group text, inout place tid, inout waiting integer)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
begin
    perform
    from queen.redriven r
    cross join lateral (
        select from queen.messages m where m.partition_id = r.partition_id and m.seq = r.seq limit 1
    ) m
    where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group
    limit 1;
    if not found then
        delete from queen.redriven r where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group;
        update queen.partition_consumers k set redriven = 0
        where k.partition_id = p_partition_id and k.consumer_group = p_consumer_group
        returning k.ctid, k.redriven into place, waiting;
    end if;
end
$$;

-- take_redriven_v1(partition, group, lease, batch, bytes) → seqs, retry_count
-- Takes the first p_batch redriven messages of a group, up to so many payload bytes (the first always; null is no limit):
-- under the lease, or without one for good. The caller holds the lock of the group's row and writes its lease and count.
--
-- Gives  seqs         in order; null when their messages have just been removed
--        retry_count  of the one that failed most often since it was redriven
-- The rows are read in the order of their key, as many as are taken: sorting is not allowed, because right after a large
-- redrive PostgreSQL knows nothing of the table yet and would read all of it.
create or replace function queen.take_redriven_v1(
    p_partition_id uuid, p_consumer_group text, p_lease_id uuid, p_batch bigint, p_bytes bigint,
    out seqs bigint[], out retry_count integer)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
begin
    select array_agg(t.seq order by t.seq), max(t.retry_count)
    into seqs, retry_count
    from (
        select t.seq, t.retry_count, sum(t.size) over (order by t.seq rows unbounded preceding) - t.size as before
        from (
            select r.seq, r.retry_count, octet_length(m.payload) + coalesce(octet_length(m.headers), 0) as size
            from queen.redriven r
            cross join lateral (
                select m.payload, m.headers from queen.messages m
                where m.partition_id = r.partition_id and m.seq = r.seq limit 1
            ) m
            where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group
            order by r.seq
            limit p_batch
        ) t
    ) t
    where (t.before < p_bytes) is not false;

    if p_lease_id is null then
        delete from queen.redriven r
        where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group
          and r.seq >= seqs[1] and r.seq <= seqs[cardinality(seqs)] and r.seq = any (seqs);
    else
        update queen.redriven r set lease_id = p_lease_id
        where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group
          and r.seq >= seqs[1] and r.seq <= seqs[cardinality(seqs)] and r.seq = any (seqs);
    end if;
end
$$;

-- ack_redriven_v1(message, lease given, lease held, status, late, retry limit, error) → verdict, done, failures
-- One ack of a message that the group's cursor has passed. For ack_list_v1, which holds the lock of the group's row.
--
-- Takes  p_lease_id  what the ack names, null for none; p_held what the row says
--        p_late      an ack of this list before it has ended the lease
-- Gives  verdict     null: the ack has nothing to do here. completed, dead, failed or retry (the lease is to end), waits
--                    (nothing changed), late (to be refused)
--        done        rows removed
--        failures    its failed deliveries since it was redriven, with this one
create or replace function queen.ack_redriven_v1(
    p_partition_id uuid, p_consumer_group text, p_seq bigint, p_lease_id uuid, p_held uuid, p_status text, p_late boolean,
    p_retry_limit integer, p_error text, out verdict text, out done integer,
    out failures integer)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
declare
    v_lease_id uuid;
begin
    done := 0;
    select r.lease_id, r.retry_count into v_lease_id, failures
    from queen.redriven r
    where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group and r.seq = p_seq;
    if not found or (p_lease_id is not null and p_lease_id is distinct from v_lease_id) then
        return;
    elsif p_late then
        verdict := 'late';
    elsif p_status = 'retry' or (p_status = 'failed' and failures < p_retry_limit) then
        if v_lease_id = p_held then
            verdict := p_status;
            failures := failures + (p_status = 'failed')::integer;
            update queen.redriven r set lease_id = null, retry_count = failures
            where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group and r.seq = p_seq;
        else
            verdict := 'waits';
        end if;
    else
        verdict := case when p_status = 'completed' then 'completed' else 'dead' end;
        delete from queen.redriven r
        where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group
          and (r.seq = p_seq or (r.seq < p_seq and r.lease_id = p_held and v_lease_id = p_held));
        get diagnostics done = row_count;
        if verdict = 'dead' then
            insert into queen.dead_letters
                (partition_id, consumer_group, seq, message_id, transaction_id, error_message, retry_count, failed_at)
            select m.partition_id, p_consumer_group, m.seq, m.id, m.transaction_id,
                   coalesce(nullif(p_error, ''), 'Message processing failed'), failures, clock_timestamp()
            from queen.messages m
            where m.partition_id = p_partition_id and m.seq = p_seq
            on conflict do nothing;
        end if;
    end if;
end
$$;

-- holds_redriven_v1(partition, group, lease, upto) → whether the lease holds a redriven message up to there
create or replace function queen.holds_redriven_v1(p_partition_id uuid, p_consumer_group text, p_lease_id uuid, p_upto bigint)
returns boolean
language sql stable
as $$
    select exists (
        select from queen.redriven r
        where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group and r.seq <= p_upto
          and r.lease_id = p_lease_id)
$$;

-- settle_redriven_v1(partition, after, upto) → nothing
-- Messages after p_after up to p_upto were removed, or their redriven rows: drops the rows of those that are gone, counts
-- anew, and ends a lease that holds none any more. What is left is news when a lease ended.
-- Locks  rows of partition_consumers in key order, skipping those that others hold: their count is corrected later.
create or replace function queen.settle_redriven_v1(p_partition_id uuid, p_after bigint, p_upto bigint) returns void
language plpgsql
as $$
declare
    v_group record;
    v_freed boolean := false;
begin
    for v_group in
        select c.consumer_group, c.lease_id, c.lease_last_seq, coalesce(c.lease_last_seq <= c.cursor, false) as again
        from queen.partition_consumers c
        where c.partition_id = p_partition_id and c.redriven > 0
        order by c.consumer_group
        for update skip locked
    loop
        delete from queen.redriven r
        where r.partition_id = p_partition_id and r.consumer_group = v_group.consumer_group
          and r.seq > p_after and r.seq <= p_upto
          and not exists (select from queen.messages m where m.partition_id = r.partition_id and m.seq = r.seq);
        v_group.again := v_group.again and not queen.holds_redriven_v1(
            p_partition_id, v_group.consumer_group, v_group.lease_id, v_group.lease_last_seq);
        update queen.partition_consumers c
        set redriven = (
                select count(*) from queen.redriven r
                where r.partition_id = p_partition_id and r.consumer_group = v_group.consumer_group),
            lease_id = case when v_group.again then null else c.lease_id end,
            lease_expires_at = case when v_group.again then null else c.lease_expires_at end,
            lease_last_seq = case when v_group.again then null else c.lease_last_seq end
        where c.partition_id = p_partition_id and c.consumer_group = v_group.consumer_group;
        v_freed := v_freed or v_group.again;
    end loop;
    if v_freed then
        insert into queen.push_log (queue_id, partition_ids)
        select p.queue_id, array[p.id] from queen.partitions p where p.id = p_partition_id;
    end if;
end
$$;

-- How many messages partitions and queues hold, and how far groups are behind, without counting messages.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- ---------------------------------------------------------------------------------------------------------------------
-- Public SQL interface: applications call what follows. Names, arguments and answers stay.
-- ---------------------------------------------------------------------------------------------------------------------

-- queue_lag_v1(queue, group) → JSON text
-- How far a group is behind on a queue, for who decides how many consumers to run. One question, however many
-- partitions: a look at each partition's head and the group's cursor, and at the oldest message of those behind.
--
--   select queen.queue_lag_v1('orders', 'billing');
--
-- Gives  {"queue", "consumerGroup", "lagMessages", "lagSeconds", "lagPartitions"}
--        lagMessages    messages after the group's cursors: waiting, delayed, or leased and not acknowledged yet; and redriven
--                       ones.
--                       Counted by sequence numbers: messages deleted one by one in between still count
--        lagSeconds     age of the oldest of them, counted from its deliver_at if it has one
--        lagPartitions  partitions that have some: more consumers than that would find nothing to lease
--        A group that was never seen starts where its subscription says, else at the beginning, as its first pop would.
--        A queue that does not exist has no lag: who scales consumers asks before the first push.
-- No lock is taken.
create or replace function queen.queue_lag_v1(p_queue_name text, p_consumer_group text) returns text
language sql stable
as $$
    with place as (
        select p.id, p.head, p.tail, coalesce(c.redriven, 0) as redriven,
               coalesce(c.cursor, case when s.start is null then 0 else queen.seq_before(p.id, s.start) end) as cursor
        from queen.queues q
        join queen.partitions p on p.queue_id = q.id
        left join queen.partition_consumers c on c.partition_id = p.id and c.consumer_group = p_consumer_group
        left join lateral (
            select u.subscription_timestamp as start
            from queen.subscriptions u
            where c.partition_id is null and p_consumer_group <> '__QUEUE_MODE__'
              and u.queue_name = p_queue_name and u.consumer_group = p_consumer_group
              and u.partition_name in (p.name, '')
            order by u.partition_name desc
            limit 1
        ) s on true
        where q.name = p_queue_name and p.head > p.tail
    ), behind as (
        select l.head - greatest(l.cursor, l.tail) + l.redriven as messages, m.created_at
        from place l
        left join lateral (
            select greatest(m.created_at, m.deliver_at) as created_at
            from queen.messages m
            where m.partition_id = l.id
              and m.seq > queen.before_waiting_v1(l.id, p_consumer_group, greatest(l.cursor, l.tail), l.redriven)
            order by m.seq
            limit 1
        ) m on true
        where l.head > greatest(l.cursor, l.tail) or l.redriven > 0
    )
    select json_build_object(
        'queue', p_queue_name,
        'consumerGroup', p_consumer_group,
        'lagMessages', coalesce(sum(b.messages), 0),
        'lagSeconds', coalesce(floor(extract(epoch from greatest(now() - min(b.created_at), interval '0')))::bigint, 0),
        'lagPartitions', count(*))::text
    from behind b
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- The server's own: what follows may change with every release.
-- ---------------------------------------------------------------------------------------------------------------------

-- queue_depths_v1(queues) → the counters of each queue
-- Sums of partition_depths_v1, and the number of messages that are dead letters of any group. A queue without partitions
-- has a row of zeros.
create or replace function queen.queue_depths_v1(p_queue_ids uuid[])
returns table (
    queue_id    uuid,
    partitions  bigint,
    total       bigint,
    pending     bigint,
    processing  bigint,
    dead_letter bigint,
    estimated   boolean
)
language sql stable
as $$
    select q.id, coalesce(d.partitions, 0), coalesce(d.total, 0), coalesce(d.pending, 0), coalesce(d.processing, 0),
           coalesce(l.n, 0), coalesce(d.estimated, false)
    from unnest(p_queue_ids) q (id)
    left join (
        select d.queue_id, count(*) as partitions, sum(d.total)::bigint as total, sum(d.pending)::bigint as pending,
               sum(d.processing)::bigint as processing, bool_or(d.estimated) as estimated
        from queen.partition_depths_v1(p_queue_ids, null) d
        group by d.queue_id
    ) d on d.queue_id = q.id
    left join (
        select p.queue_id, count(*) as n
        from (select distinct d.partition_id, d.seq from queen.dead_letters d) d
        join queen.partitions p on p.id = d.partition_id
        where p.queue_id = any (p_queue_ids)
        group by p.queue_id
    ) l on l.queue_id = q.id
$$;

-- message_counts_v1(total, pending, processing, dead letters, estimated) → JSON
-- The counters of a partition, a queue or all of them, as every answer writes them. failed is always 0: a failed message
-- is pending again or a dead letter. A dead letter was passed, so it counts as completed too. estimated: pending may be
-- too high (counted_depth_v1).
create or replace function queen.message_counts_v1(
    p_total bigint, p_pending bigint, p_processing bigint, p_dead_letter bigint, p_estimated boolean) returns json
language sql immutable
as $$
    select json_build_object(
        'total', p_total, 'pending', p_pending, 'processing', p_processing,
        'completed', p_total - p_pending - p_processing, 'failed', 0, 'deadLetter', p_dead_letter,
        'estimated', p_estimated)
$$;

-- partition_depths_v1(queues, partitions) → total, pending, processing of each partition
-- Without counting: total = head - removed, and what is not consumed = head - cursor. Only partitions with gaps are
-- counted, see counted_depth_v1. Costs one pass over the partitions and their groups; callers that look at whole queues
-- set work_mem so that 100,000 partitions are joined by hashing, which halves it.
--
-- Takes  p_queue_ids      the queues to look at
--        p_partition_ids  only these of their partitions; null for all
-- Gives  total       messages stored
--        pending     neither consumed nor delivered, or redriven and to be delivered again. The cursor that counts is
--                    that of __QUEUE_MODE__; without one the slowest group's, because a message is done when all groups
--                    have passed it; without any group everything is pending
--        processing  delivered under a live lease and not yet acknowledged; without __QUEUE_MODE__ those of the group
--                    that holds most
--        estimated   pending may be too high
create or replace function queen.partition_depths_v1(p_queue_ids uuid[], p_partition_ids uuid[])
returns table (
    partition_id uuid,
    queue_id     uuid,
    total        bigint,
    pending      bigint,
    processing   bigint,
    estimated    boolean
)
language sql stable
as $$
    select d.id, d.queue_id, d.head - d.removed,
           greatest(coalesce(d.counted[1], d.after) - coalesce(d.counted[2], d.held), 0)
               + coalesce(d.again[1] - d.again[2], 0),
           coalesce(d.counted[2], d.held) + coalesce(d.again[2], 0), coalesce(d.counted[3] = 1, false)
    from (
        select p.id, p.queue_id, p.head, p.removed,
               p.head - greatest(
                   coalesce(max(c.cursor) filter (where c.consumer_group = '__QUEUE_MODE__'), min(c.cursor), 0), p.tail) as after,
               coalesce(case when bool_or(c.consumer_group = '__QUEUE_MODE__')
                   then max(c.lease_last_seq - greatest(c.cursor, p.tail)) filter (
                       where c.consumer_group = '__QUEUE_MODE__' and c.lease_expires_at > now()
                         and c.lease_last_seq > greatest(c.cursor, p.tail))
                   else max(c.lease_last_seq - greatest(c.cursor, p.tail)) filter (
                       where c.lease_expires_at > now() and c.lease_last_seq > greatest(c.cursor, p.tail))
                   end, 0) as held,
               case when max(c.redriven) > 0 then queen.redriven_depth_v1(
                   p.id, bool_or(c.consumer_group = '__QUEUE_MODE__'),
                   coalesce(max(c.cursor) filter (where c.consumer_group = '__QUEUE_MODE__'), min(c.cursor))) end as again,
               case when p.removed <> p.tail then queen.counted_depth_v1(p.id) end as counted
        from queen.partitions p
        left join queen.partition_consumers c on c.partition_id = p.id
        where p.queue_id = any (p_queue_ids) and (p_partition_ids is null or p.id = any (p_partition_ids))
        group by p.id
    ) d
$$;

-- counted_depth_v1(partition) → array of: after the cursor, held under a lease, 1 when estimated
-- The depth of a partition from whose middle messages were removed, one by one: head - cursor would count the gaps too.
-- Counts messages of the primary key, on the shorter side of the cursor. When there are more than 100,000 on both sides
-- it gives head - cursor, which is too high by the gaps after the cursor, and says so: estimated.
create or replace function queen.counted_depth_v1(p_partition_id uuid) returns bigint[]
language plpgsql stable
as $$
declare
    c_most   constant bigint := 100000;
    v_head   bigint;
    v_tail   bigint;
    v_stored bigint;
    v_cursor bigint;
    v_queue  boolean;
    v_after  bigint;
    v_held   bigint;
begin
    select p.head, p.tail, p.head - p.removed,
           greatest(coalesce(max(c.cursor) filter (where c.consumer_group = '__QUEUE_MODE__'), min(c.cursor), 0), p.tail),
           coalesce(bool_or(c.consumer_group = '__QUEUE_MODE__'), false)
    into v_head, v_tail, v_stored, v_cursor, v_queue
    from queen.partitions p
    left join queen.partition_consumers c on c.partition_id = p.id
    where p.id = p_partition_id
    group by p.id;

    select coalesce(max(n.held), 0) into v_held
    from queen.partition_consumers c
    cross join lateral (
        select count(*) as held
        from queen.messages m
        where m.partition_id = c.partition_id and m.seq > greatest(c.cursor, v_tail) and m.seq <= c.lease_last_seq
    ) n
    where c.partition_id = p_partition_id and c.lease_expires_at > now()
      and (c.consumer_group = '__QUEUE_MODE__') = v_queue;

    if v_cursor <= v_tail then
        v_after := v_stored;
    elsif v_head - v_cursor <= c_most then
        select count(*) into v_after from queen.messages m where m.partition_id = p_partition_id and m.seq > v_cursor;
    elsif v_cursor - v_tail <= c_most then
        select v_stored - count(*) into v_after
        from queen.messages m where m.partition_id = p_partition_id and m.seq <= v_cursor;
    else
        return array[least(v_head - v_cursor, v_stored), v_held, 1];
    end if;
    return array[v_after, v_held, 0];
end
$$;

-- redriven_depth_v1(partition, queue mode, cursor) → array of: redriven messages up to the cursor, of which under a live lease
-- Of __QUEUE_MODE__ or, without that, of all groups; a message that several groups get again counts once.
create or replace function queen.redriven_depth_v1(p_partition_id uuid, p_queue_mode boolean, p_cursor bigint) returns bigint[]
language sql stable
as $$
    select array[count(distinct r.seq), count(distinct r.seq) filter (where c.lease_expires_at > now())]
    from queen.redriven r
    left join queen.partition_consumers c
        on c.partition_id = r.partition_id and c.consumer_group = r.consumer_group and c.lease_id = r.lease_id
    where r.partition_id = p_partition_id and r.seq <= p_cursor
      and (not p_queue_mode or r.consumer_group = '__QUEUE_MODE__')
$$;

-- before_waiting_v1(partition, group, position, redriven) → sequence number
-- Nothing up to here waits for the group: its position, or less when some of the messages before were redriven for it.
create or replace function queen.before_waiting_v1(p_partition_id uuid, p_consumer_group text, p_position bigint, p_redriven integer)
returns bigint
language sql stable
as $$
    select case when p_redriven > 0 then least(p_position, (
        select min(r.seq) - 1 from queen.redriven r
        where r.partition_id = p_partition_id and r.consumer_group = p_consumer_group)) else p_position end
$$;

-- The re-encryption of stored payloads. The keys are in the servers: the database gives payloads out and takes them back.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- stale_payloads_v1(queue, partition, seq, newest, limit, bytes) → messages
-- The next portion of a walk over the messages of a queue, in the order of partition names and sequence numbers: those that
-- are encrypted, but not with the newest key and format. What dead letters show are these messages too.
--
-- Takes  p_partition, p_seq  go on after this message; nulls to begin
--        p_newest            how a payload begins that needs nothing
--        p_limit             messages to look at, at most; p_bytes are about the most bytes of payloads to give
-- Gives  the messages, and a last row without payload when the walk is not over: where the next call goes on.
-- Locks  nothing.
create or replace function queen.stale_payloads_v1(
    p_queue text, p_partition text, p_seq bigint, p_newest text, p_limit integer, p_bytes bigint)
returns table (partition_id uuid, partition_name text, seq bigint, transaction_id text, payload text)
language plpgsql stable
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
    c_partitions constant integer := 1000;
    v_partitions integer := 0;
    v_looked     integer := 0;
    v_bytes      bigint := 0;
    v_full       boolean := false;
    v_name       text;
    v_seq        bigint;
    v_partition  record;
    v_message    record;
begin
    <<portion>>
    for v_partition in
        select p.id, p.name
        from queen.partitions p
        where p.queue_id = (select q.id from queen.queues q where q.name = p_queue) and p.name >= coalesce(p_partition, '')
        order by p.name
        limit c_partitions
    loop
        v_partitions := v_partitions + 1;
        for v_message in
            select m.seq, m.transaction_id, m.payload,
                   m.is_encrypted and substr(m.payload, 1, length(p_newest)) <> p_newest as stale
            from queen.messages m
            where m.partition_id = v_partition.id and m.seq > case when v_partition.name = p_partition then p_seq else 0 end
            order by m.seq
            limit p_limit - v_looked
        loop
            v_full := v_full or (v_message.stale and v_bytes >= p_bytes);
            exit portion when v_full;
            if v_message.stale then
                v_bytes := v_bytes + octet_length(v_message.payload);
                partition_id := v_partition.id;
                partition_name := v_partition.name;
                seq := v_message.seq;
                transaction_id := v_message.transaction_id;
                payload := v_message.payload;
                return next;
            end if;
            v_looked := v_looked + 1;
            v_name := v_partition.name;
            v_seq := v_message.seq;
        end loop;
        v_full := v_looked >= p_limit;
        exit portion when v_full;
        v_name := v_partition.name;
        v_seq := 9223372036854775807;
    end loop;
    if v_full or v_partitions = c_partitions then
        partition_id := null;
        partition_name := v_name;
        seq := v_seq;
        transaction_id := null;
        payload := null;
        return next;
    end if;
end
$$;

-- replace_payloads_v1(partitions, seqs, payloads) → number of messages that have the new payload now
-- Stores payloads that were encrypted anew. A message that is gone, or that another transaction holds (it is being removed,
-- or encrypted anew by another call), is passed over.
-- Locks  the messages, waiting for none: a removal waits for this short transaction at most, and nothing waits in a circle.
create or replace function queen.replace_payloads_v1(p_partition_ids uuid[], p_seqs bigint[], p_payloads text[])
returns bigint
language sql
as $$
    with held as materialized (
        select m.partition_id, m.seq, f.payload
        from unnest(p_partition_ids, p_seqs, p_payloads) f (partition_id, seq, payload)
        join queen.messages m on m.partition_id = f.partition_id and m.seq = f.seq
        where m.is_encrypted
        for no key update of m skip locked
    ), replaced as (
        update queen.messages m set payload = h.payload
        from held h
        where m.partition_id = h.partition_id and m.seq = h.seq
        returning 1
    )
    select count(*) from replaced
$$;

-- Consumer groups: listed and described, moved by a seek, deleted.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- list_groups_v1(limit, offset, visible) → JSON array
-- One element per group and queue, by group, then queue: see group_page_v1.
--   members     partitions with a cursor of the group
--   maxTimeLag  seconds since the last push to the partition that was left unread longest; lagSeconds is the same
--   consumers   how many were seen lately
create or replace function queen.list_groups_v1(p_limit integer, p_offset integer, p_visible text[] default null) returns text
language sql stable
set jit = off
as $$
    select coalesce(json_agg(json_build_object(
        'name', w.consumer_group,
        'topics', json_build_array(w.queue_name),
        'queueName', w.queue_name,
        'queue', w.queue_name,
        'members', w.members,
        'partitions', w.partitions,
        'partitionsWithLag', w.with_lag,
        'totalLag', null,
        'lagMessages', w.lag,
        'maxTimeLag', w.seconds,
        'lagSeconds', w.seconds,
        'state', w.state,
        'health', w.health,
        'paused', w.paused,
        'leases', w.leases,
        'waiting', w.waiting,
        'consumers', cardinality(w.holders),
        'subscriptionMode', s.subscription_mode,
        'subscriptionTimestamp', queen.iso_time(s.subscription_timestamp),
        'subscriptionCreatedAt', queen.iso_time(s.created_at)
    ) order by w.consumer_group, w.queue_name), '[]'::json)::text
    from queen.group_page_v1(null, p_limit, p_offset, p_visible) w
    left join queen.subscriptions s
        on s.queue_name = w.queue_name and s.consumer_group = w.consumer_group and s.partition_name = ''
$$;

-- describe_group_v1(group, limit, offset, visible) → JSON object by queue
-- The partitions of the queues that a group knows, by queue and partition name. '{}' for a group nobody knows. The page
-- counts partitions over all queues; `total` of a queue is how many it has.
--   offsetLag       unread and redriven messages; too high by those that were removed one by one after the cursor
--   timeLagSeconds  age of the oldest unread message, counted from its deliver_at if it has one, 0 for none
--   waitsUntil      when that message may be delivered, null when it may be now
--   cursor          null where the group has none yet
--   leaseHolder     who holds the lease: the address, and the name it gave; workerId is the name, else the address
-- Beside the partitions of a queue stands how the group fares there, see group_page_v1.
-- Costs the look at the group's queues and a few look-ups of keys per partition of the page.
create or replace function queen.describe_group_v1(
    p_consumer_group text, p_limit integer, p_offset integer, p_visible text[] default null) returns text
language sql stable
set jit = off
as $$
    with queue as (
        select k.*, sum(k.partitions) over (order by k.queue_name) - k.partitions as before
        from queen.group_page_v1(p_consumer_group, null, 0, p_visible) k
    ), place as (
        select q.queue_name, q.partitions, q.state, q.health, q.paused, q.leases, q.waiting, q.holders, p.*
        from queue q
        cross join lateral (
            select p.id, p.name, p.head, p.tail
            from queen.partitions p
            where p.queue_id = q.queue_id
            order by p.name
            limit greatest(p_limit + p_offset::bigint - q.before, 0)
            offset greatest(p_offset - q.before, 0)
        ) p
        where q.before < p_offset::bigint + p_limit and q.before + q.partitions > p_offset
        order by q.queue_name, p.name
        limit p_limit
    ), standing as (
        select p.*, c.cursor, coalesce(c.redriven, 0) as redriven, c.total_consumed, c.last_consumed_at,
               case when c.lease_expires_at > now() then c.lease_expires_at end as leased_until,
               case when c.lease_expires_at > now() then queen.holder_v1(c.leased_by) end as holder,
               greatest(p.tail, case
                   when c.cursor is not null then c.cursor
                   when s.start_at is not null then queen.seq_before(p.id, s.start_at) end) as position
        from place p
        left join queen.partition_consumers c on c.partition_id = p.id and c.consumer_group = p_consumer_group
        cross join lateral (
            select case when c.cursor is null then queen.subscribed_from_v1(p_consumer_group, p.queue_name, p.name) end
                as start_at
        ) s
    ), described as (
        select s.queue_name, json_build_object(
            'total', min(s.partitions),
            'state', min(s.state),
            'health', min(s.health),
            'paused', bool_or(s.paused),
            'leases', min(s.leases),
            'waiting', min(s.waiting),
            'consumers', queen.holders_v1(min(s.holders)),
            'partitions', json_agg(json_build_object(
                'partition', s.name,
                'partitionId', s.id,
                'workerId', coalesce(s.holder ->> 'name', s.holder ->> 'address'),
                'lastConsumedAt', queen.iso_time(s.last_consumed_at),
                'totalConsumed', coalesce(s.total_consumed, 0),
                'cursor', s.cursor,
                'offsetLag', s.head - s.position + s.redriven,
                'timeLagSeconds', greatest(coalesce(floor(extract(epoch from now() - o.due_at)), 0), 0)::bigint,
                'waitsUntil', case when o.due_at > now() then queen.iso_time(o.due_at) end,
                'leaseActive', s.leased_until is not null,
                'leaseExpiresAt', queen.iso_time(s.leased_until),
                'leaseRemainingMillis', floor(extract(epoch from s.leased_until - clock_timestamp()) * 1000)::bigint,
                'leaseHolder', s.holder
            ) order by s.name)) as content
        from standing s
        left join lateral (
            select greatest(m.created_at, m.deliver_at) as due_at
            from queen.messages m
            where m.partition_id = s.id
              and m.seq > queen.before_waiting_v1(s.id, p_consumer_group, s.position, s.redriven)
            order by m.seq
            limit 1
        ) o on true
        group by s.queue_name
    )
    select coalesce(json_object_agg(d.queue_name, d.content order by d.queue_name), '{}'::json)::text
    from described d
$$;

-- lagging_groups_v1(seconds, limit, offset, visible) → JSON array
-- The partitions whose oldest unread message could be had for more than so many seconds by a group, the oldest first, also where the
-- group has no cursor yet; a redriven message is unread again. offset_lag is too high by messages that were removed one by
-- one after the cursor.
-- Costs a pass over all cursors, and one look-up of a key per partition that has something unread.
create or replace function queen.lagging_groups_v1(
    p_seconds bigint, p_limit integer, p_offset integer, p_visible text[] default null) returns text
language sql stable
set jit = off
as $$
    with standing as (
        select c.consumer_group, p.queue_id, p.id, p.name, p.head, greatest(c.cursor, p.tail) as position,
               c.redriven, c.last_consumed_at
        from queen.partition_consumers c
        join queen.partitions p on p.id = c.partition_id
        where p.head > greatest(c.cursor, p.tail) or c.redriven > 0
        union all
        select k.consumer_group, k.queue_id, n.partition_id, n.partition_name, n.head,
               coalesce(n.position, queen.seq_before(n.partition_id, n.start_at)), 0, null
        from queen.known_queues_v1(null, p_visible) k
        cross join lateral queen.untouched_partitions_v1(k.consumer_group, k.queue_id) n
        where k.members < k.partitions and (n.position is null or n.head > n.position)
    ), behind as (
        select s.*, q.name as queue_name, m.created_at as oldest
        from standing s
        join queen.queues q on q.id = s.queue_id and (p_visible is null or queen.is_visible_v1(q.name, p_visible))
        cross join lateral (
            select greatest(m.created_at, m.deliver_at) as created_at
            from queen.messages m
            where m.partition_id = s.id and m.seq > queen.before_waiting_v1(s.id, s.consumer_group, s.position, s.redriven)
            order by m.seq
            limit 1
        ) m
        where m.created_at < now() - make_interval(secs => p_seconds)
        order by m.created_at, s.consumer_group, q.name, s.name
        limit p_limit offset p_offset
    )
    select coalesce(json_agg(json_build_object(
        'consumer_group', b.consumer_group,
        'queue_name', b.queue_name,
        'partition_name', b.name,
        'partition_id', b.id,
        'worker_id', null,
        'offset_lag', b.head - b.position + b.redriven,
        'time_lag_seconds', floor(extract(epoch from now() - b.oldest))::bigint,
        'lag_hours', round((extract(epoch from now() - b.oldest) / 3600)::numeric, 2),
        'oldest_unconsumed_at', queen.iso_time(b.oldest),
        'last_consumed_at', queen.iso_time(b.last_consumed_at)
    ) order by b.oldest, b.consumer_group, b.queue_name, b.name), '[]'::json)::text
    from behind b
$$;

-- group_page_v1(group, limit, offset, visible) → a group in its queues, or with null all groups
-- Where groups stand and how they fare, by group, then queue. Lag is head - cursor of each partition, never a count; where
-- the group has no cursor yet, what its subscription will give it counts too.
--
-- Gives  members     partitions with a cursor of the group, partitions those of the queue, with_lag those with something
--                    unread
--        lag         unread messages: too high by those that were removed one by one after a cursor, and a partition in
--                    which only a search would tell (see untouched_partitions_v1) counts as one
--        seconds     since the last push to the partition that was left unread longest; delayed messages count from their
--                    deliver_at
--        leases, waiting, holders   leases held now, pops that wait now, and consumers seen lately, on all servers
--        state       as published clients read it: a group that holds a lease or waits is never Dead
--        health      see group_health_v1; what the queue delays on purpose does not wait
-- A group of which nothing moved for five minutes has the oldest unread message looked up, in a hundred partitions at most.
-- Groups that have neither a cursor nor a subscription in a queue would get all of it: that is summed up once for all of
-- them, because callers can make up any number of names.
create or replace function queen.group_page_v1(
    p_consumer_group text, p_limit integer, p_offset integer, p_visible text[] default null)
returns table (
    consumer_group text,
    queue_id       uuid,
    queue_name     text,
    partitions     bigint,
    members        bigint,
    with_lag       bigint,
    lag            bigint,
    seconds        bigint,
    leases         bigint,
    waiting        bigint,
    holders        text[],
    paused         boolean,
    state          text,
    health         text
)
language sql stable
as $$
    with page as (
        select k.*, q.delayed_processing::bigint + q.window_buffer as delay,
               k.members = 0 and not exists (
                   select from queen.subscriptions s
                   where s.queue_name = k.queue_name and s.consumer_group = k.consumer_group) as fresh
        from queen.known_queues_v1(p_consumer_group, p_visible) k
        join queen.queues q on q.id = k.queue_id
        order by k.consumer_group, k.queue_name
        limit p_limit offset p_offset
    ), stored as (
        select p.queue_id, count(*) as with_lag, sum(p.head - p.tail) as lag,
               min(greatest(p.last_push_at, p.delayed_until)) as waiting_since
        from queen.partitions p
        where p.queue_id in (select k.queue_id from page k where k.fresh) and p.head > p.tail
        group by p.queue_id
    ), whole as (
        select k.consumer_group, k.queue_id, k.queue_name, k.members, k.partitions, k.consumed, k.leases, k.delay,
               floor(extract(epoch from now() - k.progressed_at))::bigint as still,
               k.with_lag + u.with_lag + coalesce(f.with_lag, 0) as with_lag,
               k.lag + coalesce(u.lag, f.lag, 0) as lag,
               greatest(coalesce(floor(extract(
                   epoch from now() - least(k.waiting_since, u.waiting_since, f.waiting_since))), 0), 0)::bigint as seconds,
               coalesce(floor(extract(epoch from now() - o.created_at)), 0)::bigint as oldest,
               h.waiting, h.holders,
               exists (
                   select from queen.pauses z
                   where z.queue_id = k.queue_id and z.consumer_group in (k.consumer_group, '')) as paused
        from page k
        -- What decides whether to look stands inside: as a condition of the join it would be asked after the look.
        cross join lateral (
            select count(*) as with_lag, sum(coalesce(n.head - n.position, 1)) as lag, min(n.waiting_since) as waiting_since
            from queen.untouched_partitions_v1(k.consumer_group, k.queue_id) n
            where k.members < k.partitions and not k.fresh and (n.position is null or n.head > n.position)
        ) u
        left join stored f on k.fresh and f.queue_id = k.queue_id
        cross join lateral (
            select min(m.created_at) as created_at
            from (
                select p.id, queen.before_waiting_v1(p.id, k.consumer_group, greatest(c.cursor, p.tail), c.redriven) as position
                from queen.partitions p
                cross join lateral (
                    -- A look-up each, not a join of all: a few are enough.
                    select c.cursor, c.redriven from queen.partition_consumers c
                    where c.partition_id = p.id and c.consumer_group = k.consumer_group
                    limit 1
                ) c
                where k.with_lag > 0 and k.progressed_at < now() - interval '5 minutes'
                  and p.queue_id = k.queue_id and (p.head > greatest(c.cursor, p.tail) or c.redriven > 0)
                limit 100
            ) b
            cross join lateral (
                select greatest(m.created_at, m.deliver_at) as created_at from queen.messages m
                where m.partition_id = b.id and m.seq > b.position
                order by m.seq
                limit 1
            ) m
        ) o
        cross join lateral queen.present_consumers_v1(k.consumer_group, k.queue_name) h
    )
    select w.consumer_group, w.queue_id, w.queue_name, w.partitions, w.members, w.with_lag, w.lag::bigint, w.seconds,
           w.leases, w.waiting, w.holders, w.paused,
           case
               when w.seconds > 300 then 'Lagging'
               when w.consumed > 0 or w.leases > 0 or w.waiting > 0 then 'Stable'
               else 'Dead'
           end,
           queen.group_health_v1(w.paused, w.leases, w.waiting, cardinality(w.holders), w.lag::bigint,
               greatest(w.seconds, w.oldest) - w.delay, w.still)
    from whole w
    order by w.consumer_group, w.queue_name
$$;

-- known_queues_v1(group, visible) → groups and their queues
-- Which queues of those that the caller may see (is_visible_v1) a group knows, by a cursor, a subscription, a pause or a consumer seen lately, and what it has read there;
-- null is all groups. One pass over the cursors and their partitions, whatever was pushed; no message is counted.
--
-- Gives  consumer_group, queue_id, queue_name
--        partitions     of the queue
--        members        those with a cursor of the group
--        with_lag       those of the members with something unread, lag the messages unread or redriven there (too high by
--                       those that were removed one by one after the cursor)
--        waiting_since  the oldest last push to one of those, or the last deliver_at there when that is later
--        consumed       messages ever
--        leases         that are held now
--        progressed_at  when a cursor last moved by an ack, or was made; null without one
create or replace function queen.known_queues_v1(p_consumer_group text, p_visible text[] default null)
returns table (
    consumer_group text,
    queue_id       uuid,
    queue_name     text,
    partitions     bigint,
    members        bigint,
    with_lag       bigint,
    lag            bigint,
    waiting_since  timestamptz,
    consumed       bigint,
    leases         bigint,
    progressed_at  timestamptz
)
language sql stable
as $$
    with cursors as (
        select c.consumer_group, p.queue_id, count(*) as members,
               count(*) filter (where p.head > greatest(c.cursor, p.tail) or c.redriven > 0) as with_lag,
               sum(p.head - greatest(c.cursor, p.tail) + c.redriven) as lag,
               min(greatest(p.last_push_at, p.delayed_until)) filter (
                   where p.head > greatest(c.cursor, p.tail) or c.redriven > 0) as waiting_since,
               sum(c.total_consumed) as consumed,
               count(*) filter (where c.lease_expires_at > now()) as leases,
               max(coalesce(c.progressed_at, c.created_at)) as progressed_at
        from queen.partition_consumers c
        join queen.partitions p on p.id = c.partition_id
        where p_consumer_group is null or c.consumer_group = p_consumer_group
        group by c.consumer_group, p.queue_id
    ), known as (
        select c.consumer_group, c.queue_id from cursors c
        union
        select s.consumer_group, q.id
        from queen.subscriptions s
        join queen.queues q on q.name = s.queue_name
        where p_consumer_group is null or s.consumer_group = p_consumer_group
        union
        select z.consumer_group, z.queue_id
        from queen.pauses z
        where z.consumer_group <> '' and (p_consumer_group is null or z.consumer_group = p_consumer_group)
        union
        select h.consumer_group, q.id
        from queen.consumers h
        join queen.queues q on q.name = h.queue_name
        where h.believed_until > now() and (p_consumer_group is null or h.consumer_group = p_consumer_group)
    ), size as (
        select p.queue_id, count(*) as partitions
        from queen.partitions p
        where p.queue_id in (select k.queue_id from known k)
        group by p.queue_id
    )
    select k.consumer_group, k.queue_id, q.name, coalesce(s.partitions, 0), coalesce(c.members, 0),
           coalesce(c.with_lag, 0), coalesce(c.lag, 0)::bigint, c.waiting_since, coalesce(c.consumed, 0)::bigint,
           coalesce(c.leases, 0), c.progressed_at
    from known k
    join queen.queues q on q.id = k.queue_id and (p_visible is null or queen.is_visible_v1(q.name, p_visible))
    left join size s on s.queue_id = k.queue_id
    left join cursors c on c.consumer_group = k.consumer_group and c.queue_id = k.queue_id
$$;

-- untouched_partitions_v1(group, queue id) → partitions
-- The partitions of a queue in which a group that knows the queue has no cursor yet, and where it would start.
--
-- Gives  partition_id, partition_name, head
--        waiting_since  the last push, or later when messages were delayed: deliver_at of the last
--        start_at  where the group's subscription begins, null for the beginning
--        position  all up to here lies before that. Null when both older and newer messages may be there:
--                  seq_before(partition_id, start_at) then tells, for a few look-ups
create or replace function queen.untouched_partitions_v1(p_consumer_group text, p_queue_id uuid)
returns table (
    partition_id   uuid,
    partition_name text,
    head           bigint,
    waiting_since  timestamptz,
    start_at       timestamptz,
    "position"     bigint
)
language sql stable
as $$
    select p.id, p.name, p.head, greatest(p.last_push_at, p.delayed_until), s.start_at,
           case
               when s.start_at is null or p.created_at >= s.start_at then p.tail
               when p.last_push_at is null or p.last_push_at < s.start_at then p.head
           end
    from queen.partitions p
    join queen.queues q on q.id = p.queue_id
    left join queen.subscriptions whole
        on whole.queue_name = q.name and whole.consumer_group = p_consumer_group and whole.partition_name = ''
    left join queen.subscriptions one
        on one.queue_name = q.name and one.consumer_group = p_consumer_group and one.partition_name = p.name
    cross join lateral (
        select case when p_consumer_group <> '__QUEUE_MODE__'
               then coalesce(one.subscription_timestamp, whole.subscription_timestamp) end as start_at
    ) s
    where p.queue_id = p_queue_id
      and not exists (
          select from queen.partition_consumers c
          where c.partition_id = p.id and c.consumer_group = p_consumer_group)
$$;

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
create or replace function queen.group_health_v1(
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

-- note_consumers_v1(server, seconds, queues, groups, waiting, holders) → nothing
-- A server tells who pops through it, all in one call; each row is believed for so many seconds. Rows that nobody believes
-- any more are removed, a thousand at a time, whoever told them.
--
-- Takes  arrays of one length, no (queue, group) twice: names, pops that wait now, and the consumers seen lately, one in
--        a line.
-- Locks  rows of queen.consumers: a server writes none but its own, and skips old ones that another is removing.
create or replace function queen.note_consumers_v1(
    p_server_id text, p_seconds integer, p_queue text[], p_consumer_group text[], p_waiting integer[], p_holders text[])
returns void
language sql
as $$
    delete from queen.consumers c
    using (
        select o.ctid as place from queen.consumers o
        where o.believed_until < clock_timestamp() - interval '1 minute'
        limit 1000
        for update skip locked
    ) o
    where c.ctid = o.place;

    insert into queen.consumers (queue_name, consumer_group, server_id, waiting, holders, believed_until)
    select c.queue, c.consumer_group, p_server_id, c.waiting, coalesce(string_to_array(nullif(c.holders, ''), e'\n'), '{}'),
           clock_timestamp() + make_interval(secs => p_seconds)
    from unnest(p_queue, p_consumer_group, p_waiting, p_holders) c (queue, consumer_group, waiting, holders)
    on conflict (queue_name, consumer_group, server_id) do update
    set waiting = excluded.waiting, holders = excluded.holders, believed_until = excluded.believed_until
$$;

-- present_consumers_v1(group, queue) → waiting, holders
-- Pops of the group that wait on any server, and its consumers seen lately, each once.
create or replace function queen.present_consumers_v1(
    p_consumer_group text, p_queue_name text, out waiting bigint, out holders text[])
language sql stable
as $$
    select (
        select coalesce(sum(c.waiting), 0)
        from queen.consumers c
        where c.queue_name = p_queue_name and c.consumer_group = p_consumer_group and c.believed_until > now()
    ), array(
        select distinct h.holder
        from queen.consumers c
        cross join lateral unnest(c.holders) h (holder)
        where c.queue_name = p_queue_name and c.consumer_group = p_consumer_group and c.believed_until > now()
        order by h.holder
    )
$$;

-- holder_v1(text) → JSON
-- The address and the name, null for none, of who holds a lease.
create or replace function queen.holder_v1(p_holder text) returns json
language sql immutable
as $$
    select case when p_holder is not null then json_build_object(
        'address', split_part(p_holder, ' ', 1),
        'name', nullif(substr(p_holder, length(split_part(p_holder, ' ', 1)) + 2), '')) end
$$;

-- holders_v1(texts) → JSON array
create or replace function queen.holders_v1(p_holders text[]) returns json
language sql immutable
as $$
    select coalesce(json_agg(queen.holder_v1(h.holder) order by h.holder), '[]') from unnest(p_holders) h (holder)
$$;

-- knows_queue_v1(group, queue) → boolean
-- Whether the group has ever popped from the queue: it has a cursor in one of its partitions, or a subscription.
create or replace function queen.knows_queue_v1(p_consumer_group text, p_queue_name text) returns boolean
language sql stable
as $$
    select exists (
        select from queen.subscriptions s where s.queue_name = p_queue_name and s.consumer_group = p_consumer_group
    ) or exists (
        select
        from queen.queues q
        join queen.partitions p on p.queue_id = q.id
        join queen.partition_consumers c on c.partition_id = p.id and c.consumer_group = p_consumer_group
        where q.name = p_queue_name
    )
$$;

-- seek_group_v1(group, queue, to, time, after, limit, mark) → moved, last_name, mark
-- Moves the cursors of a group in the next p_limit partitions of a queue, in name order: in all that have had messages,
-- also where the group has no cursor yet, or a seek to the end would deliver what lies there. Called until last_name is
-- null, each portion a transaction of its own, so that nobody waits long. Nothing happens for a group that does not know
-- the queue.
--
-- Takes  p_to, p_time as move_cursors_v1; p_after the name after which to go on, null to begin; p_mark what the portion
--        before gave
-- Gives  moved       partitions of this portion
--        last_name   where the next portion goes on, null when this was the last
--        mark        `life:transaction id` before the first portion. After the last portion of a seek to the end the
--                    group has nothing but what was pushed since then: that is noted as a clear mark
-- Locks  as move_cursors_v1.
create or replace function queen.seek_group_v1(
    p_consumer_group text, p_queue_name text, p_to text, p_time timestamptz, p_after text, p_limit integer,
    p_mark text default null, out moved integer, out last_name text, out mark text)
language plpgsql
as $$
declare
    v_ids uuid[];
begin
    moved := 0;
    select coalesce(p_mark, queen.push_log_life_v1() || ':' || pg_snapshot_xmin(pg_current_snapshot())) into mark;
    if p_after is null and not queen.knows_queue_v1(p_consumer_group, p_queue_name) then
        return;
    end if;

    select array_agg(s.id) filter (where s.head > 0), case when count(*) = p_limit then max(s.name) end
    into v_ids, last_name
    from (
        select p.id, p.name, p.head
        from queen.partitions p
        where p.queue_id = (select q.id from queen.queues q where q.name = p_queue_name)
          and p.name >= coalesce(p_after, '') and p.name is distinct from p_after
        order by p.name
        limit p_limit
    ) s;
    if v_ids is not null then
        moved := queen.move_cursors_v1(v_ids, p_consumer_group, p_to, p_time);
    end if;
    if p_to = 'end' and last_name is null then
        insert into queen.clear_marks (queue_id, consumer_group, life, xid)
        select q.id, p_consumer_group, split_part(mark, ':', 1), split_part(mark, ':', 2)::xid8
        from queen.queues q
        where q.name = p_queue_name;
    end if;
end
$$;

-- seek_partition_v1(group, queue, partition, to, time) → partition_id, moved, cursor_time
-- Moves the cursor of a group in one partition.
--
-- Takes  p_to, p_time as move_cursors_v1
-- Gives  partition_id null when there is no such partition
--        moved        false for a group that does not know the queue: nothing happened
--        cursor_time  when the message at the cursor was pushed; null at the beginning, or when it is gone
-- Locks  as move_cursors_v1.
create or replace function queen.seek_partition_v1(
    p_consumer_group text, p_queue_name text, p_partition_name text, p_to text, p_time timestamptz,
    out partition_id uuid, out moved boolean, out cursor_time timestamptz)
language plpgsql
as $$
begin
    select p.id into partition_id
    from queen.partitions p
    join queen.queues q on q.id = p.queue_id
    where q.name = p_queue_name and p.name = p_partition_name;
    moved := partition_id is not null and queen.knows_queue_v1(p_consumer_group, p_queue_name);
    if moved then
        perform queen.move_cursors_v1(array[seek_partition_v1.partition_id], p_consumer_group, p_to, p_time);
        select m.created_at into cursor_time
        from queen.partition_consumers c
        join queen.messages m on m.partition_id = c.partition_id and m.seq = c.cursor
        where c.partition_id = seek_partition_v1.partition_id and c.consumer_group = p_consumer_group;
    end if;
end
$$;

-- move_cursors_v1(partitions, group, to, time) → cursors moved
-- Puts the cursors of a group where they are wanted, forward or back, creating those that are not there, and drops the
-- leases; an ack that names one of these leases is refused from then on. Retry counters stay. Redriven messages
-- are forgotten: those after the new cursor come in their turn, the others the group has passed.
--
-- Takes  p_to, p_time as seek_target_v1
-- What lies after a cursor is news to every server, so it goes into the push log.
-- Locks  the partitions by id, against being deleted (a push does not wait for that), then rows of partition_consumers
--        in key order.
create or replace function queen.move_cursors_v1(
    p_partition_ids uuid[], p_consumer_group text, p_to text, p_time timestamptz) returns integer
language plpgsql
as $$
declare
    v_moved integer;
begin
    perform from queen.partitions p where p.id = any (p_partition_ids) order by p.id for key share;

    with moved as (
        insert into queen.partition_consumers as c (partition_id, consumer_group, cursor)
        select p.id, p_consumer_group, queen.seek_target_v1(p.id, p.head, p_to, p_time)
        from queen.partitions p
        where p.id = any (p_partition_ids)
        order by p.id
        on conflict (partition_id, consumer_group) do update
        set cursor = excluded.cursor, lease_id = null, lease_expires_at = null, lease_last_seq = null, redriven = 0
        returning c.partition_id, c.cursor
    ), logged as (
        insert into queen.push_log (queue_id, partition_ids)
        select p.queue_id, array_agg(p.id)
        from moved m
        join queen.partitions p on p.id = m.partition_id and p.head > greatest(m.cursor, p.tail)
        group by p.queue_id
    )
    select count(*) into v_moved from moved;
    delete from queen.redriven r where r.partition_id = any (p_partition_ids) and r.consumer_group = p_consumer_group;
    perform queen.recount_room_v1(p_partition_ids);
    return v_moved;
end
$$;

-- seek_target_v1(partition, head, to, time) → sequence number
-- Where a seek puts the cursor in a partition.
--
-- Takes  p_to   end        after the newest message
--               beginning  before the oldest
--               time       after the last message that is not younger than p_time
create or replace function queen.seek_target_v1(p_partition_id uuid, p_head bigint, p_to text, p_time timestamptz)
returns bigint
language sql stable
as $$
    select case p_to
        when 'end' then p_head
        when 'beginning' then 0
        else queen.seq_before(p_partition_id, p_time + interval '1 microsecond') end
$$;

-- preview_seek_v1(group, queue, partition, to, time, after, limit) → known, partitions, redelivered, skipped, last_name
-- What a seek would do, without doing it: in one partition, as seek_partition_v1, or in the next p_limit of the queue, as
-- seek_group_v1. Sequence numbers are subtracted, messages are not counted: one that was deleted on its own, between others
-- that are there, counts.
--
-- Takes  p_partition_name  null for all; p_to, p_time as seek_target_v1; p_after, p_limit as seek_group_v1
-- Gives  known        false when there is no partition of that name
--        partitions   in which a cursor would be put somewhere
--        redelivered  messages behind the group's cursor, or behind where it would begin, that would lie ahead of it
--        skipped      messages ahead of it, and redriven ones that wait for it, that would lie behind
--        last_name    where the next portion goes on, null when this was the last
-- Locks  nothing.
create or replace function queen.preview_seek_v1(
    p_consumer_group text, p_queue_name text, p_partition_name text, p_to text, p_time timestamptz, p_after text,
    p_limit integer, out known boolean, out partitions bigint, out redelivered bigint, out skipped bigint, out last_name text)
language plpgsql stable
as $$
begin
    known := p_partition_name is null or exists (
        select
        from queen.partitions p
        join queen.queues q on q.id = p.queue_id
        where q.name = p_queue_name and p.name = p_partition_name);
    partitions := 0;
    redelivered := 0;
    skipped := 0;
    if p_after is null and not queen.knows_queue_v1(p_consumer_group, p_queue_name) then
        return;
    end if;

    select count(*) filter (where s.counts),
           coalesce(sum(greatest(s.cursor - greatest(s.target, s.tail), 0)) filter (where s.counts), 0),
           coalesce(sum(greatest(s.target - greatest(s.cursor, s.tail), 0) + s.waiting) filter (where s.counts), 0),
           case when count(*) = p_limit then max(s.name) end
    into partitions, redelivered, skipped, last_name
    from (
        select p.name, p.tail, p.head > 0 or p_partition_name is not null as counts, t.target,
               coalesce(c.cursor, queen.first_cursor_v1(p.id, p_consumer_group)) as cursor,
               case when c.redriven > 0 then (
                   select count(*)
                   from queen.redriven r
                   where r.partition_id = p.id and r.consumer_group = p_consumer_group and r.seq <= t.target
               ) else 0 end as waiting
        from (
            select p.id, p.name, p.head, p.tail
            from queen.partitions p
            where p.queue_id = (select q.id from queen.queues q where q.name = p_queue_name)
              and (p_partition_name is null or p.name = p_partition_name)
              and p.name >= coalesce(p_after, '') and p.name is distinct from p_after
            order by p.name
            limit p_limit
        ) p
        cross join lateral (select queen.seek_target_v1(p.id, p.head, p_to, p_time) as target) t
        left join queen.partition_consumers c on c.partition_id = p.id and c.consumer_group = p_consumer_group
    ) s;
end
$$;

-- delete_group_v1(group, queue, metadata) → partitions, queues
-- Removes the cursors, leases, pauses and redriven messages of a group, in one queue or (null) in all; with p_metadata its
-- subscriptions too. Dead letters stay. A later pop starts as a new group, so what it had consumed is news again, and
-- without a subscription also what lay before it: that goes into the push log, a thousand partitions a row.
--
-- Gives  deleted   cursors removed
--        metadata  whether a subscription was removed
--        queues    the names of the queues in which something was removed
-- Locks  rows of partition_consumers in key order; at the end the advisory locks of the meetings that are free.
create or replace function queen.delete_group_v1(
    p_consumer_group text, p_queue_name text, p_metadata boolean,
    out deleted integer, out metadata boolean, out queues text[])
language plpgsql
as $$
declare
    v_ids          uuid[];
    v_unsubscribed text[];
    v_queue_id     uuid;
begin
    perform
    from queen.partition_consumers c
    join queen.partitions p on p.id = c.partition_id
    where c.consumer_group = p_consumer_group
      and (p_queue_name is null or p.queue_id = (select q.id from queen.queues q where q.name = p_queue_name))
    order by c.partition_id
    for update of c;

    with gone as (
        delete from queen.partition_consumers c
        using queen.partitions p
        where p.id = c.partition_id and c.consumer_group = p_consumer_group
          and (p_queue_name is null or p.queue_id = (select q.id from queen.queues q where q.name = p_queue_name))
        returning p.queue_id, p.id, p.head > p.tail as stored
    ), logged as (
        insert into queen.push_log (queue_id, partition_ids)
        select n.queue_id, array_agg(n.id)
        from (select g.*, row_number() over (partition by g.queue_id) / 1000 as portion from gone g where g.stored) n
        group by n.queue_id, n.portion
    )
    select count(*), array_agg(distinct q.name), array_agg(g.id)
    into deleted, queues, v_ids
    from gone g
    join queen.queues q on q.id = g.queue_id;

    delete from queen.redriven r where r.partition_id = any (v_ids) and r.consumer_group = p_consumer_group;
    perform queen.recount_room_v1(v_ids);
    delete from queen.pauses z
    using queen.queues q
    where q.id = z.queue_id and z.consumer_group = p_consumer_group and (p_queue_name is null or q.name = p_queue_name);

    metadata := false;
    if p_metadata then
        with gone as (
            delete from queen.subscriptions s
            where s.consumer_group = p_consumer_group and (p_queue_name is null or s.queue_name = p_queue_name)
            returning s.queue_name
        )
        select count(*) > 0, array(select unnest(delete_group_v1.queues) union select g.queue_name from gone g),
               array_agg(g.queue_name)
        into metadata, queues, v_unsubscribed
        from gone g;
        perform queen.announce_partitions_v1(v_unsubscribed, null);
    end if;
    queues := coalesce(queues, '{}');

    delete from queen.clear_marks m
    where m.consumer_group = p_consumer_group
      and (p_queue_name is null or m.queue_id = (select q.id from queen.queues q where q.name = p_queue_name));
    for v_queue_id in
        select distinct m.queue_id
        from queen.met_queues m
        where m.consumer_group = p_consumer_group
          and (p_queue_name is null or m.queue_id = (select q.id from queen.queues q where q.name = p_queue_name))
    loop
        -- A cursor that a pop makes meanwhile stays, and so does the note that there is one.
        if pg_try_advisory_xact_lock(queen.meeting_lock_v1(v_queue_id, p_consumer_group)) then
            delete from queen.met_queues m
            where m.queue_id = v_queue_id and m.consumer_group = p_consumer_group
              and not exists (
                  select
                  from queen.partitions p
                  join queen.partition_consumers c on c.partition_id = p.id and c.consumer_group = p_consumer_group
                  where p.queue_id = v_queue_id);
        end if;
    end loop;
end
$$;

-- Leases: their ids, renewing them, ending them by hand. Pops take them (R__pop.sql), acks end them (R__ack.sql).
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- ---------------------------------------------------------------------------------------------------------------------
-- Public SQL interface: applications call what follows. Names, arguments and answers stay.
-- ---------------------------------------------------------------------------------------------------------------------

-- renew_lease_v2(items) → results
-- Extends leases from SQL.
--
--   select queen.renew_lease_v2('[{"leaseId": "…", "extendSeconds": 60}]');
--
-- Takes  an array of objects: leaseId (required), extendSeconds (60; the HTTP spelling `seconds` works too).
-- Gives  an array in the same order: index, leaseId, success, error, expiresAt. Rules and locks as in renew_list_v1.
create or replace function queen.renew_lease_v2(p_items jsonb) returns jsonb
language plpgsql
as $$
begin
    return coalesce((
        select jsonb_agg(jsonb_build_object('index', r.ord - 1, 'leaseId', i.lease_ids[r.ord],
                'success', r.expires_at is not null, 'expiresAt', r.expires_at,
                'error', case when r.expires_at is null and r.known then 'Lease already expired'
                              when r.expires_at is null then 'Lease not found' end) order by r.ord)
        from (
            select array_agg((e ->> 'leaseId')::uuid order by ord) as lease_ids,
                   array_agg(coalesce((e ->> 'extendSeconds')::integer, (e ->> 'seconds')::integer, 60) order by ord) as seconds
            from jsonb_array_elements(p_items) with ordinality j (e, ord)
        ) i
        cross join lateral queen.renew_list_v1(i.lease_ids, i.seconds) with ordinality r (known, expires_at, ord)
        where i.lease_ids is not null
    ), '[]');
end
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- The server's own: what follows may change with every release.
-- ---------------------------------------------------------------------------------------------------------------------

-- renew_list_v1(lease ids, seconds) → one row per lease, in the order given
-- Takes  lease ids, and for how many seconds from now each shall live at least.
-- Gives  known      the lease exists, live or expired
--        expires_at the earliest expiry among the partitions of the lease; null when it was not extended
-- Extends every (partition, group) held under the lease and not expired; never shortens, never revives.
-- Locks  rows of partition_consumers in key order.
create or replace function queen.renew_list_v1(p_lease_id uuid[], p_seconds integer[])
returns table (known boolean, expires_at timestamptz)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
declare
    v_now  timestamptz;
    v_keys uuid[];
begin
    select array_agg(distinct k.partition_id)
    into v_keys
    from unnest(p_lease_id) l (id)
    cross join lateral queen.lease_rows_v1(l.id) k;

    perform
    from queen.partition_consumers c
    where c.partition_id = any (v_keys) and c.lease_id = any (p_lease_id)
    order by c.partition_id, c.consumer_group
    for update;
    v_now := clock_timestamp();

    return query
    with renewed as (
        update queen.partition_consumers c
        set lease_expires_at = greatest(c.lease_expires_at, v_now + make_interval(secs => l.seconds))
        from (select id, max(seconds) as seconds from unnest(p_lease_id, p_seconds) l (id, seconds) group by id) l
        where c.partition_id = any (v_keys) and c.lease_id = l.id and c.lease_expires_at > v_now
        returning c.lease_id, c.lease_expires_at
    ), held as (
        select r.lease_id, min(r.lease_expires_at) as expires_at from renewed r group by r.lease_id
    )
    select exists (select from queen.partition_consumers c where c.partition_id = any (v_keys) and c.lease_id = l.id),
           h.expires_at
    from unnest(p_lease_id) with ordinality l (id, ord)
    left join held h on h.lease_id = l.id
    order by l.ord;
end
$$;

-- The lease-id rule. A pop brings a fresh id, and the lease gets that id with its last eight hex digits replaced by the
-- first eight of the partition it was taken for, the first one if there are several: so a renewal, which knows the lease id
-- only, finds the row through the primary key, and needs no index on a column that changes with every pop. The 28
-- characters before them tell from which call it is.

-- lease_id_for(fresh id, partition) → lease id
create or replace function queen.lease_id_for(p_fresh uuid, p_partition_id uuid) returns uuid
language sql immutable parallel safe
as $$ select (left(p_fresh::text, 28) || left(p_partition_id::text, 8))::uuid $$;

-- is_lease_for(lease id, fresh id) → whether the lease was made from that fresh id
create or replace function queen.is_lease_for(p_lease_id uuid, p_fresh uuid) returns boolean
language sql immutable parallel safe
as $$ select left(p_lease_id::text, 28) = left(p_fresh::text, 28) $$;

-- lease_rows_v1(lease id) → the rows of partition_consumers held under it
-- By the digits in the id, or by the record of a lease that several partitions share.
-- A view with parameters: the caller's statement takes it in, and runs under the caller's settings.
create or replace function queen.lease_rows_v1(p_lease_id uuid) returns table (partition_id uuid, place tid)
language sql stable
as $$
    select c.partition_id, c.ctid
    from queen.partition_consumers c
    where c.partition_id >= (right(p_lease_id::text, 8) || '-0000-0000-0000-000000000000')::uuid
      and c.partition_id <= (right(p_lease_id::text, 8) || '-ffff-ffff-ffff-ffffffffffff')::uuid
      and c.lease_id = p_lease_id
    union all
    select c.partition_id, c.ctid
    from (select unnest(s.partition_ids) as id from queen.shared_leases s where s.lease_id = p_lease_id) s
    cross join lateral (
        select c.partition_id, c.ctid from queen.partition_consumers c where c.partition_id = s.id and c.lease_id = p_lease_id
    ) c
$$;

-- release_lease_v1(group, queue, partition) → what was released
-- Ends the lease that a consumer of the group holds on a partition, as if it had expired now: its messages come again, its
-- later acks and renewals are refused, retries are not counted. Of a lease that holds several partitions this one is
-- taken out.
--
-- Gives  partition_id  null when there is no such partition
--        released      false when nobody held it
--        lease_id, holder, expires_at, remaining_ms   of the lease that was ended
--        pending       messages are left, which is news to every server, so it goes into the push log
-- Locks  the row of partition_consumers.
create or replace function queen.release_lease_v1(
    p_consumer_group text, p_queue_name text, p_partition_name text,
    out partition_id uuid, out released boolean, out lease_id uuid, out holder text, out expires_at timestamptz,
    out remaining_ms bigint, out pending boolean)
language plpgsql
as $$
declare
    v_cursor   bigint;
    v_redriven integer;
begin
    released := false;
    pending := false;
    select p.id into partition_id
    from queen.partitions p
    join queen.queues q on q.id = p.queue_id
    where q.name = p_queue_name and p.name = p_partition_name;

    select k.lease_id, k.leased_by, k.lease_expires_at, k.cursor, k.redriven
    into lease_id, holder, expires_at, v_cursor, v_redriven
    from queen.partition_consumers k
    where k.partition_id = release_lease_v1.partition_id and k.consumer_group = p_consumer_group
      and k.lease_expires_at > clock_timestamp()
    for update;
    if not found then
        return;
    end if;
    update queen.partition_consumers k
    set lease_id = null, lease_expires_at = null, lease_last_seq = null
    where k.partition_id = release_lease_v1.partition_id and k.consumer_group = p_consumer_group;
    insert into queen.push_log (queue_id, partition_ids)
    select p.queue_id, array[p.id]
    from queen.partitions p
    where p.id = release_lease_v1.partition_id and (p.head > greatest(v_cursor, p.tail) or v_redriven > 0);
    pending := found;
    released := true;
    remaining_ms := floor(extract(epoch from expires_at - clock_timestamp()) * 1000);
end
$$;

-- Which rows a list that could not get a lock in time would wait for, and for whom. A server asks when that happened,
-- never while all goes well.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- held_partitions_v1(queue names, partition names) → which of these partitions a push would have to wait for, and for whom
-- For a list that could not get a lock in time. A server asks when that happened, and then from time to time until
-- the answer is nothing; never while all goes well. held_consumers_v1 and held_leases_v1 are its siblings.
--
-- Takes  the partitions by name, side by side; they need not exist yet.
-- Gives  ord     the place (from 1) of one that is held; what is held for two reasons comes twice
--        holder  the transaction that holds it, for comparing: another one than before means that the lock goes from hand
--                to hand, and that it is worth to queue for it. Null when it can't be seen.
-- A partition is held when its row is, or the room of its queue (max_size), or when another creates it or deletes its queue.
-- Locks  all that it is asked about, for the time of this call, and never waits: rows are skipped, and an insert that
--        meets another gives up after a millisecond. Missing partitions are created, as the push to come would.
create or replace function queen.held_partitions_v1(p_queue text[], p_partition text[]) returns table (ord integer, holder xid)
language plpgsql
set lock_timeout = '1ms'
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
declare
    v_free    uuid[];
    -- One element per name: the partition, and its queue if that has a limit.
    v_partitions   uuid[];
    v_limited uuid[];
begin
    select array_agg(p.id order by l.ord), array_agg(case when q.max_size > 0 then q.id end order by l.ord)
    into v_partitions, v_limited
    from unnest(p_queue, p_partition) with ordinality l (queue, partition, ord)
    left join lateral (select q.id, q.max_size from queen.queues q where q.name = l.queue limit 1) q on true
    left join lateral (
        select p.id from queen.partitions p where p.queue_id = q.id and p.name = l.partition limit 1
    ) p on true;

    select coalesce(array_agg(p.id), '{}') into v_free
    from (
        select p.id from queen.partitions p where p.id = any (v_partitions) order by p.id for no key update skip locked
    ) p;
    return query
    select o, p.xmax
    from generate_subscripts(v_partitions, 1) o
    cross join lateral (select p.xmax from queen.partitions p where p.id = v_partitions[o] limit 1) p
    where v_partitions[o] <> all (v_free);

    if array_remove(v_limited, null) <> '{}' then
        select coalesce(array_agg(r.queue_id), '{}') into v_free
        from (
            select r.queue_id from queen.queue_room r where r.queue_id = any (v_limited)
            order by r.queue_id
            for update skip locked
        ) r;
        return query
        select o, r.xmax
        from generate_subscripts(v_limited, 1) o
        cross join lateral (select r.xmax from queen.queue_room r where r.queue_id = v_limited[o] limit 1) r
        where v_limited[o] <> all (v_free);
    end if;

    -- What is not there may be about to come.
    for ord in
        select o from generate_subscripts(p_queue, 1) o
        where v_partitions[o] is null
           or (v_limited[o] is not null and (select true from queen.queue_room r where r.queue_id = v_limited[o]) is null)
    loop
        begin
            perform queen.ensure_partitions_v1(p_queue[ord:ord], p_partition[ord:ord]);
            insert into queen.queue_room (queue_id, room)
            select q.id, 0 from queen.queues q where q.id = v_limited[ord]
            on conflict do nothing;
        exception when lock_not_available then
            holder := null;
            return next;
        end;
    end loop;
end
$$;

-- held_consumers_v1(partition ids, groups) → which of these an ack or a release would have to wait for, and for whom
-- As held_partitions_v1, for the rows of partition_consumers. Such a row is held when another has locked it, or creates
-- it, or when its partition can't be referred to, as a dead letter does.
create or replace function queen.held_consumers_v1(p_partition_id uuid[], p_consumer_group text[])
returns table (ord integer, holder xid)
language plpgsql
set lock_timeout = '1ms'
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
declare
    v_free       tid[];
    v_referables uuid[];
begin
    select coalesce(array_agg(k.place), '{}'), array_agg(k.partition_id)
    into v_free, v_referables
    from (
        select k.place, c.partition_id
        from (
            -- Sorted before it is joined: the rows are locked in this order.
            select distinct c.partition_id, c.consumer_group
            from unnest(p_partition_id, p_consumer_group) c (partition_id, consumer_group)
            order by c.partition_id, c.consumer_group
        ) c
        cross join lateral (
            select k.ctid as place from queen.partition_consumers k
            where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group
            for update skip locked
        ) k
    ) k;
    return query
    select c.ord::integer, k.xmax
    from unnest(p_partition_id, p_consumer_group) with ordinality c (partition_id, consumer_group, ord)
    cross join lateral (
        select k.xmax, k.ctid as place from queen.partition_consumers k
        where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group
        limit 1
    ) k
    where k.place <> all (v_free);

    -- Only when that explains nothing: the lock to refer to a partition joins that of a push, and hides who that is.
    if not found then
        return query
        select o, p.xmax
        from generate_subscripts(p_partition_id, 1) o
        cross join lateral (select p.xmax from queen.partitions p where p.id = p_partition_id[o] limit 1) p
        where p_partition_id[o] = any (v_referables)
          and p_partition_id[o] not in (
            select p.id from queen.partitions p where p.id = any (v_referables) for key share skip locked);
    end if;

    -- A row that is not there may be about to come. It does not stay: who acks decides whether there is to be one.
    for ord in
        select o from generate_subscripts(p_partition_id, 1) o
        where (select true from queen.partition_consumers k
               where k.partition_id = p_partition_id[o] and k.consumer_group = p_consumer_group[o]) is null
    loop
        begin
            insert into queen.partition_consumers (partition_id, consumer_group)
            select p.id, p_consumer_group[ord] from queen.partitions p where p.id = p_partition_id[ord]
            on conflict do nothing;
            raise exception using errcode = 'QU000';
        exception
            when sqlstate 'QU000' then
                null;
            when lock_not_available then
                holder := null;
                return next;
        end;
    end loop;
end
$$;

-- held_cycles_v1(query ids, partition ids) → which of these a cycle would have to wait for, and for whom
-- As held_partitions_v1, for the rows of stream_partitions. One that is not there yet is not waited for long: whoever makes
-- it is a cycle itself.
create or replace function queen.held_cycles_v1(p_query_id uuid[], p_partition_id uuid[]) returns table (ord integer, holder xid)
language sql
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
    select c.ord::integer, s.xmax
    from unnest(p_query_id, p_partition_id) with ordinality c (query_id, partition_id, ord)
    cross join lateral (
        select s.xmax from queen.stream_partitions s
        where s.query_id = c.query_id and s.partition_id = c.partition_id
        limit 1
    ) s
    where not exists (
        select from queen.stream_partitions s
        where s.query_id = c.query_id and s.partition_id = c.partition_id
        for update skip locked)
$$;

-- held_leases_v1(lease ids) → which of these a renewal would have to wait for, and for whom
-- As held_partitions_v1, for the rows that renew_list_v1 finds.
create or replace function queen.held_leases_v1(p_lease_id uuid[]) returns table (ord integer, holder xid)
language plpgsql
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
declare
    -- One element per row of a lease.
    v_ords integer[];
    v_rows tid[];
    v_free tid[];
begin
    select array_agg(k.ord), array_agg(k.place)
    into v_ords, v_rows
    from (
        select l.ord::integer, k.place
        from unnest(p_lease_id) with ordinality l (id, ord)
        cross join lateral queen.lease_rows_v1(l.id) k
    ) k;

    select coalesce(array_agg(c.place), '{}') into v_free
    from (
        select c.ctid as place from queen.partition_consumers c where c.ctid = any (v_rows) for update skip locked
    ) c;
    return query
    select v_ords[o], c.xmax
    from generate_subscripts(v_rows, 1) o
    cross join lateral (select c.xmax from queen.partition_consumers c where c.ctid = v_rows[o] limit 1) c
    where v_rows[o] <> all (v_free);
end
$$;

-- Messages: listed, described, deleted one by one.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- list_messages_v1(filters, limit, offset, brief, visible) → JSON
-- Messages without their payloads, the newest first; filters and costs as in find_messages_v1.
--
-- Gives  messages, total, totalEstimated (total may be too high), mode, pagination. With p_brief the messages alone, as
--        an array.
--        mode: how the partitions of the filter are consumed: by __QUEUE_MODE__ ('queue'), by named groups ('bus'), by
--        both ('hybrid') or by nobody yet ('none').
create or replace function queen.list_messages_v1(
    p_queue text, p_partition text, p_namespace text, p_task text, p_status text, p_group text,
    p_from timestamptz, p_to timestamptz, p_limit integer, p_offset integer, p_brief boolean,
    p_visible text[] default null) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set work_mem = '32MB'
set jit = off
as $$
declare
    v_found    record;
    v_messages json;
    v_queue    boolean;
    v_groups   bigint;
begin
    select * into v_found
    from queen.find_messages_v1(
        p_queue, p_partition, p_namespace, p_task, p_status, p_group, p_from, p_to, p_limit, p_offset, p_visible);

    select coalesce(json_agg(json_build_object(
        'id', m.id, 'transactionId', m.transaction_id, 'partitionId', m.partition_id,
        'queuePath', q.name || '/' || p.name, 'queue', q.name, 'partition', p.name,
        'namespace', q.namespace, 'task', q.task, 'status', s.status, 'queueStatus', s.queue_status,
        'busStatus', json_build_object('consumedBy', s.consumed_by, 'totalGroups', s.total_groups),
        'traceId', m.trace_id, 'producerSub', m.producer_sub, 'queuePriority', q.priority,
        'createdAt', queen.iso_time(m.created_at), 'leaseExpiresAt', queen.iso_time(s.lease_expires_at),
        'headers', m.headers::json, 'deliverAt', queen.iso_time(m.deliver_at)
    ) order by f.ord), '[]')
    into v_messages
    from unnest(v_found.partition_ids, v_found.seqs) with ordinality f (partition_id, seq, ord)
    join queen.messages m on m.partition_id = f.partition_id and m.seq = f.seq
    join queen.partitions p on p.id = m.partition_id
    join queen.queues q on q.id = p.queue_id
    cross join lateral queen.message_standing_v1(m.partition_id, m.seq, p_group) s;
    if p_brief then
        return v_messages;
    end if;

    select coalesce(bool_or(c.consumer_group = '__QUEUE_MODE__'), false),
           count(*) filter (where c.consumer_group <> '__QUEUE_MODE__')
    into v_queue, v_groups
    from (
        select c.consumer_group
        from queen.partition_consumers c
        join queen.partitions p on p.id = c.partition_id
        join queen.queues q on q.id = p.queue_id
        where (p_queue is null or q.name = p_queue) and (p_partition is null or p.name = p_partition)
          and (p_namespace is null or q.namespace = p_namespace) and (p_task is null or q.task = p_task)
          and (p_visible is null or queen.is_visible_v1(q.name, p_visible))
        group by c.consumer_group
    ) c;
    return json_build_object(
        'messages', v_messages, 'total', v_found.total, 'totalEstimated', v_found.estimated,
        'mode', json_build_object('hasQueueMode', v_queue, 'busGroupsCount', v_groups, 'type', case
            when v_queue and v_groups > 0 then 'hybrid' when v_queue then 'queue' when v_groups > 0 then 'bus'
            else 'none' end),
        'pagination', json_build_object('limit', p_limit, 'offset', p_offset));
end
$$;

-- find_messages_v1(filters, limit, offset, visible) → partition_ids, seqs, total, estimated
-- Which messages a list shows, the newest first (by time, then partition, then sequence number).
--
-- Takes  p_queue, p_partition, p_namespace, p_task   null for any
--        p_status   pending, processing, completed, dead_letter, or null; p_group as in message_standing_v1
--        p_from     inclusive, p_to exclusive
--        p_visible  the queues that the caller may see, see is_visible_v1
-- Gives  the page, two arrays side by side, and total: how many match. estimated: total may be too high, see below.
--
-- How    created_at never falls with the sequence number, and a status is a range of sequence numbers, so nothing is
--        found by reading messages. Partitions without a push since p_from are out at once. Of the others those with the
--        newest messages are taken, as many as the page needs, and only these are read.
-- Costs  one pass over the partitions of the filter. One look-up of the newest message for each of them that has gaps,
--        dead letters (with a status), or messages beyond the range: processed or completed ones, or a p_to before the
--        last push, when it is searched by halving. And limit + offset messages of the partitions taken, so a far page
--        of a long list is expensive.
--        For total the start of the window is searched in each partition older than it, in 1,000 partitions at most:
--        beyond them partitions count whole and total is said to be estimated.
create or replace function queen.find_messages_v1(
    p_queue text, p_partition text, p_namespace text, p_task text, p_status text, p_group text,
    p_from timestamptz, p_to timestamptz, p_limit integer, p_offset integer, p_visible text[] default null,
    out partition_ids uuid[], out seqs bigint[], out total bigint, out estimated boolean)
language plpgsql stable
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
    c_searches constant integer := 1000;
    v_wanted   bigint := p_limit::bigint + p_offset;
begin
    if p_status = 'dead_letter' then
        with found as materialized (
            select distinct m.partition_id, m.seq, m.created_at
            from queen.dead_letters d
            join queen.partitions p on p.id = d.partition_id
            join queen.queues q on q.id = p.queue_id
            join queen.messages m on m.partition_id = d.partition_id and m.seq = d.seq
            where (p_queue is null or q.name = p_queue) and (p_partition is null or p.name = p_partition)
              and (p_namespace is null or q.namespace = p_namespace) and (p_task is null or q.task = p_task)
              and (p_visible is null or queen.is_visible_v1(q.name, p_visible))
              and (p_group is null or d.consumer_group = p_group)
              and m.created_at >= p_from and m.created_at < p_to
        ), page as (
            select f.* from found f order by f.created_at desc, f.partition_id, f.seq desc limit p_limit offset p_offset
        )
        select array_agg(g.partition_id order by g.created_at desc, g.partition_id, g.seq desc),
               array_agg(g.seq order by g.created_at desc, g.partition_id, g.seq desc),
               (select count(*) from found), false
        into partition_ids, seqs, total, estimated
        from page g;
        return;
    end if;

    with scope as (
        select p.id, p.head, p.tail, p.removed <> p.tail as gaps, p.last_push_at, p.created_at,
               p_status is not null and (p.id in (select d.partition_id from queen.dead_letters d)
                   or p.id in (select r.partition_id from queen.redriven r)) as letters
        from queen.partitions p
        join queen.queues q on q.id = p.queue_id
        where (p_queue is null or q.name = p_queue) and (p_partition is null or p.name = p_partition)
          and (p_namespace is null or q.namespace = p_namespace) and (p_task is null or q.task = p_task)
          and (p_visible is null or queen.is_visible_v1(q.name, p_visible))
          and p.last_push_at >= p_from and p.head > p.removed
    ), cursor as (
        -- Up to done it is completed, from there up to held it is being processed.
        select s.id, coalesce(max(c.cursor) filter (where c.consumer_group = coalesce(p_group, '__QUEUE_MODE__')),
                   case when p_group is null then min(c.cursor) end, 0) as done,
               max(c.lease_last_seq) filter (
                   where c.consumer_group = coalesce(p_group, '__QUEUE_MODE__') and c.lease_expires_at > now()) as held,
               coalesce(p_group, case when bool_or(c.consumer_group = '__QUEUE_MODE__') then '__QUEUE_MODE__' end) as judge
        from scope s
        join queen.partition_consumers c on c.partition_id = s.id
        where p_status is not null
        group by s.id
    ), again as materialized (
        -- Redriven, so not completed though the cursor has passed it: listed with its status, or left out.
        select distinct r.partition_id as id, r.seq, m.created_at
        from queen.redriven r
        join cursor u on u.id = r.partition_id and (u.judge is null or u.judge = r.consumer_group) and r.seq <= u.done
        join queen.partition_consumers c on c.partition_id = r.partition_id and c.consumer_group = r.consumer_group
        join queen.messages m on m.partition_id = r.partition_id and m.seq = r.seq
        where m.created_at >= p_from and m.created_at < p_to
          and (p_status = 'completed'
               or coalesce(u.judge is not null and c.lease_id = r.lease_id and c.lease_expires_at > now(), false)
                   = (p_status = 'processing'))
          and not exists (
              select from queen.dead_letters d
              where d.partition_id = r.partition_id and d.seq = r.seq and (p_group is null or d.consumer_group = p_group))
    ), range as (
        select s.*,
               greatest(s.tail, case p_status
                   when 'pending' then greatest(c.done, c.held) when 'processing' then c.done else 0 end) as low,
               case p_status
                   when 'completed' then coalesce(c.done, 0) when 'processing' then coalesce(c.held, 0)
                   else s.head end as high
        from scope s
        left join cursor c on c.id = s.id
    ), bounded as (
        select r.id, r.head, r.low, r.created_at, r.last_push_at, r.gaps, r.letters,
               case when r.last_push_at < p_to then r.high
                    else least(r.high, queen.seq_before(r.id, p_to)) end as high
        from range r
        where r.high > r.low
    ), candidate as materialized (
        select b.*, case when b.gaps or b.letters or b.high < b.head
            then (
                select m.created_at from queen.messages m
                where m.partition_id = b.id and m.seq > b.low and m.seq <= b.high
                  and (not b.letters or not exists (
                      select from queen.dead_letters d
                      where d.partition_id = m.partition_id and d.seq = m.seq
                        and (p_group is null or d.consumer_group = p_group)))
                  and not exists (select from again a where a.id = m.partition_id and a.seq = m.seq)
                order by m.seq desc limit 1)
            else b.last_push_at end as newest
        from bounded b
        where b.high > b.low
    ), taken as (
        select c.* from candidate c where c.newest >= p_from order by c.newest desc, c.id limit v_wanted
    ), floor as (
        -- When so many partitions have a message since then, no older one is on the page.
        select case when count(*) = v_wanted then min(t.newest) else p_from end as since from taken t
    ), started as materialized (
        select t.id, t.high,
               greatest(t.low, case when t.created_at < f.since then queen.seq_before(t.id, f.since) else 0 end) as low
        from taken t cross join floor f
    ), found as (
        select t.id, m.seq, m.created_at
        from started t
        cross join lateral (
            select m.seq, m.created_at from queen.messages m
            where m.partition_id = t.id and m.seq > t.low and m.seq <= t.high
              and (p_status is null or not exists (
                  select from queen.dead_letters d
                  where d.partition_id = m.partition_id and d.seq = m.seq
                    and (p_group is null or d.consumer_group = p_group)))
              and not exists (select from again a where a.id = m.partition_id and a.seq = m.seq)
            order by m.seq desc limit v_wanted
        ) m
        union all
        select a.id, a.seq, a.created_at from again a where p_status <> 'completed'
    ), page as (
        select f.* from found f order by f.created_at desc, f.id, f.seq desc limit p_limit offset p_offset
    ), numbered as (
        select c.*, c.created_at < p_from as older,
               row_number() over (partition by c.created_at < p_from order by c.id) as nth
        from candidate c
        where c.newest >= p_from
    ), counted as (
        select n.id, n.high, n.gaps, n.letters, n.older and n.nth > c_searches as unsearched,
               greatest(n.low, case when n.older and n.nth <= c_searches then queen.seq_before(n.id, p_from) else 0 end) as low
        from numbered n
    )
    select (select array_agg(g.id order by g.created_at desc, g.id, g.seq desc) from page g),
           (select array_agg(g.seq order by g.created_at desc, g.id, g.seq desc) from page g),
           coalesce(sum(case when c.gaps
               then (select count(*) from queen.messages m
                     where m.partition_id = c.id and m.seq > c.low and m.seq <= c.high)
               else c.high - c.low end
               - case when not c.letters then 0 else (
                   select count(distinct d.seq)
                   from queen.dead_letters d
                   join queen.messages m on m.partition_id = d.partition_id and m.seq = d.seq
                   where d.partition_id = c.id and d.seq > c.low and d.seq <= c.high
                     and (p_group is null or d.consumer_group = p_group)) end), 0)
               + (select case when p_status = 'completed' then -count(*) else count(*) end from again a),
           coalesce(bool_or(c.unsearched), false)
    into partition_ids, seqs, total, estimated
    from counted c;
end
$$;

-- message_standing_v1(partition, sequence number, group) → how far a message has come
-- Gives  status         dead_letter when it is one for any group. With p_group: where this group stands. Without: where
--                       __QUEUE_MODE__ stands, but when only named groups consume the partition, completed when all of
--                       them have passed it, else pending
--        queue_status   the same for __QUEUE_MODE__ alone
--        consumed_by    named groups that have passed it, of groups that have a cursor on the partition (total_groups)
--        queue_mode     __QUEUE_MODE__ has a cursor on the partition
--        lease_expires_at  of the lease under which it is being processed
-- processing is what was delivered under a live lease: what lies behind the delivered messages is pending. A message that
-- was redriven for a group is not passed by it until it is done again.
create or replace function queen.message_standing_v1(p_partition_id uuid, p_seq bigint, p_group text)
returns table (
    status           text,
    queue_status     text,
    consumed_by      bigint,
    total_groups     bigint,
    queue_mode       boolean,
    lease_expires_at timestamptz
)
language sql stable
as $$
    select case
               when s.dead then 'dead_letter'
               when p_group is null and not s.queue_mode and s.total_groups > 0
               then case when s.consumed_by = s.total_groups then 'completed' else 'pending' end
               when s.passed then 'completed'
               when s.lease_expires_at is not null then 'processing'
               else 'pending'
           end,
           case
               when s.dead then 'dead_letter'
               when s.queue_passed then 'completed'
               when s.queue_leased then 'processing'
               else 'pending'
           end,
           s.consumed_by, s.total_groups, s.queue_mode, case when not s.dead and not s.passed then s.lease_expires_at end
    from (
        select exists (
                   select from queen.dead_letters d
                   where d.partition_id = p_partition_id and d.seq = p_seq
                     and (p_group is null or d.consumer_group = p_group)) as dead,
               coalesce(bool_or(g.judge and g.passed), false) as passed,
               max(c.lease_expires_at) filter (where g.judge and g.leased) as lease_expires_at,
               coalesce(bool_or(g.queue and g.passed), false) as queue_passed,
               coalesce(bool_or(g.queue and g.leased), false) as queue_leased,
               count(*) filter (where not g.queue and g.passed) as consumed_by,
               count(*) filter (where not g.queue) as total_groups,
               coalesce(bool_or(g.queue), false) as queue_mode
        from queen.partition_consumers c
        left join queen.redriven r
            on c.redriven > 0 and r.partition_id = c.partition_id and r.consumer_group = c.consumer_group and r.seq = p_seq
        cross join lateral (
            select c.consumer_group = '__QUEUE_MODE__' as queue,
                   c.consumer_group = coalesce(p_group, '__QUEUE_MODE__') as judge,
                   c.cursor >= p_seq and r.seq is null as passed,
                   coalesce(c.lease_expires_at > now() and case when r.seq is null then c.lease_last_seq >= p_seq
                       else r.lease_id = c.lease_id end, false) as leased
        ) g
        where c.partition_id = p_partition_id
    ) s
$$;

-- message_detail_v1(partition, transaction id) → detail, payload, is_encrypted; nulls when there is no such message
-- All that is known of a message: detail is a JSON object without the payload, which is given as it is stored.
-- errorMessage and retryCount are those of its last dead letter.
create or replace function queen.message_detail_v1(
    p_partition_id uuid, p_transaction_id text, out detail json, out payload text, out is_encrypted boolean)
language sql stable
as $$
    select json_build_object(
        'id', m.id, 'transactionId', m.transaction_id, 'partitionId', m.partition_id,
        'queuePath', q.name || '/' || p.name, 'queue', q.name, 'partition', p.name,
        'namespace', q.namespace, 'task', q.task, 'status', s.status, 'queueStatus', s.queue_status,
        'busStatus', json_build_object('consumedBy', s.consumed_by, 'totalGroups', s.total_groups),
        'isEncrypted', m.is_encrypted, 'traceId', m.trace_id, 'producerSub', m.producer_sub,
        'createdAt', queen.iso_time(m.created_at), 'errorMessage', d.error_message, 'retryCount', d.retry_count,
        'leaseExpiresAt', queen.iso_time(s.lease_expires_at),
        'headers', m.headers::json, 'deliverAt', queen.iso_time(m.deliver_at),
        'queueConfig', json_build_object(
            'leaseTime', q.lease_time, 'retryLimit', q.retry_limit, 'retryDelay', q.retry_delay,
            'retryBackoff', q.retry_backoff, 'retryDelayMax', q.retry_delay_max, 'retryJitter', q.retry_jitter, 'ttl', q.ttl,
            'priority', q.priority),
        'mode', json_build_object(
            'hasQueueMode', s.queue_mode, 'busGroupsCount', s.total_groups, 'consumedByGroups', s.consumed_by,
            'type', case when s.queue_mode and s.total_groups > 0 then 'hybrid' when s.queue_mode then 'queue'
                when s.total_groups > 0 then 'bus' else 'none' end),
        'consumerGroups', (
            select coalesce(json_agg(json_build_object(
                'name', c.consumer_group, 'consumed', c.cursor >= m.seq and r.seq is null,
                'leaseExpiresAt', case when c.lease_expires_at > now() and case when r.seq is not null
                        then r.lease_id = c.lease_id else c.cursor < m.seq and c.lease_last_seq >= m.seq end
                    then queen.iso_time(c.lease_expires_at) end
            ) order by c.consumer_group), '[]')
            from queen.partition_consumers c
            left join queen.redriven r on c.redriven > 0 and r.partition_id = c.partition_id
                and r.consumer_group = c.consumer_group and r.seq = m.seq
            where c.partition_id = m.partition_id)),
        m.payload, m.is_encrypted
    from queen.messages m
    join queen.partitions p on p.id = m.partition_id
    join queen.queues q on q.id = p.queue_id
    cross join lateral queen.message_standing_v1(m.partition_id, m.seq, null) s
    left join lateral (
        select d.error_message, d.retry_count
        from queen.dead_letters d
        where d.partition_id = m.partition_id and d.seq = m.seq
        order by d.failed_at desc, d.id
        limit 1
    ) d on true
    where m.partition_id = p_partition_id and m.transaction_id = p_transaction_id
$$;

-- delete_message_v1(partition, transaction id) → existed
-- Removes a message with its dead letters and traces. A consumer that holds it gets "Message not found" when it acks.
-- The partition remembers that one message less is stored, and when it was the first one, where the messages begin now.
-- What waited behind a message that was not due yet is news to the servers.
-- Locks  the partition, then rows of its groups that have redriven messages (settle_redriven_v1).
create or replace function queen.delete_message_v1(p_partition_id uuid, p_transaction_id text) returns boolean
language plpgsql
as $$
declare
    v_seq        bigint;
    v_deliver_at timestamptz;
begin
    perform from queen.partitions p where p.id = p_partition_id for no key update;
    if not found then
        return false;
    end if;
    delete from queen.messages m
    where m.partition_id = p_partition_id and m.transaction_id = p_transaction_id
    returning m.seq, m.deliver_at into v_seq, v_deliver_at;
    if not found then
        return false;
    end if;
    update queen.partitions p
    set removed = p.removed + 1,
        tail = greatest(p.tail, coalesce(
            (select m.seq - 1 from queen.messages m where m.partition_id = p.id order by m.seq limit 1), p.head))
    where p.id = p_partition_id;
    delete from queen.dead_letters d where d.partition_id = p_partition_id and d.seq = v_seq;
    delete from queen.traces t where t.partition_id = p_partition_id and t.transaction_id = p_transaction_id;
    perform queen.settle_redriven_v1(p_partition_id, v_seq - 1, v_seq);
    if v_deliver_at > now() then
        insert into queen.push_log (queue_id, partition_ids)
        select p.queue_id, array[p.id] from queen.partitions p where p.id = p_partition_id and p.head > v_seq;
    end if;
    return true;
end
$$;

-- clear_messages_v1(queue, partition, after, upto, limit) → deleted, last_partition, last_upto; nulls when unknown
-- Removes the messages of a queue or of one of its partitions (null: all), with their dead letters and traces, in
-- portions: each call removes p_limit messages at most and goes on where the last one stopped, partition by partition in
-- id order. What is pushed to a partition after its turn has come stays. Where all is removed, cursors move to the end of
-- it, so that nothing looks pending, and leases on what is gone end.
--
-- Takes  p_after, p_upto   null at the first call, then what the last one gave
-- Gives  deleted           messages removed by this call
--        last_partition    null when all is done
--        last_upto         null when that partition is done
-- Locks  the partitions of the portion in id order, then the rows of their groups in key order.
create or replace function queen.clear_messages_v1(
    p_queue text, p_partition text, p_after uuid, p_upto bigint, p_limit integer,
    out deleted bigint, out last_partition uuid, out last_upto bigint)
language plpgsql
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
    v_queue_id uuid := (select q.id from queen.queues q where q.name = p_queue);
    v_ids      uuid[];
    v_uptos    bigint[];
    v_done     integer;
begin
    if v_queue_id is null or (p_partition is not null and not exists (
        select from queen.partitions p where p.queue_id = v_queue_id and p.name = p_partition))
    then
        return;
    end if;

    -- As many partitions as hold p_limit messages, the one that is under way first.
    select array_agg(p.id order by p.id)
    into v_ids
    from (
        select p.id,
               coalesce(sum(p.head - p.removed) over (order by p.id rows between unbounded preceding and 1 preceding), 0) as before
        from queen.partitions p
        where p.queue_id = v_queue_id and (p_partition is null or p.name = p_partition) and p.head > p.removed
          and (p_after is null or p.id > p_after or (p.id = p_after and p_upto is not null))
    ) p
    where p.before < p_limit;
    deleted := 0;
    if v_ids is null then
        return;
    end if;

    select array_agg(p.id), array_agg(case when p.id = p_after then p_upto else p.head end) into v_ids, v_uptos
    from (
        select p.id, p.head from queen.partitions p where p.id = any (v_ids) order by p.id for no key update
    ) p;
    if v_ids is null then
        return;
    end if;

    with gone as (
        delete from queen.messages m
        using (
            select n.partition_id, n.seq
            from unnest(v_ids, v_uptos) with ordinality f (id, upto, ord)
            cross join lateral (
                select n.partition_id, n.seq from queen.messages n
                where n.partition_id = f.id and n.seq <= f.upto order by n.seq limit p_limit
            ) n
            order by f.ord, n.seq
            limit p_limit
        ) n
        where m.partition_id = n.partition_id and m.seq = n.seq
        returning m.partition_id, m.seq, m.transaction_id
    ), letters as (
        delete from queen.dead_letters d using gone g where d.partition_id = g.partition_id and d.seq = g.seq
    ), traces as (
        delete from queen.traces t
        using gone g where t.partition_id = g.partition_id and t.transaction_id = g.transaction_id
    ), counted as (
        update queen.partitions p
        set removed = p.removed + g.n, tail = greatest(p.tail, g.last)
        from (select g.partition_id, count(*) as n, max(g.seq) as last from gone g group by g.partition_id) g
        where p.id = g.partition_id
        returning g.n
    )
    select coalesce(sum(c.n), 0) into deleted from counted c;

    -- The first partition with messages left is where the next call goes on.
    select f.ord - 1, f.id, f.upto into v_done, last_partition, last_upto
    from unnest(v_ids, v_uptos) with ordinality f (id, upto, ord)
    where exists (select from queen.messages m where m.partition_id = f.id and m.seq <= f.upto)
    order by f.ord
    limit 1;
    if found then
        v_ids := v_ids[:v_done];
        v_uptos := v_uptos[:v_done];
    else
        last_partition := v_ids[cardinality(v_ids)];
    end if;

    perform
    from queen.partition_consumers c
    where c.partition_id = any (v_ids)
    order by c.partition_id, c.consumer_group
    for update;
    perform queen.settle_redriven_v1(f.id, 0, f.upto) from unnest(v_ids, v_uptos) f (id, upto);
    with freed as (
        update queen.partition_consumers c
        set cursor = greatest(c.cursor, f.upto), retry_count = 0, retry_at = null,
            lease_id = case when c.lease_last_seq > f.upto then c.lease_id end,
            lease_expires_at = case when c.lease_last_seq > f.upto then c.lease_expires_at end,
            lease_last_seq = case when c.lease_last_seq > f.upto then c.lease_last_seq end
        from unnest(v_ids, v_uptos) f (id, upto)
        where c.partition_id = f.id
        returning c.partition_id, c.cursor, c.lease_id
    )
    -- A partition that is free before its time, with messages left, is news to the servers.
    insert into queen.push_log (queue_id, partition_ids)
    select v_queue_id, array_agg(distinct p.id)
    from freed f
    join queen.partitions p on p.id = f.partition_id and p.head > f.cursor
    where f.lease_id is null
    having count(*) > 0;

    update queen.partitions p
    set tail = greatest(p.tail, f.upto)
    from unnest(v_ids, v_uptos) f (id, upto)
    where p.id = f.id and p.tail < f.upto;
end
$$;

-- Figures over time, from what each server wrote for each minute, and of PostgreSQL.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- status_v1(from, to, queue, namespace, task, visible) → json
-- The state of queues and servers and what they did in a span of time. Null for queue, namespace or task is any. With one
-- of them, or for a caller that may see some queues only (is_visible_v1), the throughput is that of the queues, without it
-- that of the servers; such a caller is not told what each server did.
create or replace function queen.status_v1(
    p_from timestamptz, p_to timestamptz, p_queue text, p_namespace text, p_task text,
    p_visible text[] default null) returns jsonb
language sql stable
as $$
    with wanted as (
        select q.id, q.name, q.namespace, q.task
        from queen.queues q
        where (p_queue is null or q.name = p_queue) and (p_namespace is null or q.namespace = p_namespace)
          and (p_task is null or q.task = p_task) and (p_visible is null or queen.is_visible_v1(q.name, p_visible))
    ), server as (
        select * from queen.series_points(p_from, p_to, false)
    ), used as (
        select s.* from server s where p_queue is null and p_namespace is null and p_task is null and p_visible is null
        union all
        select s.* from queen.series_points(p_from, p_to, true) s
        where (p_queue is not null or p_namespace is not null or p_task is not null or p_visible is not null)
          and s.queue_name in (select w.name from wanted w)
    ), system as (
        select queen.series_bucket(b.bucket, p_from, p_to) as bucket,
               avg(queen.series_sample(b.metrics, 'cpuUser', 'avg')) / 100 as cpu_user,
               avg(queen.series_sample(b.metrics, 'cpuSystem', 'avg')) / 100 as cpu_system,
               avg(queen.series_sample(b.metrics, 'rssBytes', 'avg')) / 1048576 as rss_mb,
               avg(queen.series_sample(b.metrics, 'poolActive', 'avg')) as pool_active,
               avg(queen.series_sample(b.metrics, 'poolIdle', 'avg')) as pool_idle,
               avg(queen.series_sample(b.metrics, 'poolSize', 'avg')) as pool_size
        from queen.metric_buckets b
        where b.bucket >= date_trunc('minute', p_from) and b.bucket <= p_to and b.queue_name = ''
        group by 1
    ), loops as (
        select s.bucket, avg(s.loop_lag) as lag, max(s.max_loop_lag) as max_lag, min(s.min_free_slots) as free_slots,
               sum(s.db_errors) as db_errors
        from server s group by s.bucket
    ), point as (
        select u.bucket, sum(u.push_messages) as pushed, sum(u.ack_messages) as acked, sum(u.pop_messages) as popped,
               sum(u.lag_sum) as lag, max(u.max_lag) as max_lag, sum(u.ack_failed) as ack_failed, sum(u.dlq_count) as dlq,
               queen.series_minutes(p_from, p_to) * 60 as seconds
        from used u group by u.bucket
    ), throughput as (
        select jsonb_agg(jsonb_build_object(
            'timestamp', queen.series_time(p.bucket), 'ingested', p.pushed, 'processed', p.acked, 'popMessages', p.popped,
            'ingestedPerSecond', round(p.pushed / p.seconds, 2), 'processedPerSecond', round(p.acked / p.seconds, 2),
            'popPerSecond', round(p.popped / p.seconds, 2), 'avgLagMs', round(p.lag / greatest(p.popped, 1)),
            'maxLagMs', p.max_lag, 'avgEventLoopLagMs', round(l.lag, 2), 'maxEventLoopLagMs', round(l.max_lag, 2),
            'minFreeSlots', l.free_slots, 'dbErrors', l.db_errors, 'ackFailed', p.ack_failed, 'dlqCount', p.dlq,
            'queenCpuUserPct', round(y.cpu_user, 2), 'queenCpuSysPct', round(y.cpu_system, 2),
            'queenRssMb', round(y.rss_mb, 1), 'dbPoolActive', round(y.pool_active, 1), 'dbPoolIdle', round(y.pool_idle, 1),
            'dbPoolSize', round(y.pool_size, 1)) order by p.bucket desc) as points
        from point p left join loops l on l.bucket = p.bucket left join system y on y.bucket = p.bucket
    ), part as (
        select p.id, p.queue_id, p.head, p.tail, p.removed, g.slowest, g.consumed, g.leased, g.lease_size, g.batch
        from queen.partitions p
        join wanted w on w.id = p.queue_id
        cross join lateral (
            select coalesce(min(c.cursor), 0) as slowest, coalesce(sum(c.total_consumed), 0) as consumed,
                   count(*) filter (where c.lease_expires_at > now()) as leased,
                   coalesce(sum(c.lease_last_seq - greatest(c.cursor, p.tail)) filter (where c.lease_expires_at > now()), 0) as lease_size,
                   coalesce(max(c.lease_last_seq) filter (where c.lease_expires_at > now()), 0) as batch
            from queen.partition_consumers c where c.partition_id = p.id) g
    ), sums as (
        select coalesce(sum(p.head - p.removed), 0) as total,
               coalesce(sum(least(p.head - greatest(p.slowest, p.tail), p.head - p.removed)), 0) as pending,
               coalesce(sum(greatest(p.batch - greatest(p.slowest, p.tail), 0)), 0) as processing,
               coalesce(sum(p.leased), 0) as leases, count(*) filter (where p.leased > 0) as leased_partitions,
               coalesce(sum(p.lease_size), 0) as lease_size
        from part p
    ), letters as (
        select count(*) as total, count(distinct d.partition_id) as partitions
        from queen.dead_letters d where d.partition_id in (select p.id from part p)
    ), errors as (
        select jsonb_agg(jsonb_build_object('error', e.error_message, 'count', e.n) order by e.n desc) as top
        from (select d.error_message, count(*) as n from queen.dead_letters d
              where d.partition_id in (select p.id from part p) group by 1 order by 2 desc limit 5) e
    ), did as (
        select coalesce(sum(u.push_requests), 0) as pushes, coalesce(sum(u.pop_requests), 0) as pops,
               coalesce(sum(u.ack_requests), 0) as acks, coalesce(sum(u.push_messages), 0) as pushed,
               coalesce(sum(u.pop_messages), 0) as popped, coalesce(sum(u.ack_messages), 0) as acked,
               coalesce(sum(u.ack_failed), 0) as ack_failed, coalesce(sum(u.dlq_count), 0) as dlq
        from used u
    ), worker as (
        select s.server_id, min(s.hostname) as hostname, avg(s.loop_lag) as lag, max(s.max_loop_lag) as max_lag,
               avg(s.free_slots) as free_slots, max(s.connections) as connections, avg(s.waiting) as waiting,
               sum(s.push_messages + s.pop_messages + s.ack_messages) as messages
        from server s where p_visible is null group by s.server_id
    )
    select jsonb_build_object(
        'timeRange', queen.series_range(p_from, p_to),
        'bucketMinutes', queen.series_minutes(p_from, p_to),
        'pointCount', coalesce(jsonb_array_length(t.points), 0),
        'throughput', coalesce(t.points, '[]'),
        'queues', coalesce((
            select jsonb_agg(jsonb_build_object('id', w.id, 'name', w.name, 'namespace', w.namespace, 'task', w.task,
                'partitions', p.n, 'totalConsumed', p.consumed,
                'paused', exists (select from queen.pauses z where z.queue_id = w.id and z.consumer_group = '')) order by w.name)
            from wanted w
            join (select p.queue_id, count(*) as n, sum(p.consumed) as consumed from part p
                  group by p.queue_id having sum(p.head - p.removed) > 0) p on p.queue_id = w.id), '[]'),
        'messages', jsonb_build_object('total', s.total, 'pending', greatest(s.pending - s.processing, 0),
            'processing', least(s.processing, s.pending), 'completed', s.total - s.pending, 'failed', 0,
            'deadLetter', d.total,
            'requests', jsonb_build_object('push', i.pushes, 'pop', i.pops, 'ack', i.acks),
            'batchEfficiency', jsonb_build_object('push', round(i.pushed / greatest(i.pushes, 1), 2),
                'pop', round(i.popped / greatest(i.pops, 1), 2), 'ack', round(i.acked / greatest(i.acks, 1), 2))),
        'leases', jsonb_build_object('active', s.leases, 'partitionsWithLeases', s.leased_partitions,
            'totalBatchSize', s.lease_size, 'totalAcked', i.acked),
        'deadLetterQueue', jsonb_build_object('totalMessages', d.total, 'affectedPartitions', d.partitions,
            'topErrors', coalesce(e.top, '[]')),
        'workers', coalesce((select jsonb_agg(jsonb_build_object('hostname', k.hostname, 'workerId', 0,
            'serverId', k.server_id, 'avgEventLoopLagMs', round(k.lag, 2), 'maxEventLoopLagMs', round(k.max_lag, 2),
            'freeSlots', round(k.free_slots, 1), 'dbConnections', k.connections, 'jobQueueSize', round(k.waiting, 1),
            'messagesProcessed', k.messages) order by k.server_id) from worker k), '[]'),
        'errors', jsonb_build_object('dbErrors', (select coalesce(sum(l.db_errors), 0) from loops l),
            'ackFailed', i.ack_failed, 'dlqMessages', i.dlq),
        'statsAge', 0)
    from throughput t, sums s, letters d, errors e, did i
$$;

-- status_analytics_v1(from, to, interval, queue, namespace, task, visible) → json
-- Messages stored per minute, hour or day, oldest first and without gaps, from the minute buckets: what was removed since
-- counts too. Null for queue, namespace or task is any. At most 10,000 points, the newest.
create or replace function queen.status_analytics_v1(
    p_from timestamptz, p_to timestamptz, p_interval text, p_queue text, p_namespace text, p_task text,
    p_visible text[] default null) returns jsonb
language sql stable
as $$
    with step as (
        select ('1 ' || p_interval)::interval as width
    ), point as (
        select g.at
        from step s
        cross join generate_series(
            greatest(
                date_trunc(p_interval, p_from at time zone 'UTC'),
                date_trunc(p_interval, p_to at time zone 'UTC') - 9999 * s.width),
            date_trunc(p_interval, p_to at time zone 'UTC'), s.width) g (at)
    ), stored as (
        select date_trunc(p_interval, b.bucket at time zone 'UTC') as at, sum((b.metrics ->> 'pushMessages')::numeric) as messages
        from queen.metric_buckets b
        where b.bucket >= date_trunc('minute', p_from) and b.bucket <= p_to
          and case
              when p_queue is null and p_namespace is null and p_task is null and p_visible is null then b.queue_name = ''
              else b.queue_name <> '' and b.queue_name in (
                  select q.name from queen.queues q
                  where (p_queue is null or q.name = p_queue) and (p_namespace is null or q.namespace = p_namespace)
                    and (p_task is null or q.task = p_task) and (p_visible is null or queen.is_visible_v1(q.name, p_visible)))
          end
        group by 1
    )
    select jsonb_build_object(
        'dataPoints', coalesce((
            select jsonb_agg(jsonb_build_object(
                'timestamp', to_char(p.at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'messages', coalesce(s.messages, 0)) order by p.at)
            from point p left join stored s on s.at = p.at), '[]'),
        'interval', p_interval, 'from', queen.iso_time(p_from), 'to', queen.iso_time(p_to))
$$;

-- system_metrics_v1(from, to, hostname, worker) → json
-- CPU, memory, connections and waiting pops of each server, oldest point first. Null for hostname or worker is any; every
-- server is worker 0 of its own. CPU numbers are hundredths of a percent of one core.
create or replace function queen.system_metrics_v1(p_from timestamptz, p_to timestamptz, p_hostname text, p_worker text) returns jsonb
language sql stable
as $$
    with sample as (
        select b.server_id, queen.series_bucket(b.bucket, p_from, p_to) as bucket, b.bucket as minute, s.key as name,
               b.metrics ->> 'hostname' as hostname, (b.metrics ->> 'port')::integer as port, (s.value ->> 'count')::numeric as n,
               (s.value ->> 'avg')::numeric as avg, (s.value ->> 'min')::numeric as min,
               (s.value ->> 'max')::numeric as max, (s.value ->> 'last')::numeric as last
        from queen.metric_buckets b
        cross join lateral jsonb_each(b.metrics -> 'samples') s
        where b.bucket >= date_trunc('minute', p_from) and b.bucket <= p_to and b.queue_name = ''
          and (p_hostname is null or b.metrics ->> 'hostname' = p_hostname) and (p_worker is null or p_worker = '0')
    ), value as (
        select s.server_id, s.bucket, s.name, min(s.hostname) as hostname, min(s.port) as port, sum(s.n) as n,
               jsonb_build_object('avg', round(sum(s.avg * s.n) / sum(s.n), 2), 'min', round(min(s.min), 2),
                   'max', round(max(s.max), 2), 'last', round((array_agg(s.last order by s.minute desc))[1], 2)) as value
        from sample s
        group by s.server_id, s.bucket, s.name
    ), point as (
        select v.server_id, v.bucket, min(v.hostname) as hostname, min(v.port) as port, max(v.n) as n, jsonb_object_agg(v.name, v.value) as m
        from value v
        group by v.server_id, v.bucket
    ), replica as (
        select p.server_id, min(p.hostname) as hostname, min(p.port) as port, count(*) as points,
               jsonb_agg(jsonb_build_object(
                   'timestamp', queen.series_time(p.bucket), 'sampleCount', p.n,
                   'metrics', jsonb_build_object(
                       'cpu', jsonb_build_object('user_us', p.m -> 'cpuUser', 'system_us', p.m -> 'cpuSystem'),
                       'memory', jsonb_build_object('rss_bytes', p.m -> 'rssBytes', 'virtual_bytes', p.m -> 'virtualBytes'),
                       'database', jsonb_build_object('pool_size', p.m -> 'poolSize', 'pool_idle', p.m -> 'poolIdle',
                           'pool_active', p.m -> 'poolActive'),
                       'event_loop', jsonb_build_object('lag_ms', p.m -> 'eventLoopLagMs'),
                       'registries', jsonb_build_object('response', p.m -> 'parked'),
                       'shared_state', jsonb_build_object('enabled', false))) order by p.bucket) as series
        from point p
        group by p.server_id
    )
    select jsonb_build_object(
        'timeRange', queen.series_range(p_from, p_to),
        'replicas', coalesce(jsonb_agg(jsonb_build_object('hostname', r.hostname, 'port', r.port, 'workerId', '0',
            'serverId', r.server_id, 'timeSeries', r.series) order by r.server_id), '[]'),
        'replicaCount', count(*), 'bucketMinutes', queen.series_minutes(p_from, p_to),
        'pointCount', coalesce(max(r.points), 0))
    from replica r
$$;

-- worker_metrics_v1(from, to, hostname, worker) → json
-- What the servers did, newest point first, with the state of each server and the sums of the span. Null for hostname or
-- worker is any; every server is worker 0 of its own.
create or replace function queen.worker_metrics_v1(p_from timestamptz, p_to timestamptz, p_hostname text, p_worker text) returns jsonb
language sql stable
as $$
    with server as (
        select s.* from queen.series_points(p_from, p_to, false) s
        where (p_hostname is null or s.hostname = p_hostname) and (p_worker is null or p_worker = '0')
    ), point as (
        select s.bucket, sum(s.push_messages) as pushed, sum(s.pop_messages) as popped, sum(s.ack_messages) as acked,
               sum(s.push_requests) as pushes, sum(s.pop_requests) as pops, sum(s.ack_requests) as acks,
               sum(s.jobs_done) as jobs, avg(s.loop_lag) as loop_lag, max(s.max_loop_lag) as max_loop_lag,
               avg(s.free_slots) as free_slots, min(s.min_free_slots) as min_free_slots, sum(s.connections) as connections,
               avg(s.waiting) as waiting, max(s.max_waiting) as max_waiting, sum(s.waiting_pops) as parked,
               sum(s.lag_sum) as lag, max(s.max_lag) as max_lag, sum(s.db_errors) as db_errors,
               sum(s.ack_success) as ack_success, sum(s.ack_failed) as ack_failed, sum(s.dlq_count) as dlq,
               queen.series_minutes(p_from, p_to) * 60 as seconds
        from server s group by s.bucket
    ), worker as (
        select s.server_id, min(s.hostname) as hostname, avg(s.loop_lag) as lag, max(s.max_loop_lag) as max_lag,
               avg(s.free_slots) as free_slots, max(s.connections) as connections, avg(s.waiting) as waiting,
               max(s.waiting_pops) as parked, sum(s.push_messages + s.pop_messages + s.ack_messages) as messages,
               max(s.last_seen) as last_seen
        from server s group by s.server_id
    ), queue as (
        select s.queue_name, sum(s.pop_messages) as popped, sum(s.lag_sum) as lag, max(s.max_lag) as max_lag
        from queen.series_points(p_from, p_to, true) s
        where p_hostname is null or s.hostname = p_hostname
        group by s.queue_name having sum(s.pop_messages) > 0
    )
    select jsonb_build_object(
        'timeRange', queen.series_range(p_from, p_to),
        'bucketMinutes', queen.series_minutes(p_from, p_to),
        'pointCount', count(*),
        'timeSeries', coalesce(jsonb_agg(jsonb_build_object(
            'timestamp', queen.series_time(p.bucket), 'pushMessages', p.pushed, 'popMessages', p.popped,
            'ackMessages', p.acked, 'pushRequests', p.pushes, 'popRequests', p.pops, 'ackRequests', p.acks,
            'jobsDone', p.jobs, 'pushPerSecond', round(p.pushed / p.seconds, 2),
            'popPerSecond', round(p.popped / p.seconds, 2), 'ackPerSecond', round(p.acked / p.seconds, 2),
            'avgEventLoopLagMs', round(p.loop_lag, 2), 'maxEventLoopLagMs', round(p.max_loop_lag, 2),
            'avgFreeSlots', round(p.free_slots, 1), 'minFreeSlots', p.min_free_slots, 'dbConnections', p.connections,
            'avgJobQueueSize', round(p.waiting, 1), 'maxJobQueueSize', p.max_waiting, 'backoffSize', p.parked,
            'avgLagMs', round(p.lag / greatest(p.popped, 1)), 'maxLagMs', p.max_lag, 'lagCount', p.popped,
            'dbErrors', p.db_errors, 'ackSuccess', p.ack_success, 'ackFailed', p.ack_failed, 'dlqCount', p.dlq)
            order by p.bucket desc), '[]'),
        'workers', coalesce((select jsonb_agg(jsonb_build_object('hostname', w.hostname, 'workerId', 0,
            'serverId', w.server_id, 'avgEventLoopLagMs', round(w.lag, 2), 'maxEventLoopLagMs', round(w.max_lag, 2),
            'freeSlots', round(w.free_slots, 1), 'dbConnections', w.connections, 'jobQueueSize', round(w.waiting, 1),
            'backoffSize', w.parked, 'messagesProcessed', w.messages, 'lastSeen', queen.series_time(w.last_seen))
            order by w.server_id) from worker w), '[]'),
        'queues', coalesce((select jsonb_agg(jsonb_build_object('queueName', q.queue_name, 'popCount', q.popped,
            'avgLagMs', round(q.lag / q.popped), 'maxLagMs', q.max_lag) order by q.popped desc, q.queue_name)
            from queue q), '[]'),
        'summary', jsonb_build_object('totalPushMessages', coalesce(sum(p.pushed), 0),
            'totalPopMessages', coalesce(sum(p.popped), 0), 'totalAckMessages', coalesce(sum(p.acked), 0),
            'totalPushRequests', coalesce(sum(p.pushes), 0), 'totalPopRequests', coalesce(sum(p.pops), 0),
            'totalAckRequests', coalesce(sum(p.acks), 0), 'totalDbErrors', coalesce(sum(p.db_errors), 0),
            'totalAckFailed', coalesce(sum(p.ack_failed), 0), 'totalDlq', coalesce(sum(p.dlq), 0),
            'pendingMessages', (
                select coalesce(sum(least(a.head - greatest(coalesce(c.slowest, 0), a.tail), a.head - a.removed)), 0)
                from queen.partitions a
                left join (select c.partition_id, min(c.cursor) as slowest
                           from queen.partition_consumers c group by 1) c on c.partition_id = a.id)))
    from point p
$$;

-- queue_ops_v1(from, to, queue, visible) → json
-- What was done with each queue, oldest point first. Null for the queue is any. Partitions created are those of a point
-- that are still there.
create or replace function queen.queue_ops_v1(
    p_from timestamptz, p_to timestamptz, p_queue text, p_visible text[] default null) returns jsonb
language sql stable
as $$
    with point as (
        select s.bucket, s.queue_name, sum(s.push_requests) as pushes, sum(s.push_messages) as pushed,
               sum(s.pop_messages) as popped, sum(s.pop_empty) as empty, sum(s.ack_requests) as acks,
               sum(s.ack_messages) as acked, sum(s.ack_success) as ack_success, sum(s.ack_failed) as ack_failed,
               sum(s.transactions) as transactions, sum(s.partitions_deleted) as deleted, sum(s.lag_sum) as lag,
               max(s.max_lag) as max_lag, sum(s.parked) as parked, queen.series_minutes(p_from, p_to) * 60 as seconds
        from queen.series_points(p_from, p_to, true) s
        where (p_queue is null or s.queue_name = p_queue) and (p_visible is null or queen.is_visible_v1(s.queue_name, p_visible))
        group by s.bucket, s.queue_name
    ), born as (
        select q.name, queen.series_bucket(p.created_at, p_from, p_to) as bucket, count(*) as n
        from queen.partitions p join queen.queues q on q.id = p.queue_id
        where p.created_at between p_from and p_to and (p_queue is null or q.name = p_queue)
        group by 1, 2
    ), held as (
        select q.name, count(*) as n
        from queen.partitions p join queen.queues q on q.id = p.queue_id
        where q.name in (select o.queue_name from point o)
        group by 1
    )
    select jsonb_build_object(
        'timeRange', queen.series_range(p_from, p_to),
        'bucketMinutes', queen.series_minutes(p_from, p_to),
        'series', coalesce(jsonb_agg(jsonb_build_object(
            'bucket', queen.series_time(o.bucket), 'queueName', o.queue_name, 'pushRequests', o.pushes,
            'pushMessages', o.pushed, 'popMessages', o.popped, 'popEmpty', o.empty, 'ackRequests', o.acks,
            'ackSuccess', o.ack_success, 'ackFailed', o.ack_failed, 'transactions', o.transactions,
            'partitionsCreated', coalesce(b.n, 0), 'partitionsDeleted', o.deleted, 'partitionCount', coalesce(h.n, 0),
            'avgLagMs', round(o.lag / greatest(o.popped, 1)), 'maxLagMs', o.max_lag,
            'pushPerSecond', round(o.pushed / o.seconds, 2), 'popPerSecond', round(o.popped / o.seconds, 2),
            'ackPerSecond', round(o.acked / o.seconds, 2), 'emptyPerSecond', round(o.empty / o.seconds, 2),
            'parkedCount', o.parked) order by o.bucket, o.queue_name), '[]'),
        'queues', coalesce(jsonb_agg(distinct o.queue_name), '[]'))
    from point o
    left join born b on b.name = o.queue_name and b.bucket = o.bucket
    left join held h on h.name = o.queue_name
$$;

-- queue_parked_replicas_v1(from, to, queue, visible) → json
-- Pops that waited, per queue and server, oldest point first. Null for the queue is any.
create or replace function queen.queue_parked_replicas_v1(
    p_from timestamptz, p_to timestamptz, p_queue text, p_visible text[] default null) returns jsonb
language sql stable
as $$
    with point as (
        select s.bucket, s.queue_name, s.server_id, s.hostname, s.parked
        from queen.series_points(p_from, p_to, true) s
        where (p_queue is null or s.queue_name = p_queue) and (p_visible is null or queen.is_visible_v1(s.queue_name, p_visible))
    )
    select jsonb_build_object(
        'timeRange', queen.series_range(p_from, p_to),
        'bucketMinutes', queen.series_minutes(p_from, p_to),
        'series', coalesce(jsonb_agg(jsonb_build_object('bucket', queen.series_time(p.bucket), 'queueName', p.queue_name,
            'hostname', p.hostname, 'workerId', 0, 'serverId', p.server_id, 'parkedCount', p.parked)
            order by p.bucket, p.queue_name, p.server_id), '[]'),
        'replicas', coalesce(
            jsonb_agg(distinct jsonb_build_object('hostname', p.hostname, 'workerId', 0, 'serverId', p.server_id)), '[]'))
    from point p
$$;

-- retention_series_v1(from, to, queue, visible) → json
-- What retention and eviction removed, oldest point first, and the sums of the span. Null for the queue is any.
create or replace function queen.retention_series_v1(
    p_from timestamptz, p_to timestamptz, p_queue text, p_visible text[] default null) returns jsonb
language sql stable
as $$
    with point as (
        select queen.series_bucket(h.executed_at, p_from, p_to) as bucket,
               coalesce(sum(h.deleted_count) filter (where h.kind = 'retention'), 0) as retention,
               coalesce(sum(h.deleted_count) filter (where h.kind = 'completed'), 0) as completed,
               coalesce(sum(h.deleted_count) filter (where h.kind = 'eviction'), 0) as eviction,
               sum(h.deleted_count) as total, count(*) as events
        from queen.retention_history h
        where h.executed_at between p_from and p_to and (p_queue is null or h.queue_name = p_queue)
          and (p_visible is null or queen.is_visible_v1(h.queue_name, p_visible))
        group by 1
    )
    select jsonb_build_object(
        'timeRange', queen.series_range(p_from, p_to),
        'bucketMinutes', queen.series_minutes(p_from, p_to),
        'series', coalesce(jsonb_agg(jsonb_build_object('bucket', queen.series_time(p.bucket),
            'retentionMsgs', p.retention, 'completedRetentionMsgs', p.completed, 'evictionMsgs', p.eviction,
            'totalMsgs', p.total, 'eventCount', p.events) order by p.bucket), '[]'),
        'totals', jsonb_build_object('retentionMsgs', coalesce(sum(p.retention), 0),
            'completedRetentionMsgs', coalesce(sum(p.completed), 0), 'evictionMsgs', coalesce(sum(p.eviction), 0),
            'totalMsgs', coalesce(sum(p.total), 0), 'eventCount', coalesce(sum(p.events), 0)))
    from point p
$$;

-- throughput_v1(visible) → ingested, processed
-- Messages pushed and acknowledged a second, by all servers together, of the queues that the caller may see (is_visible_v1), in the last minute whose bucket is written; zeros
-- when nothing was written for three minutes.
create or replace function queen.throughput_v1(p_visible text[], out ingested numeric, out processed numeric)
language sql stable
as $$
    select round(coalesce(sum((b.metrics ->> 'pushMessages')::numeric), 0) / 60, 2),
           round(coalesce(sum((b.metrics ->> 'ackMessages')::numeric), 0) / 60, 2)
    from queen.metric_buckets b
    where case when p_visible is null then b.queue_name = ''
               else b.queue_name <> '' and queen.is_visible_v1(b.queue_name, p_visible) end
      and b.bucket = (
          select max(l.bucket) from queen.metric_buckets l
          where l.bucket < date_trunc('minute', now()) and l.bucket >= date_trunc('minute', now()) - interval '3 minutes')
$$;

-- postgres_stats_v1() → json
-- What PostgreSQL tells of this database and of the tables of the schema queen: caches, sizes, dead rows, HOT updates,
-- vacuums, and the queries that run now; and of the server, see postgres_server_v1. Queries of other users show as far as the
-- role may see them. The shared buffers can be looked into only with an extension, so bufferUsage is empty.
create or replace function queen.postgres_stats_v1() returns jsonb
language sql stable
as $$
    select jsonb_build_object(
        'timestamp', queen.iso_time(now()),
        'database', current_database(),
        'databaseCache', (
            select jsonb_build_object('database', d.datname, 'diskReads', d.blks_read, 'cacheHits', d.blks_hit,
                'cacheHitRatio', coalesce(round(100.0 * d.blks_hit / nullif(d.blks_hit + d.blks_read, 0), 2), 0))
            from pg_stat_database d where d.datname = current_database()),
        'tableCache', coalesce((
            select jsonb_agg(jsonb_build_object('schema', t.schemaname, 'table', t.relname, 'diskReads', t.heap_blks_read,
                'cacheHits', t.heap_blks_hit, 'cacheHitRatio',
                coalesce(round(100.0 * t.heap_blks_hit / nullif(t.heap_blks_hit + t.heap_blks_read, 0), 2), 0)) order by t.relname)
            from pg_statio_user_tables t where t.schemaname = 'queen'), '[]'),
        'indexCache', coalesce((
            select jsonb_agg(jsonb_build_object('schema', i.schemaname, 'table', i.relname, 'index', i.indexrelname,
                'diskReads', i.idx_blks_read, 'cacheHits', i.idx_blks_hit, 'cacheHitRatio',
                coalesce(round(100.0 * i.idx_blks_hit / nullif(i.idx_blks_hit + i.idx_blks_read, 0), 2), 0)) order by i.indexrelname)
            from pg_statio_user_indexes i where i.schemaname = 'queen'), '[]'),
        'cacheSummary', (
            select jsonb_build_object(
                'tables', jsonb_build_object('diskReads', coalesce(sum(t.heap_blks_read), 0),
                    'cacheHits', coalesce(sum(t.heap_blks_hit), 0), 'cacheHitRatio',
                    coalesce(round(100.0 * sum(t.heap_blks_hit) / nullif(sum(t.heap_blks_hit + t.heap_blks_read), 0), 2), 0)),
                'indexes', jsonb_build_object('diskReads', coalesce(sum(t.idx_blks_read), 0),
                    'cacheHits', coalesce(sum(t.idx_blks_hit), 0), 'cacheHitRatio',
                    coalesce(round(100.0 * sum(t.idx_blks_hit) / nullif(sum(t.idx_blks_hit + t.idx_blks_read), 0), 2), 0)))
            from pg_statio_user_tables t where t.schemaname = 'queen'),
        'deadTuples', coalesce((
            select jsonb_agg(jsonb_build_object('schema', t.schemaname, 'table', t.relname, 'deadTuples', t.n_dead_tup,
                'liveTuples', t.n_live_tup, 'deadPercentage',
                coalesce(round(100.0 * t.n_dead_tup / nullif(t.n_live_tup + t.n_dead_tup, 0), 2), 0),
                'lastVacuum', queen.iso_time(t.last_vacuum), 'lastAutovacuum', queen.iso_time(t.last_autovacuum))
                order by t.n_dead_tup desc, t.relname)
            from pg_stat_user_tables t where t.schemaname = 'queen'), '[]'),
        'hotUpdates', coalesce((
            select jsonb_agg(jsonb_build_object('schema', t.schemaname, 'table', t.relname, 'totalUpdates', t.n_tup_upd,
                'hotUpdates', t.n_tup_hot_upd, 'hotUpdatePercentage',
                coalesce(round(100.0 * t.n_tup_hot_upd / nullif(t.n_tup_upd, 0), 2), 0)) order by t.n_tup_upd desc, t.relname)
            from pg_stat_user_tables t where t.schemaname = 'queen'), '[]'),
        'activeQueries', coalesce((
            select jsonb_agg(jsonb_build_object('pid', a.pid, 'duration', round(extract(epoch from now() - a.query_start), 3),
                'state', a.state, 'query', left(a.query, 200), 'waitEventType', a.wait_event_type, 'waitEvent', a.wait_event)
                order by a.query_start)
            from pg_stat_activity a
            where a.datname = current_database() and a.state <> 'idle' and a.pid <> pg_backend_pid()), '[]'),
        'autovacuumStatus', coalesce((
            select jsonb_agg(jsonb_build_object('schema', t.schemaname, 'table', t.relname, 'autovacuumCount', t.autovacuum_count,
                'autoanalyzeCount', t.autoanalyze_count, 'lastAutovacuum', queen.iso_time(t.last_autovacuum),
                'lastAutoanalyze', queen.iso_time(t.last_autoanalyze)) order by t.relname)
            from pg_stat_user_tables t where t.schemaname = 'queen'), '[]'),
        'bufferConfig', jsonb_build_object('sharedBuffers', current_setting('shared_buffers'),
            'sharedBuffersSize', pg_size_bytes(current_setting('shared_buffers'))),
        'bufferUsage', '[]'::jsonb,
        'tableSizes', coalesce((
            select jsonb_agg(jsonb_build_object('table', s.relname, 'totalSize', pg_size_pretty(s.total),
                'totalSizeBytes', s.total, 'tableSize', pg_size_pretty(s.own), 'tableSizeBytes', s.own,
                'indexSize', pg_size_pretty(s.indexes), 'indexSizeBytes', s.indexes) order by s.total desc, s.relname)
            from (select t.relname, pg_total_relation_size(t.relid) as total, pg_relation_size(t.relid) as own,
                         pg_indexes_size(t.relid) as indexes
                  from pg_stat_user_tables t where t.schemaname = 'queen') s), '[]'))
        || queen.postgres_server_v1()
$$;

-- postgres_server_v1() → json
-- What PostgreSQL tells of itself, one question after the other: one that fails, because the role lacks the right, or an
-- extension is not loaded, is answered with null, and the others are answered all the same. What the role may not see of others' sessions
-- is missing in them, or counted as unknown.
--
-- slowestStatements is null without pg_stat_statements. Only statements whose constants the extension has taken out are
-- shown: never an `alter role … password`.
create or replace function queen.postgres_server_v1() returns jsonb
language plpgsql stable
as $$
declare
    v_part   record;
    v_value  jsonb;
    v_result jsonb := '{}';
begin
    for v_part in
        select 'version' as name, $q$ select to_jsonb(current_setting('server_version')) $q$ as question
        union all
        select 'inRecovery', $q$ select to_jsonb(pg_is_in_recovery()) $q$
        union all
        select 'databaseSizeBytes', $q$ select to_jsonb(pg_database_size(current_database())) $q$
        union all
        select 'databaseSize', $q$ select to_jsonb(pg_size_pretty(pg_database_size(current_database()))) $q$
        union all
        select 'connections', $q$
            select jsonb_build_object(
                'max', current_setting('max_connections')::integer,
                'reserved', current_setting('superuser_reserved_connections')::integer,
                'total', coalesce(sum(s.n), 0), 'byState', coalesce(jsonb_object_agg(s.state, s.n), '{}'))
            from (
                select coalesce(a.state, 'unknown') as state, count(*) as n
                from pg_stat_activity a
                where coalesce(a.backend_type, 'client backend') = 'client backend'
                group by 1
            ) s $q$
        union all
        select 'longestTransaction', $q$
            select jsonb_build_object('pid', a.pid, 'user', a.usename, 'application', a.application_name,
                'startedAt', queen.iso_time(a.xact_start),
                'seconds', round(extract(epoch from clock_timestamp() - a.xact_start), 3), 'state', a.state,
                'query', left(a.query, 200), 'waitEventType', a.wait_event_type, 'waitEvent', a.wait_event)
            from pg_stat_activity a
            where a.datname = current_database() and a.xact_start is not null and a.pid <> pg_backend_pid()
              and a.backend_type = 'client backend'
            order by a.xact_start
            limit 1 $q$
        union all
        select 'replication', $q$
            select jsonb_build_object(
                'standbys', coalesce((
                    select jsonb_agg(jsonb_build_object('name', r.application_name, 'address', host(r.client_addr),
                        'state', r.state, 'syncState', r.sync_state,
                        'lagBytes', pg_wal_lsn_diff(w.place, r.replay_lsn),
                        'lagSeconds', round(extract(epoch from r.replay_lag), 3)) order by r.application_name, r.pid)
                    from pg_stat_replication r), '[]'),
                'slots', coalesce((
                    select jsonb_agg(jsonb_build_object('name', s.slot_name, 'type', s.slot_type, 'active', s.active,
                        'walStatus', s.wal_status, 'retainedBytes', pg_wal_lsn_diff(w.place, s.restart_lsn))
                        order by s.slot_name)
                    from pg_replication_slots s), '[]'))
            from (
                select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end as place
            ) w $q$
        union all
        select 'slowestStatements', (
            select format($q$
                select coalesce(jsonb_agg(jsonb_build_object('query', left(s.query, 200), 'calls', s.calls, 'rows', s.rows,
                    'meanMillis', round(s.mean_exec_time::numeric, 3), 'maxMillis', round(s.max_exec_time::numeric, 3),
                    'totalMillis', round(s.total_exec_time::numeric, 3)) order by s.mean_exec_time desc), '[]')
                from (
                    select *
                    from %I.pg_stat_statements s
                    where s.dbid = (select d.oid from pg_database d where d.datname = current_database())
                      and s.query ~* '^\s*(select|insert|update|delete|merge|with)\M'
                    order by s.mean_exec_time desc
                    limit 20
                ) s $q$, n.nspname)
            from pg_extension e
            join pg_namespace n on n.oid = e.extnamespace
            where e.extname = 'pg_stat_statements')
    loop
        v_value := null;
        begin
            if v_part.question is not null then
                execute v_part.question into v_value;
            end if;
        exception when others then
            v_value := null;
        end;
        v_result := v_result || jsonb_build_object(v_part.name, v_value);
    end loop;
    return v_result;
end
$$;

-- series_points(from, to, queues) → one row per point and server or queue
-- The minute buckets of a span, added up per point. p_queues false gives the rows of servers as wholes, true those of queues.
create or replace function queen.series_points(p_from timestamptz, p_to timestamptz, p_queues boolean)
returns table (
    bucket timestamptz, server_id text, queue_name text, hostname text, minutes bigint,
    push_requests numeric, push_messages numeric, pop_requests numeric, pop_messages numeric, pop_empty numeric,
    ack_requests numeric, ack_messages numeric, ack_success numeric, ack_failed numeric, dlq_count numeric,
    transactions numeric, lag_sum numeric, max_lag numeric, partitions_deleted numeric, parked numeric,
    jobs_done numeric, db_errors numeric, loop_lag numeric, max_loop_lag numeric, free_slots numeric,
    min_free_slots numeric, connections numeric, waiting numeric, max_waiting numeric, waiting_pops numeric,
    last_seen timestamptz
)
language sql stable
as $$
    select queen.series_bucket(b.bucket, p_from, p_to), b.server_id, b.queue_name, min(b.metrics ->> 'hostname'),
           count(distinct b.bucket),
           sum((b.metrics ->> 'pushRequests')::numeric), sum((b.metrics ->> 'pushMessages')::numeric),
           sum((b.metrics ->> 'popRequests')::numeric), sum((b.metrics ->> 'popMessages')::numeric),
           sum((b.metrics ->> 'popEmpty')::numeric), sum((b.metrics ->> 'ackRequests')::numeric),
           sum((b.metrics ->> 'ackMessages')::numeric), sum((b.metrics ->> 'ackSuccess')::numeric),
           sum((b.metrics ->> 'ackFailed')::numeric), sum((b.metrics ->> 'dlqCount')::numeric),
           sum((b.metrics ->> 'transactions')::numeric), sum((b.metrics ->> 'lagSumMs')::numeric),
           max((b.metrics ->> 'maxLagMs')::numeric), sum((b.metrics ->> 'partitionsDeleted')::numeric),
           max((b.metrics ->> 'parkedCount')::numeric), coalesce(sum((b.metrics ->> 'jobsDone')::numeric), 0),
           coalesce(sum((b.metrics ->> 'dbErrors')::numeric), 0),
           coalesce(avg(queen.series_sample(b.metrics, 'eventLoopLagMs', 'avg')), 0),
           coalesce(max(queen.series_sample(b.metrics, 'eventLoopLagMs', 'max')), 0),
           coalesce(avg(queen.series_sample(b.metrics, 'freeSlots', 'avg')), 0),
           coalesce(min(queen.series_sample(b.metrics, 'freeSlots', 'min')), 0),
           coalesce(max(queen.series_sample(b.metrics, 'dbConnections', 'last')), 0),
           coalesce(avg(queen.series_sample(b.metrics, 'jobQueueSize', 'avg')), 0),
           coalesce(max(queen.series_sample(b.metrics, 'jobQueueSize', 'max')), 0),
           coalesce(max(queen.series_sample(b.metrics, 'parked', 'max')), 0),
           max(b.bucket)
    from queen.metric_buckets b
    where b.bucket >= date_trunc('minute', p_from) and b.bucket <= p_to and (b.queue_name <> '') = p_queues
    group by 1, 2, 3
$$;

-- series_sample(metrics, name, part) → number
-- One value of a sample in a server's row of metric_buckets: avg, min, max, last or count.
create or replace function queen.series_sample(p_metrics jsonb, p_name text, p_part text) returns numeric
language sql immutable
as $$
    select (p_metrics -> 'samples' -> p_name ->> p_part)::numeric
$$;

-- series_minutes(from, to) → minutes
-- The width of the points of a series: an hour has points of one minute, longer spans wider ones.
create or replace function queen.series_minutes(p_from timestamptz, p_to timestamptz) returns integer
language sql immutable
as $$
    select case
        when p_to - p_from <= interval '1 hour' then 1
        when p_to - p_from <= interval '6 hours' then 5
        when p_to - p_from <= interval '24 hours' then 15
        when p_to - p_from <= interval '7 days' then 60
        else 360
    end
$$;

-- series_bucket(time, from, to) → the point of the series that the time belongs to
create or replace function queen.series_bucket(p_time timestamptz, p_from timestamptz, p_to timestamptz) returns timestamptz
language sql immutable
as $$
    select date_bin(make_interval(mins => queen.series_minutes(p_from, p_to)), p_time, timestamptz '2000-01-01T00:00:00Z')
$$;

-- series_time(time) → text
-- A point of a series as it is answered: UTC, whole seconds.
create or replace function queen.series_time(p_time timestamptz) returns text
language sql immutable
as $$
    select to_char(p_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
$$;

-- series_range(from, to) → the member timeRange of all series
create or replace function queen.series_range(p_from timestamptz, p_to timestamptz) returns jsonb
language sql immutable
as $$
    select jsonb_build_object('from', queen.iso_time(p_from), 'to', queen.iso_time(p_to))
$$;

-- Pop: claim partitions for a group and read their messages. The server: pop_sm_take, then pop_sm_shorten or
-- pop_sm_release for what it could not use. Applications: pop_messages_v2, or the steps of it one by one.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- ---------------------------------------------------------------------------------------------------------------------
-- Public SQL interface: applications call what follows. Names, arguments and answers stay.
-- ---------------------------------------------------------------------------------------------------------------------

-- pop_messages_v2(queue, partition, group, batch, lease seconds, mode, from) → {"messages": […], "leaseId": …}
-- A whole pop in one call, for consumers that speak only SQL, built from the same pieces as the server's.
--
--   select queen.pop_messages_v2('orders', p_consumer_group => 'billing', p_batch_size => 10);
--
-- p_partition_name null is any partition. p_lease_time_seconds 0 is the lease time of the queue. Subscription as over
-- HTTP: mode 'new', or p_subscription_from a time. Encrypted payloads are given as they are stored. While the queue or the
-- group is paused there are no messages, and "paused" is true.
create or replace function queen.pop_messages_v2(
    p_queue_name         text,
    p_partition_name     text default null,
    p_consumer_group     text default '__QUEUE_MODE__',
    p_batch_size         integer default 10,
    p_lease_time_seconds integer default 0,
    p_subscription_mode  text default 'all',
    p_subscription_from  text default null
) returns jsonb
language plpgsql
as $$
declare
    v_start   timestamptz;
    v_ids     uuid[];
    v_claim   record;
    v_removed boolean;
begin
    if exists (
        select from queen.queues q
        join queen.pauses z on z.queue_id = q.id and z.consumer_group in (p_consumer_group, '')
        where q.name = p_queue_name
    ) then
        return jsonb_build_object('messages', '[]'::jsonb, 'leaseId', null, 'paused', true);
    end if;

    v_start := case when p_subscription_from = 'now' or (p_subscription_from is null and p_subscription_mode in ('new', 'new-only'))
                    then clock_timestamp() else p_subscription_from::timestamptz end;
    if v_start is not null and p_consumer_group <> '__QUEUE_MODE__' then
        perform queen.pop_sm_subscribe(p_queue_name, p_consumer_group, coalesce(p_partition_name, ''),
            case when p_subscription_from is null or p_subscription_from = 'now' then 'new' else 'timestamp' end, v_start);
    end if;

    if p_partition_name is null then
        select array_agg(r.partition_id) into v_ids from queen.pop_sm_resolve(p_queue_name, p_consumer_group, 10) r;
    else
        select array_agg(p.id) into v_ids
        from queen.queues q join queen.partitions p on p.queue_id = q.id
        where q.name = p_queue_name and p.name = p_partition_name;
    end if;

    if v_ids is null then
        return jsonb_build_object('messages', '[]'::jsonb, 'leaseId', null);
    end if;

    loop
        v_removed := false;
        for v_claim in
            with fresh as (select queen.uuid_v7() as id), taken as materialized (
                select t.*
                from fresh
                cross join lateral queen.pop_sm_take(array_fill(1, array[cardinality(v_ids)]), v_ids,
                    array_fill(p_consumer_group, array[cardinality(v_ids)]), array_fill(p_batch_size, array[cardinality(v_ids)]),
                    array_fill(1, array[cardinality(v_ids)]), array_fill(fresh.id, array[cardinality(v_ids)]),
                    array_fill(false, array[cardinality(v_ids)]), array_fill(v_start, array[cardinality(v_ids)]),
                    array_fill(queen.session_holder_v1(), array[cardinality(v_ids)]), false, 9223372036854775807) t
            )
            select c.*, v_ids[c.candidate] as partition_id, (
                select jsonb_agg(jsonb_build_object('id', m.id, 'transactionId', m.transaction_id, 'traceId', m.trace_id,
                    'data', m.payload::jsonb, 'producerSub', m.producer_sub, 'retryCount', c.retry_count,
                    'createdAt', to_char(m.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
                    'queue', c.queue_name, 'partition', c.partition_name, 'partitionId', v_ids[c.candidate],
                    'leaseId', c.lease_id, 'consumerGroup', p_consumer_group)
                    || jsonb_strip_nulls(jsonb_build_object('headers', m.headers::jsonb, 'deliverAt',
                        to_char(m.deliver_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))) order by m.seq)
                from taken m
                where m.outcome is null and m.candidate = c.candidate) as messages
            from taken c
            where c.outcome = 'claimed'
        loop
            if v_claim.messages is not null then
                if p_lease_time_seconds > 0 then
                    update queen.partition_consumers k
                    set lease_expires_at = clock_timestamp() + make_interval(secs => p_lease_time_seconds)
                    where k.partition_id = v_claim.partition_id and k.consumer_group = p_consumer_group;
                end if;
                return jsonb_build_object('messages', v_claim.messages, 'leaseId', v_claim.lease_id);
            end if;
            perform queen.pop_sm_release(array[v_claim.partition_id], array[p_consumer_group], array[v_claim.lease_id],
                array[v_claim.last_seq]);
            v_removed := true;
        end loop;
        -- What was claimed had been removed, and the cursor is behind it now: there may be more.
        exit when not v_removed;
    end loop;
    return jsonb_build_object('messages', '[]'::jsonb, 'leaseId', null);
end
$$;

-- pop_messages_batch_v2(requests) → results
-- Several pops in one call, each with a lease of its own.
--
--   select queen.pop_messages_batch_v2('[{"idx": 0, "queue": "orders", "consumerGroup": "billing", "batch": 5}]');
--
-- Takes  an array of objects: queue (required), partition (absent, '' or '*' is any), consumerGroup, batch (1),
--        leaseTime (seconds, 0 is the queue's), subMode, subFrom, idx (given back).
-- Gives  an array in the same order: {"idx", "result": {"messages", "leaseId"}}. Two requests never get one partition.
create or replace function queen.pop_messages_batch_v2(p_requests jsonb) returns jsonb
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

-- pop_specific_batch(requests) → results
-- pop_messages_batch_v2 under the name that it has on other servers of this protocol.
create or replace function queen.pop_specific_batch(p_requests jsonb) returns jsonb
language sql
as $$
    select queen.pop_messages_batch_v2(p_requests)
$$;

-- has_pending_messages(queue, partition, group) → boolean
-- Whether a pop would find something: a partition with messages after the group's cursor, or redriven ones, that are due
-- and under no live lease. The cheap look before a claim, for consumers that speak SQL: the server asks changes_since_v1 instead.
-- p_partition null or '*' is any partition of the queue.
create or replace function queen.has_pending_messages(p_queue_name text, p_partition_name text, p_consumer_group text) returns boolean
language sql stable
as $$
    select exists (
        select
        from queen.queues q
        join queen.partitions p on p.queue_id = q.id
        cross join lateral queen.pop_sm_standing(q.name, p.id, p.name, p.head, p.last_push_at, p_consumer_group) c
        where q.name = p_queue_name
          and (p_partition_name is null or p_partition_name = '*' or p.name = p_partition_name)
          and (p.head > greatest(c.cursor, p.tail) or c.redriven > 0)
          and (c.lease_expires_at is null or c.lease_expires_at <= now())
          and (c.retry_at is null or c.retry_at <= now())
          and (c.redriven > 0
              or (q.window_buffer = 0 and q.delayed_processing = 0 and (p.delayed_until > now()) is not true)
              or (queen.available_at_v1(p.id, greatest(c.cursor, p.tail), p.last_push_at, q.window_buffer,
                  q.delayed_processing, p.delayed_until) > now()) is not true)
    )
$$;

-- pop_sm_resolve(queue, group, limit) → partitions
-- The partitions of a queue from which the group could pop now, least recently served first.
--
--   select * from queen.pop_sm_resolve('orders', 'billing');
--
-- Gives  partition_id, partition_name, queue_id, lease_time, window_buffer, delayed_processing.
-- It looks at all partitions of the queue: right for a person and for consumers that speak SQL. The server remembers
-- which partitions have messages (changes_since_v1) and does not call it. No lock is taken: the lease decides.
create or replace function queen.pop_sm_resolve(p_queue_name text, p_consumer_group text, p_limit integer default 1)
returns table (
    partition_id       uuid,
    partition_name     text,
    queue_id           uuid,
    lease_time         integer,
    window_buffer      integer,
    delayed_processing integer
)
language sql stable
as $$
    select p.id, p.name, q.id, q.lease_time, q.window_buffer, q.delayed_processing
    from queen.queues q
    join queen.partitions p on p.queue_id = q.id
    cross join lateral queen.pop_sm_standing(q.name, p.id, p.name, p.head, p.last_push_at, p_consumer_group) c
    where q.name = p_queue_name
      and (p.head > greatest(c.cursor, p.tail) or c.redriven > 0)
      and (c.lease_expires_at is null or c.lease_expires_at <= now())
      and (c.retry_at is null or c.retry_at <= now())
      and (c.redriven > 0
          or (q.window_buffer = 0 and q.delayed_processing = 0 and (p.delayed_until > now()) is not true)
          or (queen.available_at_v1(p.id, greatest(c.cursor, p.tail), p.last_push_at, q.window_buffer,
              q.delayed_processing, p.delayed_until) > now()) is not true)
    order by c.last_consumed_at nulls first, p.last_push_at
    limit p_limit
$$;

-- pop_sm_lease(requests × candidate partitions) → what became of each candidate
-- pop_sm_take without the messages: takes and gives as it says there. For SQL; the server claims and reads in one call.
-- The holder of the leases is the session, see session_holder_v1.
create or replace function queen.pop_sm_lease(
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

-- pop_sm_fetch(claims, bytes) → messages
-- Reads what was claimed: for each claim the messages after p_first up to p_last, in sequence order, the claims
-- one after the other. A plain read of the primary key: no sort, because the claims are walked in their order.
-- A view with parameters: the caller's statement takes it in, and runs under the caller's settings.
--
-- Takes  p_bytes  per claim, bytes of payloads and headers after which it is cut off; the first message always comes. Null: no limit.
--                 A claim that was cut off is to be made as short as what was read, see pop_sm_shorten.
-- Gives  claim (from 1), seq, id, transaction_id, trace_id, payload, is_encrypted, producer_sub, created_at, headers (null
--        for none), deliver_at (null when it was not delayed).
create or replace function queen.pop_sm_fetch(p_partition_id uuid[], p_first bigint[], p_last bigint[], p_bytes bigint[] default null)
returns table (
    claim          integer,
    seq            bigint,
    id             uuid,
    transaction_id text,
    trace_id       uuid,
    payload        text,
    is_encrypted   boolean,
    producer_sub   text,
    created_at     timestamptz,
    headers        text,
    deliver_at     timestamptz
)
language sql stable
as $$
    select c, m.seq, m.id, m.transaction_id, m.trace_id, m.payload, m.is_encrypted, m.producer_sub,
           m.created_at, m.headers, m.deliver_at
    from generate_series(1, cardinality(p_partition_id)) c
    cross join lateral (
        select m.*,
               sum(octet_length(m.payload) + coalesce(octet_length(m.headers), 0))
                   over (order by m.seq rows between unbounded preceding and 1 preceding) as before
        from queen.messages m
        where m.partition_id = p_partition_id[c] and m.seq > p_first[c] and m.seq <= p_last[c]
        order by m.seq
    ) m
    where (m.before < p_bytes[c]) is not false
$$;

-- pop_sm_release(claims) → per claim whether it was released
-- Gives leases back before their time, only those still held under the given id: a claim that found nothing, or one
-- whose consumer has gone away.
-- p_cursor: when everything up to there was removed and nothing was found, the cursor moves up to the next message that
-- is there, or to the head, or the partition would look full forever; null leaves it. Never back.
-- What is given back with messages left is news to the other servers, so it goes into the push log.
-- Locks  rows of partition_consumers in key order.
create or replace function queen.pop_sm_release(
    p_partition_id uuid[], p_consumer_group text[], p_lease_id uuid[], p_cursor bigint[]) returns setof boolean
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
begin
    perform
    from (
        -- Sorted before it is joined: the rows are locked in this order.
        select * from unnest(p_partition_id, p_consumer_group) c (partition_id, consumer_group)
        order by c.partition_id, c.consumer_group
    ) c
    cross join lateral (
        select from queen.partition_consumers k
        where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group
        for update
    ) k;

    return query
    with released as (
        update queen.partition_consumers k
        set lease_id = null, lease_expires_at = null, lease_last_seq = null,
            cursor = case when c.cursor is null then k.cursor else greatest(k.cursor, (
                select coalesce(
                    (select min(m.seq) - 1 from queen.messages m where m.partition_id = p.id and m.seq > c.cursor), p.head)
                from queen.partitions p
                where p.id = c.partition_id)) end
        from unnest(p_partition_id, p_consumer_group, p_lease_id, p_cursor)
            with ordinality c (partition_id, consumer_group, lease_id, cursor, ord)
        cross join lateral (
            select r.ctid as place from queen.partition_consumers r
            where r.partition_id = c.partition_id and r.consumer_group = c.consumer_group and r.lease_id = c.lease_id
            limit 1
        ) r
        where k.ctid = r.place
        returning c.ord, k.partition_id, k.cursor, k.redriven
    ), logged as (
        insert into queen.push_log (queue_id, partition_ids)
        select p.queue_id, array_agg(p.id)
        from released r
        cross join lateral (select p.* from queen.partitions p where p.id = r.partition_id and (p.head > r.cursor or r.redriven > 0) limit 1) p
        group by p.queue_id
    )
    select r.ord is not null
    from unnest(p_partition_id) with ordinality c (partition_id, ord)
    left join released r on r.ord = c.ord
    order by c.ord;
end
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- The server's own: what follows may change with every release.
-- ---------------------------------------------------------------------------------------------------------------------

-- pop_sm_take(requests × candidate partitions, bytes) → what became of each candidate, and the messages of the claims
-- The judge of a pop: one atomic check-and-set per candidate, for any number of requests in one call, and the messages of
-- what was claimed. Both in one call because starting a statement, and waiting for its answer, costs more than either.
--
-- Takes  arrays of one length, one element per candidate, the candidates of a request side by side and in the order in
--        which it wants them; no (partition, group) twice in one call:
--        p_request       number of the request
--        p_partition_id, p_consumer_group
--        p_batch         messages the request wants in all; p_partitions how many partitions it takes at most
--        p_lease_id      fresh id for its lease; the lease gets lease_id_for(this, first partition claimed)
--        p_auto_ack      move the cursor at once and take no lease
--        p_start         where the group starts here if nothing else says so: null is the beginning
--        p_holder        who asks, kept with the lease: an address, a space, a name
--        and
--        p_again         the call was sent before and its outcome is not known: leases it took then are its own
--        p_bytes         bytes of payloads and headers of one request, about: each of its partitions has the same part of them, and the
--                        messages of a claim end where its part does; the first always comes. Null reads no messages.
-- Gives  rows of two kinds:
--        one per candidate, in order; candidate counts from 1:
--        outcome    claimed   the messages after first_seq up to last_seq are the request's
--                   free      could be claimed, but the request had enough
--                   leased, delayed, window   not before due_ms have passed
--                   locked    somebody else is at it right now
--                   empty     nothing after the cursor
--                   gone      there is no such partition
--        due_ms     milliseconds until it is worth another look; for a claim, until its lease expires
--        more       messages are left behind the claim
--        The partition was seen with these values: queue_name, partition_name, retry_count; lease_id when claimed.
--        then the messages, claim after claim in sequence order: candidate, seq … deliver_at; outcome is null.
--
-- Messages that were redriven for the group come before all others and in claims of their own, see R__dead_letter.sql:
-- first_seq and last_seq are then before the cursor, and only some of the messages between them are the request's.
--
-- A claim that auto-acked and was cut off by p_bytes is corrected here, in the transaction that moved its cursor: the
-- cursor goes to before the next message, and what is left is news. A lease that was cut off, or under which all had been
-- removed, the caller corrects (pop_sm_shorten, pop_sm_release): until then it only looks longer than it is.
--
-- One statement locks and reads the candidates, one writes the claims, one reads the messages; what is between is decided
-- in plain code, because a lone pop is the common call, and starting up one large statement costs more than all the rows
-- it touches. None sorts: nothing but nested loops is allowed, and they keep the order of the series they start from.
-- Creates the row of a group that is new to a partition, at the start that its subscription says.
-- Settings, and writing by ctid: see R__push.sql.
-- Locks  partitions that are new to a group, against being deleted (a push does not wait for that), then rows of
--        partition_consumers; skips what others hold: a pop never waits.
-- The lease is committed without waiting for the disk unless something was acked: a lease lost in a crash of
-- PostgreSQL is one that ended early.
create or replace function queen.pop_sm_take(
    p_request        integer[],
    p_partition_id   uuid[],
    p_consumer_group text[],
    p_batch          integer[],
    p_partitions     integer[],
    p_lease_id       uuid[],
    p_auto_ack       boolean[],
    p_start          timestamptz[],
    p_holder         text[],
    p_again          boolean,
    p_bytes          bigint
) returns table (
    candidate      integer,
    outcome        text,
    queue_name     text,
    partition_name text,
    first_seq      bigint,
    last_seq       bigint,
    due_ms         bigint,
    lease_id       uuid,
    retry_count    integer,
    more           boolean,
    seq            bigint,
    id             uuid,
    transaction_id text,
    trace_id       uuid,
    payload        text,
    is_encrypted   boolean,
    producer_sub   text,
    created_at     timestamptz,
    headers        text,
    deliver_at     timestamptz
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_now           timestamptz;
    v_due_at        timestamptz;
    v_before        bigint;
    v_waits         boolean;
    v_candidate     record;
    v_request       integer;
    v_claims        integer;
    v_wanted        bigint;
    v_cursor        bigint;
    v_setting       text;
    v_again         record;
    v_auto          boolean := true = any (p_auto_ack);
    v_shared        boolean := false;
    -- One element per claim.
    v_rows          tid[];
    v_candidates    integer[];
    v_partition_ids uuid[];
    v_lease_ids     uuid[];
    v_lease_times   integer[];
    v_cursors       bigint[];
    v_ends          bigint[];
    v_bytes         bigint[];
    v_redriven      integer[];
    -- One element per redriven message.
    v_again_ords    integer[];
    v_again_seqs    bigint[];
begin
    if not v_auto then
        v_setting := set_config('synchronous_commit', 'off', true);
    end if;

    -- Before any row is locked: an insert may meet another of the same row.
    if exists (
        select from unnest(p_partition_id, p_consumer_group) c (partition_id, consumer_group)
        where (select true from queen.partition_consumers k
               where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group) is null
    ) then
        perform queen.pop_sm_join(p_partition_id, p_consumer_group, p_start);
        perform queen.recount_room_v1(p_partition_id);
    end if;

    v_now := clock_timestamp();
    for v_candidate in
        select c.*, q.name as queue_name, p.name as partition_name, p.head, p.tail, p.last_push_at,
               p.delayed_until, q.window_buffer, q.delayed_processing, coalesce(nullif(q.lease_time, 0), 60) as lease_time,
               k.*
        from (
            select c as ord, p_request[c] as request, p_partition_id[c] as partition_id, p_consumer_group[c] as consumer_group,
                   p_batch[c] as batch, p_partitions[c] as partitions, p_lease_id[c] as fresh_id, p_auto_ack[c] as auto_ack
            from generate_series(1, cardinality(p_request)) c
        ) c
        left join lateral (
            select p.queue_id, p.name, p.head, p.tail, p.last_push_at, p.delayed_until
            from queen.partitions p where p.id = c.partition_id limit 1
        ) p on true
        left join lateral (
            select q.name, q.window_buffer, q.delayed_processing, q.lease_time
            from queen.queues q where q.id = p.queue_id limit 1
        ) q on true
        left join lateral (
            select k.ctid as place, k.cursor, k.lease_id, k.lease_expires_at, k.retry_count, k.redriven, k.retry_at
            from queen.partition_consumers k
            where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group
            for update skip locked
        ) k on true
    loop
        if v_candidate.request is distinct from v_request then
            v_request := v_candidate.request;
            v_wanted := v_candidate.batch;
            v_claims := 0;
        end if;
        candidate := v_candidate.ord;
        queue_name := v_candidate.queue_name;
        partition_name := v_candidate.partition_name;
        retry_count := coalesce(v_candidate.retry_count, 0);
        first_seq := null;
        last_seq := null;
        lease_id := null;
        more := false;
        v_due_at := null;
        v_cursor := greatest(v_candidate.cursor, v_candidate.tail);
        if v_candidate.redriven > 0 then
            select l.place, l.waiting into v_candidate.place, v_candidate.redriven
            from queen.redriven_left_v1(v_candidate.partition_id, v_candidate.consumer_group, v_candidate.place,
                v_candidate.redriven) l;
        end if;

        outcome := queen.pop_outcome_v1(v_candidate.queue_name, v_candidate.cursor, v_candidate.lease_expires_at,
            p_again and queen.is_lease_for(v_candidate.lease_id, v_candidate.fresh_id), v_candidate.retry_at,
            v_candidate.redriven, v_candidate.head, v_cursor, v_candidate.window_buffer, v_candidate.last_push_at, v_now);
        if outcome <> 'free' then
            v_due_at := case outcome
                when 'leased' then v_candidate.lease_expires_at
                when 'delayed' then v_candidate.retry_at
                when 'window' then v_candidate.last_push_at + make_interval(secs => v_candidate.window_buffer)
            end;
        elsif v_candidate.redriven = 0 then
            last_seq := v_candidate.head;
            if v_candidate.delayed_processing > 0 or v_candidate.delayed_until > v_now then
                -- The first message of the batch that is not due yet: it waits, and so does all that comes after it.
                select m.seq - 1, m.nth = 1, m.due_at
                into v_before, v_waits, v_due_at
                from (
                    select m.seq, row_number() over () as nth, queen.due_at_v1(
                        m.created_at, m.deliver_at, v_candidate.delayed_processing) as due_at
                    from (
                        select m.seq, m.created_at, m.deliver_at
                        from queen.messages m
                        where m.partition_id = v_candidate.partition_id and m.seq > v_cursor
                        order by m.seq
                        limit v_candidate.batch
                    ) m
                ) m
                where m.due_at > v_now
                limit 1;
                if v_waits then
                    outcome := 'delayed';
                else
                    v_due_at := null;
                end if;
                last_seq := least(v_candidate.head, v_before);
            end if;
        end if;

        if outcome = 'free' and v_claims < v_candidate.partitions and v_wanted > 0 then
            outcome := 'claimed';
            due_ms := v_candidate.lease_time * 1000::bigint;
            if v_claims > 0 then
                v_shared := true;
                lease_id := v_lease_ids[cardinality(v_lease_ids)];
            elsif not v_candidate.auto_ack then
                lease_id := queen.lease_id_for(v_candidate.fresh_id, v_candidate.partition_id);
            end if;
            if v_candidate.redriven > 0 then
                select * into v_again
                from queen.take_redriven_v1(v_candidate.partition_id, v_candidate.consumer_group, lease_id, v_wanted,
                    p_bytes / v_candidate.partitions);
                if v_again.seqs is null then
                    outcome := 'locked';
                    lease_id := null;
                    due_ms := null;
                    return next;
                    continue;
                end if;
                first_seq := v_again.seqs[1] - 1;
                last_seq := v_again.seqs[cardinality(v_again.seqs)];
                retry_count := v_again.retry_count;
                more := v_candidate.redriven > cardinality(v_again.seqs) or v_candidate.head > v_cursor;
                v_wanted := v_wanted - cardinality(v_again.seqs);
                v_redriven := v_redriven || case when lease_id is null then cardinality(v_again.seqs) else 0 end;
                v_again_ords := v_again_ords || array_fill(v_candidate.ord, array[cardinality(v_again.seqs)]);
                v_again_seqs := v_again_seqs || v_again.seqs;
            else
                first_seq := v_cursor;
                last_seq := least(last_seq, v_cursor + v_wanted);
                more := v_candidate.head > last_seq;
                v_wanted := v_wanted - (last_seq - first_seq);
                v_redriven := v_redriven || 0;
            end if;
            v_claims := v_claims + 1;
            v_rows := v_rows || v_candidate.place;
            v_candidates := v_candidates || v_candidate.ord;
            v_partition_ids := v_partition_ids || v_candidate.partition_id;
            v_lease_ids := v_lease_ids || lease_id;
            v_lease_times := v_lease_times || v_candidate.lease_time;
            v_cursors := v_cursors || v_cursor;
            v_ends := v_ends || last_seq;
        else
            last_seq := null;
            due_ms := ceil(extract(epoch from v_due_at - v_now) * 1000);
        end if;
        return next;
    end loop;

    if v_rows is null then
        return;
    end if;
    update queen.partition_consumers k
    set cursor = greatest(v_cursors[c], case when v_lease_ids[c] is null then v_ends[c] end),
        lease_id = v_lease_ids[c],
        lease_expires_at = case when v_lease_ids[c] is not null then v_now + make_interval(secs => v_lease_times[c]) end,
        lease_last_seq = case when v_lease_ids[c] is not null then v_ends[c] end,
        retry_count = case when v_lease_ids[c] is null and v_ends[c] > v_cursors[c] then 0 else k.retry_count end,
        redriven = k.redriven - v_redriven[c],
        retry_at = null,
        total_consumed = k.total_consumed + case when v_lease_ids[c] is null then greatest(v_ends[c] - v_cursors[c], 0) else 0 end,
        total_batches = k.total_batches + (v_lease_ids[c] is null)::integer,
        last_consumed_at = v_now,
        progressed_at = case when v_lease_ids[c] is null then v_now else k.progressed_at end,
        leased_by = case when v_lease_ids[c] is null then k.leased_by else p_holder[v_candidates[c]] end
    from generate_series(1, cardinality(v_rows)) c
    where k.ctid = v_rows[c];

    if v_shared then
        insert into queen.shared_leases (lease_id, consumer_group, partition_ids)
        select c.lease_id, min(p_consumer_group[c.candidate]), array_agg(p_partition_id[c.candidate])
        from unnest(v_candidates, v_lease_ids) c (candidate, lease_id)
        where c.lease_id is not null
        group by c.lease_id
        having count(*) > 1
        on conflict do nothing;

        v_bytes := array(
            select p_bytes / count(*) over (partition by p_request[c.candidate])
            from unnest(v_candidates) with ordinality c (candidate, ord)
            order by c.ord);
    else
        v_bytes := array_fill(p_bytes, array[cardinality(v_rows)]);
    end if;

    if p_bytes is null then
        return;
    elsif v_again_ords is not null then
        return query
        select v_again_ords[r], null::text, null::text, null::text, null::bigint, null::bigint, null::bigint, null::uuid,
               null::integer, null::boolean, m.seq, m.id, m.transaction_id, m.trace_id, m.payload, m.is_encrypted,
               m.producer_sub, m.created_at, m.headers, m.deliver_at
        from generate_series(1, cardinality(v_again_ords)) r
        cross join lateral (
            select m.* from queen.messages m
            where m.partition_id = p_partition_id[v_again_ords[r]] and m.seq = v_again_seqs[r]
            limit 1
        ) m;
    end if;

    if not v_auto then
        return query
        select v_candidates[m.claim], null::text, null::text, null::text, null::bigint, null::bigint, null::bigint, null::uuid,
               null::integer, null::boolean, m.seq, m.id, m.transaction_id, m.trace_id, m.payload, m.is_encrypted,
               m.producer_sub, m.created_at, m.headers, m.deliver_at
        from queen.pop_sm_fetch(v_partition_ids, v_cursors, v_ends, v_bytes) m;
        return;
    end if;

    return query
    with read as materialized (
        select * from queen.pop_sm_fetch(v_partition_ids, v_cursors, v_ends, v_bytes)
    ), cut as (
        update queen.partition_consumers k
        set cursor = c.next, total_consumed = k.total_consumed - (v_ends[c.claim] - c.next)
        from (
            select r.claim, (
                select min(m.seq) - 1
                from queen.messages m
                where m.partition_id = v_partition_ids[r.claim] and m.seq > r.seq and m.seq <= v_ends[r.claim]) as next
            from (select r.claim, max(r.seq) as seq from read r group by r.claim) r
            where r.seq < v_ends[r.claim] and v_lease_ids[r.claim] is null
        ) c
        cross join lateral (
            select o.ctid as place
            from queen.partition_consumers o
            where o.partition_id = v_partition_ids[c.claim] and o.consumer_group = p_consumer_group[v_candidates[c.claim]]
            limit 1
        ) o
        where k.ctid = o.place and c.next is not null
        returning k.partition_id
    ), news as (
        insert into queen.push_log (queue_id, partition_ids)
        select p.queue_id, array_agg(p.id)
        from cut c
        cross join lateral (select p.queue_id, p.id from queen.partitions p where p.id = c.partition_id limit 1) p
        group by p.queue_id
    )
    select v_candidates[m.claim], null::text, null::text, null::text, null::bigint, null::bigint, null::bigint, null::uuid,
           null::integer, null::boolean, m.seq, m.id, m.transaction_id, m.trace_id, m.payload, m.is_encrypted,
           m.producer_sub, m.created_at, m.headers, m.deliver_at
    from read m;
end
$$;

-- pop_outcome_v1(what a row says, now) → gone, locked, leased, delayed, empty, window or free
-- The rule of a pop: what it finds at a candidate. The first that applies counts; p_own: the lease is the caller's own, of
-- the same call sent before. Redriven messages have waited before: no window holds them. A free candidate of a queue with
-- delayed_processing, or of a partition with messages that have a deliver_at, may still be delayed, which only its messages
-- tell.
-- An expression: pop_sm_take takes it in and calls nothing.
create or replace function queen.pop_outcome_v1(
    p_queue_name text, p_cursor bigint, p_lease_expires_at timestamptz, p_own boolean, p_retry_at timestamptz,
    p_redriven integer, p_head bigint, p_position bigint, p_window_buffer integer, p_last_push_at timestamptz,
    p_now timestamptz) returns text
language sql stable
as $$
    select case
        when p_queue_name is null then 'gone'
        when p_cursor is null then 'locked'
        when p_lease_expires_at > p_now and not p_own then 'leased'
        when p_retry_at > p_now then 'delayed'
        when p_redriven > 0 then 'free'
        when p_head <= p_position then 'empty'
        when p_window_buffer > 0 and p_last_push_at > p_now - make_interval(secs => p_window_buffer) then 'window'
        else 'free'
    end
$$;

-- due_at_v1(created at, deliver at, delay) → time
-- When a message may be delivered: when its queue's delayed_processing is over and its own deliver_at has come. Null for
-- at once. An expression: the caller's statement takes it in.
create or replace function queen.due_at_v1(
    p_created_at timestamptz, p_deliver_at timestamptz, p_delayed_processing integer) returns timestamptz
language sql stable
as $$
    select greatest(
        case when p_delayed_processing > 0 then p_created_at + make_interval(secs => p_delayed_processing) end, p_deliver_at)
$$;

-- pop_sm_join(candidates) → nothing
-- Creates the rows of groups that are new to partitions, each at the start that its subscription says, or at p_start.
--
-- Takes  arrays of one length, as pop_sm_take has them. Those that have a row already are left as they are.
-- Locks  the partitions, against being deleted (a push does not wait for that), passing over those that are, and the rows
--        it creates, in key order. An insert has to wait for another of the same row, a pop does not wait: after
--        ten milliseconds, in which another pop is done, each row is tried alone, and what another transaction creates is
--        left to that one. To pop_sm_take such a row is locked.
create or replace function queen.pop_sm_join(p_partition_id uuid[], p_consumer_group text[], p_start timestamptz[]) returns void
language plpgsql
set lock_timeout = '10ms'
set jit = off
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
as $$
begin
    if cardinality(p_partition_id) = 1 then
        perform set_config('lock_timeout', '1ms', true);
    end if;
    insert into queen.partition_consumers (partition_id, consumer_group, cursor)
    select c.partition_id, c.consumer_group, case when s.start is null then 0 else queen.seq_before(c.partition_id, s.start) end
    from unnest(p_partition_id, p_consumer_group, p_start) c (partition_id, consumer_group, start)
    cross join lateral (
        -- Not while its queue is being deleted, or the row would refer to nothing.
        select p.name, p.queue_id from queen.partitions p where p.id = c.partition_id for key share skip locked
    ) p
    cross join lateral (select q.name from queen.queues q where q.id = p.queue_id limit 1) q
    cross join lateral (
        select case when c.consumer_group = '__QUEUE_MODE__' then null else coalesce(
            (select u.subscription_timestamp from queen.subscriptions u
             where u.queue_name = q.name and u.consumer_group = c.consumer_group and u.partition_name = p.name and p.name <> ''),
            (select u.subscription_timestamp from queen.subscriptions u
             where u.queue_name = q.name and u.consumer_group = c.consumer_group and u.partition_name = ''),
            c.start) end as start
    ) s
    where (select true from queen.partition_consumers k
           where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group) is null
    order by c.partition_id, c.consumer_group
    on conflict do nothing;
exception when lock_not_available then
    for c in 1 .. cardinality(p_partition_id) loop
        exit when cardinality(p_partition_id) = 1;
        perform queen.pop_sm_join(p_partition_id[c:c], p_consumer_group[c:c], p_start[c:c]);
    end loop;
end
$$;

-- pop_sm_shorten(leases) → nothing
-- Makes leases as short as what was read under them: the rest of their messages was too large for one answer and comes
-- with the next pop, when what was read is acked.
--
-- Takes  arrays of one length: partition, group, the lease, the last sequence number that was read.
-- Locks  rows of partition_consumers in key order.
create or replace function queen.pop_sm_shorten(
    p_partition_id uuid[], p_consumer_group text[], p_lease_id uuid[], p_read bigint[]) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_rows  tid[];
    v_reads bigint[];
begin
    select array_agg(k.place), array_agg(c.read)
    into v_rows, v_reads
    from (
        -- Sorted before it is joined: the rows are locked in this order.
        select * from unnest(p_partition_id, p_consumer_group, p_lease_id, p_read)
            c (partition_id, consumer_group, lease_id, read)
        order by c.partition_id, c.consumer_group
    ) c
    cross join lateral (
        select k.ctid as place
        from queen.partition_consumers k
        where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group and k.lease_id = c.lease_id
        for update
    ) k;

    update queen.partition_consumers k
    set lease_last_seq = v_reads[c]
    from generate_series(1, cardinality(v_rows)) c
    where k.ctid = v_rows[c];
end
$$;

-- pop_sm_rest(claims, seconds) → nothing
-- Lets claims rest that nobody was given: their leases end after so many seconds, and until then no pop tries them again.
-- Of a server whose key does not open what it claimed; another server may have the right one.
--
-- Takes  arrays of one length: partition, group, the lease. Only those still held under that lease are touched.
-- Locks  rows of partition_consumers in key order.
create or replace function queen.pop_sm_rest(
    p_partition_id uuid[], p_consumer_group text[], p_lease_id uuid[], p_seconds integer) returns void
language plpgsql
as $$
begin
    perform
    from queen.partition_consumers k
    join unnest(p_partition_id, p_consumer_group, p_lease_id) c (partition_id, consumer_group, lease_id)
        on k.partition_id = c.partition_id and k.consumer_group = c.consumer_group and k.lease_id = c.lease_id
    order by k.partition_id, k.consumer_group
    for update of k;

    update queen.partition_consumers k
    set lease_expires_at = least(k.lease_expires_at, clock_timestamp() + make_interval(secs => p_seconds))
    from unnest(p_partition_id, p_consumer_group, p_lease_id) c (partition_id, consumer_group, lease_id)
    where k.partition_id = c.partition_id and k.consumer_group = c.consumer_group and k.lease_id = c.lease_id;
end
$$;

-- pop_sm_standing(queue name, partition, its name, head and last push, group) → cursor, lease_expires_at, retry_at, last_consumed_at,
-- redriven
-- Where a group stands in a partition: always one row. Without a cursor it stands where its subscription begins: at the
-- head when the last push was before that, else somewhere before it, which is told as 0 (seq_before knows exactly).
-- A view with parameters: the caller's statement takes it in, and runs under the caller's settings.
create or replace function queen.pop_sm_standing(
    p_queue_name text, p_partition_id uuid, p_partition_name text, p_head bigint, p_last_push_at timestamptz, p_consumer_group text)
returns table (
    cursor bigint, lease_expires_at timestamptz, retry_at timestamptz, last_consumed_at timestamptz, redriven integer)
language sql stable
as $$
    select coalesce(c.cursor, case when p_consumer_group <> '__QUEUE_MODE__' and p_last_push_at < coalesce(
               (select s.subscription_timestamp from queen.subscriptions s
                where s.queue_name = p_queue_name and s.consumer_group = p_consumer_group
                  and s.partition_name = p_partition_name and p_partition_name <> ''),
               (select s.subscription_timestamp from queen.subscriptions s
                where s.queue_name = p_queue_name and s.consumer_group = p_consumer_group and s.partition_name = ''))
               then p_head else 0 end),
           c.lease_expires_at, c.retry_at, c.last_consumed_at, coalesce(c.redriven, 0)
    from (select) one
    left join lateral (
        select c.cursor, c.lease_expires_at, c.retry_at, c.last_consumed_at, c.redriven
        from queen.partition_consumers c
        where c.partition_id = p_partition_id and c.consumer_group = p_consumer_group
        limit 1
    ) c on true
$$;

-- session_holder_v1() → text
-- Who holds what is leased by SQL: the session, by its address and the application_name it gave.
create or replace function queen.session_holder_v1() returns text
language sql stable
as $$
    select rtrim(concat_ws(' ', coalesce(host(inet_client_addr()), 'local'), left(current_setting('application_name'), 100)))
$$;

-- Push: a list of messages into their partitions, in one transaction. push_messages_v2 → push_limited_v1 (queues with
-- max_size) → push_list_v1 → push_advance_v1.
--
-- Three things hold for every function that messages take, in all files:
--   Settings  The plans do not depend on the values, and planning costs more than running them: force_generic_plan, no JIT.
--             A plan that was made while the tables were small must not scan them when they have grown: no sequential
--             scan, no hash or merge join, nothing materialised, so each row is found through its key. They stand at every
--             function because PostgreSQL has no other place for them that callers of all kinds share.
--   ctid      Rows are locked by one statement, in key order, and written by a later one of the same transaction, by the
--             ctid that the first has read. That saves a second look-up of the key, and is safe: until the transaction
--             ends nobody else makes a new version of a locked row or moves it (vacuum leaves it, and what rewrites a
--             table waits for us), and a lock that had to wait gives the ctid of the version that it got. A row that the
--             transaction itself has written has a new ctid: whoever writes it twice takes that one from `returning`.
--   Locks     Partitions by id, then partition_consumers by key. That is why nothing deadlocks. A cycle of a stream has one
--             lock before these, see R__stream.sql.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- ---------------------------------------------------------------------------------------------------------------------
-- Public SQL interface: applications call what follows. Names, arguments and answers stay.
-- ---------------------------------------------------------------------------------------------------------------------

-- push_messages_v2(items) → results
-- Pushes from SQL, inside the caller's own transaction if it has one open: the outbox pattern with no outbox.
--
--   select queen.push_messages_v2('[{"queue": "orders", "partition": "customer-1", "payload": {"n": 1}}]');
--
-- Takes  an array of objects: queue (required), partition ('Default'), payload (null), transactionId (made here when
--        missing or ''), traceId (a UUID), producerSub (the producer, '' for none; over HTTP it is that of the token),
--        headers (an object of strings), and delaySeconds or deliverAt (a time) when it is not to be delivered at once.
-- Gives  an array in the same order, one object per item: index, status 'queued', 'duplicate', or 'failed' with an error
--        (the queue is full), transaction_id,
--        message_id (of the stored message, for a duplicate the earlier one), partition_id, trace_id, queueName.
-- Fails  with QU001 when an item has no queue, or headers or a time that HTTP would refuse.
--
-- jsonb is not byte-exact (key order, number form): what must come back as it was sent goes through HTTP.
-- Unknown queues and partitions are created; locks as in push_limited_v1, held until the caller commits.
create or replace function queen.push_messages_v2(p_items jsonb) returns jsonb
language plpgsql
as $$
declare
    v_queues       text[];
    v_partitions   text[];
    v_tx           text[];
    v_ids          uuid[];
    v_partition_id uuid[];
    v_count        integer[];
    v_first        integer[];
    v_partition_nr integer[];
    v_missing      boolean;
    v_result       jsonb;
begin
    if exists (select from jsonb_array_elements(p_items) i where coalesce(jsonb_typeof(i -> 'queue'), '') <> 'string') then
        raise exception 'every item needs a queue' using errcode = 'QU001';
    end if;

    select array_agg(i ->> 'queue' order by ord),
           array_agg(coalesce(i ->> 'partition', 'Default') order by ord),
           array_agg(coalesce(nullif(i ->> 'transactionId', ''), queen.uuid_v7()::text) order by ord)
    into v_queues, v_partitions, v_tx
    from jsonb_array_elements(p_items) with ordinality e (i, ord);
    if v_queues is null then
        return '[]';
    end if;
    -- Again when a queue was deleted in between: it is then created anew.
    loop
        perform queen.ensure_partitions_v1(v_queues, v_partitions);

        -- The partition of each item, by number, and the first item with the same transaction id in it.
        with item as (
            select i.ord, p.id, i.tx
            from unnest(v_queues, v_partitions, v_tx) with ordinality i (queue, partition, tx, ord)
            join queen.queues q on q.name = i.queue
            join queen.partitions p on p.queue_id = q.id and p.name = i.partition
        ), placed as (
            select i.*, dense_rank() over (order by i.id) as partition_nr, min(i.ord) over (partition by i.id, i.tx) as first
            from item i
        )
        select array_agg(id order by ord), array_agg(partition_nr order by ord), array_agg(first order by ord)
        into v_ids, v_partition_nr, v_first
        from placed;
        continue when cardinality(v_ids) is distinct from cardinality(v_tx);

        with target as (
            select i.id, count(*) filter (where i.first = i.ord) as n
            from unnest(v_ids, v_first) with ordinality i (id, first, ord)
            group by i.id
        )
        select array_agg(id order by id), array_agg(n order by id) into v_partition_id, v_count from target;

        with item as (
            select i.ord, i.partition_nr, i.tx, queen.uuid_v7() as id, nullif(e.item ->> 'traceId', '')::uuid as trace_id,
                   coalesce(e.item -> 'payload', 'null')::text as payload,
                   nullif(e.item ->> 'producerSub', '') as producer_sub,
                   queen.item_headers_v1(e.item -> 'headers') as headers, queen.item_deliver_at_v1(e.item) as deliver_at,
                   row_number() over (partition by i.partition_nr order by i.ord) as nth,
                   row_number() over (order by i.ord) as sent
            from unnest(v_partition_nr, v_tx, v_first) with ordinality i (partition_nr, tx, first, ord)
            join jsonb_array_elements(p_items) with ordinality e (item, ord) using (ord)
            where i.first = i.ord
        ), list as (
            select queen.push_limited_v1(v_partition_id, v_count,
                    array_agg(partition_nr order by ord), array_agg(nth::integer order by ord),
                    array_agg(tx order by ord), array_agg(id order by ord), array_agg(payload order by ord),
                    array_agg(trace_id order by ord), null, array_agg(producer_sub order by ord),
                    case when count(headers) > 0 then array_agg(headers order by ord) end,
                    case when count(deliver_at) > 0 then array_agg(deliver_at order by ord) end) as r
            from item
        ), stored as (
            select i.ord, i.id, i.trace_id,
                   (select d.id from unnest((l.r).dup_ords, (l.r).dup_ids) d (ord, id) where d.ord = i.sent) as dup,
                   (l.r).missing, (l.r).refusals[array_position((l.r).refused_ords, i.sent::integer)] as refusal
            from item i cross join list l
        )
        select jsonb_agg(
            case when s.refusal is not null
                then jsonb_build_object('index', i.ord - 1, 'status', 'failed', 'transaction_id', i.tx, 'transactionId', i.tx,
                    'error', s.refusal, 'partition_id', v_partition_id[i.partition_nr], 'queueName', i.queue)
                when s.dup is null and v_first[i.ord] = i.ord
                then jsonb_build_object('index', i.ord - 1, 'status', 'queued', 'transaction_id', i.tx, 'transactionId', i.tx,
                    'message_id', s.id, 'partition_id', v_partition_id[i.partition_nr], 'trace_id', s.trace_id,
                    'queueName', i.queue)
                else jsonb_build_object('index', i.ord - 1, 'status', 'duplicate', 'transaction_id', i.tx, 'transactionId', i.tx,
                    'message_id', coalesce(s.dup, s.id), 'partition_id', v_partition_id[i.partition_nr], 'queueName', i.queue)
            end order by i.ord), bool_or(s.missing)
        into v_result, v_missing
        from unnest(v_queues, v_partition_nr, v_tx) with ordinality i (queue, partition_nr, tx, ord)
        join stored s on s.ord = v_first[i.ord];
        exit when not v_missing;
    end loop;
    return v_result;
end
$$;

-- push_messages_v3(items) → results
-- push_messages_v2 under the name that it has on other servers of this protocol.
create or replace function queen.push_messages_v3(p_items jsonb) returns jsonb
language sql
as $$
    select queen.push_messages_v2(p_items)
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- The server's own: what follows may change with every release.
-- ---------------------------------------------------------------------------------------------------------------------

-- item_headers_v1(headers) → text
-- The headers of an item as they are stored, null for none. Fails with QU001 where HTTP would refuse them.
create or replace function queen.item_headers_v1(p_headers jsonb) returns text
language plpgsql immutable
as $$
begin
    if p_headers is null or p_headers in ('null', '{}') then
        return null;
    elsif jsonb_typeof(p_headers) <> 'object' then
        raise exception 'headers must be an object' using errcode = 'QU001';
    elsif octet_length(p_headers::text) > 8192 or (select count(*) from jsonb_object_keys(p_headers)) > 32 then
        raise exception 'headers must have at most 32 names, and 8192 bytes in all' using errcode = 'QU001';
    elsif exists (
        select from jsonb_each(p_headers) h (name, value)
        where jsonb_typeof(value) <> 'string' or length(value #>> '{}') > 1024 or length(name) not between 1 and 128
    ) then
        raise exception 'headers must be strings of at most 1024 characters, with names of 1 to 128' using errcode = 'QU001';
    end if;
    return p_headers::text;
end
$$;

-- item_deliver_at_v1(item) → time
-- When an item with delaySeconds or deliverAt is to be delivered, null for at once. Fails with QU001 where HTTP would
-- refuse it.
create or replace function queen.item_deliver_at_v1(p_item jsonb) returns timestamptz
language plpgsql stable
as $$
declare
    v_delay double precision;
    v_at    timestamptz;
begin
    if coalesce(p_item ->> 'delaySeconds', p_item ->> 'deliverAt') is null then
        return null;
    elsif p_item ->> 'delaySeconds' is not null and p_item ->> 'deliverAt' is not null then
        raise exception 'an item has delaySeconds or deliverAt, not both' using errcode = 'QU001';
    end if;
    begin
        v_delay := p_item ->> 'delaySeconds';
        v_at := p_item ->> 'deliverAt';
    exception when data_exception then
        raise exception 'delaySeconds must be a number, and deliverAt a time' using errcode = 'QU001';
    end;
    if v_delay < 0 or v_delay > 315360000 or v_at > clock_timestamp() + interval '315360000 seconds' then
        raise exception 'an item can be delayed by 0 to 315360000 seconds' using errcode = 'QU001';
    end if;
    return coalesce(v_at, case when v_delay > 0 then clock_timestamp() + make_interval(secs => v_delay) end);
end
$$;

-- ensure_partitions_v1(queue names, partition names)
-- Creates the queues and partitions that are not there yet. The two arrays run side by side: one pair a partition.
-- A queue created here takes its namespace and task from its dotted name: `a.b.c` is namespace a, task b; a name
-- without a dot is its own namespace.
-- Locks: rows are inserted in name order, so that two callers creating the same names wait for each other and do not
-- deadlock. Existing rows are not touched.
create or replace function queen.ensure_partitions_v1(p_queues text[], p_partitions text[]) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
begin
    -- Again when the queue of a new partition was deleted in between: it is then created anew.
    loop
        begin
            insert into queen.queues (name, namespace, task)
            select distinct q, split_part(q, '.', 1), split_part(q, '.', 2)
            from unnest(p_queues) q
            where not exists (select from queen.queues known where known.name = q)
            order by q
            on conflict (name) do nothing;

            insert into queen.partitions (queue_id, name)
            select distinct q.id, l.partition
            from unnest(p_queues, p_partitions) l (queue, partition)
            join queen.queues q on q.name = l.queue
            where (select known.id from queen.partitions known where known.queue_id = q.id and known.name = l.partition) is null
            order by q.id, l.partition
            on conflict (queue_id, name) do nothing;
            return;
        exception when foreign_key_violation then
            null;
        end;
    end loop;
end
$$;

-- resolve_partitions_v1(queue names, partition names) → partition ids, in the order given
-- From names to ids, creating what is not there yet. A server calls it once for each partition it meets and remembers
-- the answer; an id stays the same for the life of a partition.
create or replace function queen.resolve_partitions_v1(p_queues text[], p_partitions text[]) returns uuid[]
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_ids uuid[];
begin
    loop
        select array_agg((
            select p.id
            from queen.partitions p
            where p.queue_id = (select q.id from queen.queues q where q.name = l.queue) and p.name = l.partition)
            order by l.ord)
        into v_ids
        from unnest(p_queues, p_partitions) with ordinality l (queue, partition, ord);
        if array_position(v_ids, null) is null then
            return v_ids;
        end if;
        perform queen.ensure_partitions_v1(p_queues, p_partitions);
    end loop;
end
$$;

-- push_list_v1(partitions, items) → missing, dup_ords, dup_ids
-- The server's own way to store messages: one list, one call, one transaction; arrays instead of JSON, so that nothing
-- is parsed here, and partition ids instead of names, which the server remembers. push_messages_v2 is the same for
-- callers that speak SQL.
--
-- Takes  p_partition_id  the partitions of the list, ascending, each once; p_count how many items each has
--        p_partition_nr, p_nth and the other item arrays, all of one length and in the order of arrival:
--                        where the item's partition stands in p_partition_id (from 1), its place among the items of that
--                        partition (from 1), and the message itself.
--                        p_trace_id, p_encrypted, p_producer_sub, p_headers and p_deliver_at may be null or short:
--                        missing means none.
--        The caller has seen to it that no transaction id comes twice for one partition.
-- Gives  missing         true when a partition is gone (its queue was deleted); nothing is stored then
--        dup_ords        the items (from 1) that were stored before, null for none; dup_ids the ids of those messages
--
-- The partitions are locked in id order, then the sequence numbers head + 1 … are taken and the head is moved: so
-- sequence order is commit order. created_at never falls within a partition, whatever the clock does.
-- It is tried without a look for duplicates, because the unique index finds them for nothing and they are rare; when
-- it finds one, all is undone and done again with a look: after the lock, in a statement of its own, so that it sees
-- what those committed whom we waited for.
create or replace function queen.push_list_v1(
    p_partition_id   uuid[],
    p_count          integer[],
    p_partition_nr   integer[],
    p_nth            integer[],
    p_transaction_id text[],
    p_message_id     uuid[],
    p_payload        text[],
    p_trace_id       uuid[],
    p_encrypted      boolean[],
    p_producer_sub   text[],
    p_headers        text[],
    p_deliver_at     timestamptz[],
    out missing      boolean,
    out dup_ords     integer[],
    out dup_ids      uuid[]
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_place   record;
    v_delayed timestamptz[];
begin
    if p_deliver_at is not null then
        v_delayed := array(
            select (select max(d.at) from unnest(p_partition_nr, p_deliver_at) d (nr, at) where d.nr = p)
            from generate_series(1, cardinality(p_partition_id)) p order by p);
    end if;
    loop
        begin
            v_place := queen.push_advance_v1(p_partition_id, p_count, v_delayed);
            missing := v_place.heads is null;
            if not missing then
                insert into queen.messages
                    (partition_id, seq, id, trace_id, created_at, is_encrypted, transaction_id, producer_sub, payload,
                     headers, deliver_at)
                select p_partition_id[p_partition_nr[i]], v_place.heads[p_partition_nr[i]] + p_nth[i], p_message_id[i],
                       p_trace_id[i], v_place.now,
                       coalesce(p_encrypted[i], false), p_transaction_id[i], p_producer_sub[i], p_payload[i],
                       p_headers[i], p_deliver_at[i]
                from generate_series(1, cardinality(p_partition_nr)) i
                where dup_ords is null or i <> all (dup_ords);
            end if;
            return;
        exception when unique_violation then
            null;
        end;

        perform from queen.partitions p where p.id = any (p_partition_id) order by p.id for no key update;

        select array_agg(i order by i), array_agg(m.id order by i)
        into dup_ords, dup_ids
        from generate_series(1, cardinality(p_partition_nr)) i
        cross join lateral (
            select m.id
            from queen.messages m
            where m.partition_id = p_partition_id[p_partition_nr[i]] and m.transaction_id = p_transaction_id[i]
            limit 1
        ) m;

        -- The places within the partitions, and the counts, of what is left.
        select array_agg(i.nth order by i.ord) into p_nth
        from (
            select ord,
                   row_number() over (partition by p_partition_nr[ord], ord = any (dup_ords) order by p_nth[ord])::integer as nth
            from generate_series(1, cardinality(p_partition_nr)) ord
        ) i;
        select array_agg(p_count[nr] - (select count(*) from unnest(dup_ords) d where p_partition_nr[d] = nr)::integer order by nr)
        into p_count
        from generate_series(1, cardinality(p_partition_id)) nr;
    end loop;
end
$$;

-- push_advance_v1(partitions, counts, delays) → heads, now
-- Locks the partitions of a push in id order, moves their heads by the counts, and notes the news in the push log.
-- p_delayed is the latest deliver_at in each partition of the push, null for none; null when no item has one.
-- Gives the heads before the move, in the order given, and the time that all messages of the push get; nulls, with nothing
-- changed, when a partition is gone. A partition with count 0 is locked and left as it is.
-- One partition, the push of a lone producer, takes the short way: a single row is locked and moved by one statement.
-- For push_list_v1, under whose settings it runs.
create or replace function queen.push_advance_v1(
    p_partition_id uuid[],
    p_count        integer[],
    p_delayed      timestamptz[],
    out heads      bigint[],
    out now        timestamptz
)
language plpgsql
as $$
declare
    v_rows      tid[];
    v_queue_ids uuid[];
begin
    if cardinality(p_partition_id) = 1 and p_count[1] > 0 then
        update queen.partitions p
        set head = p.head + p_count[1], last_push_at = greatest(clock_timestamp(), p.last_push_at),
            delayed_until = greatest(p.delayed_until, p_delayed[1])
        where p.id = p_partition_id[1]
        returning array[p.head - p_count[1]], array[p.queue_id], p.last_push_at into heads, v_queue_ids, now;
        if found then
            insert into queen.push_log (queue_id, partition_ids) values (v_queue_ids[1], p_partition_id);
        end if;
        return;
    end if;

    select array_agg(p.place), array_agg(p.queue_id), array_agg(p.head), greatest(clock_timestamp(), max(p.last_push_at))
    into v_rows, v_queue_ids, heads, now
    from (
        select p.ctid as place, p.queue_id, p.head, p.last_push_at
        from queen.partitions p
        where p.id = any (p_partition_id)
        order by p.id
        for no key update
    ) p;
    if heads is null or cardinality(heads) < cardinality(p_partition_id) then
        heads := null;
        return;
    end if;

    update queen.partitions p
    set head = p.head + l.n, last_push_at = push_advance_v1.now, delayed_until = greatest(p.delayed_until, l.delayed)
    from (
        select v_rows[l] as place, p_count[l] as n, p_delayed[l] as delayed from generate_series(1, cardinality(v_rows)) l
    ) l
    where p.ctid = l.place and l.n > 0;

    insert into queen.push_log (queue_id, partition_ids)
    select l.queue_id, array_agg(l.id)
    from unnest(v_queue_ids, p_partition_id, p_count) l (queue_id, id, n)
    where l.n > 0
    group by l.queue_id;
end
$$;

-- push_limited_v1(partitions, items) → missing, dup_ords, dup_ids, refused_ords, refusals
-- push_list_v1 for lists in which a queue has max_size: what exceeds it is refused item by item, from the first that
-- does not fit, and all else is stored. What was stored before is a duplicate and never refused.
--
-- Takes  as push_list_v1, and
--        p_promised    the items (from 1) that were accepted before and are never refused; they count
-- Gives  as push_list_v1, and
--        refused_ords  the items (from 1) that were not stored, null for none; refusals the reason of each
--
-- Locks  rows of queue_room by queue id, then as push_list_v1.
create or replace function queen.push_limited_v1(
    p_partition_id   uuid[],
    p_count          integer[],
    p_partition_nr   integer[],
    p_nth            integer[],
    p_transaction_id text[],
    p_message_id     uuid[],
    p_payload        text[],
    p_trace_id       uuid[],
    p_encrypted      boolean[],
    p_producer_sub   text[],
    p_headers        text[],
    p_deliver_at     timestamptz[],
    p_promised       integer[] default null,
    out missing      boolean,
    out dup_ords     integer[],
    out dup_ids      uuid[],
    out refused_ords integer[],
    out refusals     text[]
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_queue record;
    v_ords  integer[];
    v_over  integer[];
    v_kept  record;
begin
    for v_queue in
        select q.id, q.name, q.max_size
        from queen.queues q
        where q.max_size > 0
          and q.id in (select p.queue_id from queen.partitions p where p.id = any (p_partition_id))
        order by q.id
    loop
        select array_agg(i.ord::integer order by i.ord) into v_ords
        from unnest(p_partition_nr, p_transaction_id) with ordinality i (partition_nr, transaction_id, ord)
        join queen.partitions p on p.id = p_partition_id[i.partition_nr] and p.queue_id = v_queue.id
        where not exists (
            select from queen.messages m where m.partition_id = p.id and m.transaction_id = i.transaction_id);
        continue when v_ords is null;
        v_over := array(
            select o from unnest(v_ords[queen.take_room_v1(v_queue.id, cardinality(v_ords)) + 1:]) o
            where o <> all (coalesce(p_promised, '{}'))
            order by o);
        refused_ords := refused_ords || v_over;
        refusals := refusals || array_fill(
            format('queue %s would exceed its max capacity of %s', v_queue.name, v_queue.max_size),
            array[cardinality(v_over)]);
    end loop;

    if coalesce(cardinality(refused_ords), 0) = 0 then
        refused_ords := null;
        refusals := null;
        select * into missing, dup_ords, dup_ids
        from queen.push_list_v1(p_partition_id, p_count, p_partition_nr, p_nth, p_transaction_id, p_message_id, p_payload,
            p_trace_id, p_encrypted, p_producer_sub, p_headers, p_deliver_at);
        return;
    end if;

    select array_agg(i.ord::integer order by i.ord) as ords, array_agg(i.partition_nr order by i.ord) as partition_nr,
           array_agg(i.nth::integer order by i.ord) as nth, array_agg(i.transaction_id order by i.ord) as transaction_id,
           array_agg(i.id order by i.ord) as id, array_agg(i.payload order by i.ord) as payload,
           array_agg(i.trace_id order by i.ord) as trace_id, array_agg(i.encrypted order by i.ord) as encrypted,
           array_agg(i.producer_sub order by i.ord) as producer_sub,
           case when p_headers is not null then array_agg(i.headers order by i.ord) end as headers,
           case when p_deliver_at is not null then array_agg(i.deliver_at order by i.ord) end as deliver_at
    into v_kept
    from (
        select i.ord, i.partition_nr, row_number() over (partition by i.partition_nr order by i.nth) as nth, i.id,
               i.trace_id, i.encrypted, i.transaction_id, i.producer_sub, i.payload, i.headers, i.deliver_at
        from unnest(p_partition_nr, p_nth, p_message_id, p_trace_id, p_encrypted, p_transaction_id, p_producer_sub, p_payload,
                p_headers, p_deliver_at)
            with ordinality i (partition_nr, nth, id, trace_id, encrypted, transaction_id, producer_sub, payload, headers,
                deliver_at, ord)
        where i.ord <> all (refused_ords)
    ) i;
    if v_kept.ords is null then
        missing := false;
        return;
    end if;

    select l.missing, (select array_agg(v_kept.ords[d.ord] order by d.n) from unnest(l.dup_ords) with ordinality d (ord, n)),
           l.dup_ids
    into missing, dup_ords, dup_ids
    from queen.push_list_v1(
        p_partition_id,
        array(select (select count(*) from unnest(v_kept.partition_nr) k where k = n)::integer
              from generate_series(1, cardinality(p_partition_id)) n order by n),
        v_kept.partition_nr, v_kept.nth, v_kept.transaction_id, v_kept.id, v_kept.payload, v_kept.trace_id, v_kept.encrypted,
        v_kept.producer_sub, v_kept.headers, v_kept.deliver_at) l;
end
$$;

-- take_room_v1(queue, messages) → how many of them may be stored
-- Room in a queue with max_size. Its size is what the slowest of the groups that read a partition has not consumed yet,
-- summed over its partitions; where nobody reads, all that is stored.
-- The room found by a count is used up push by push without counting again, because consuming only makes it larger; it
-- is counted when it does not suffice, and when a group began, moved back or went away (recount_room_v1). So a queue far
-- from its limit costs one row update a push.
-- Redriven messages do not count: they were let in before.
-- Locks  the row of queue_room until the caller commits: pushes to a queue with a limit go one list at a time.
create or replace function queen.take_room_v1(p_queue_id uuid, p_messages integer) returns integer
language plpgsql
as $$
declare
    v_room    bigint;
    v_granted integer;
begin
    update queen.queue_room r
    set room = r.room - p_messages
    where r.queue_id = p_queue_id and r.room >= p_messages
      and not exists (select from queen.queue_recounts n where n.queue_id = p_queue_id);
    if found then
        return p_messages;
    end if;

    insert into queen.queue_room (queue_id, room)
    select q.id, 0 from queen.queues q where q.id = p_queue_id
    on conflict do nothing;
    perform from queen.queue_room r where r.queue_id = p_queue_id for update;
    delete from queen.queue_recounts n where n.queue_id = p_queue_id;

    select greatest(q.max_size - coalesce(sum(least(p.head - p.removed, p.head - greatest(p.tail, c.cursor))), 0), 0)
    into v_room
    from queen.queues q
    left join queen.partitions p on p.queue_id = q.id
    left join lateral (
        select min(c.cursor) as cursor from queen.partition_consumers c where c.partition_id = p.id
    ) c on true
    where q.id = p_queue_id
    group by q.id;

    v_granted := least(p_messages, coalesce(v_room, p_messages));
    update queen.queue_room r set room = v_room - v_granted where r.queue_id = p_queue_id;
    return v_granted;
end
$$;

-- recount_room_v1(partitions) → nothing
-- Has the room in the queues of these partitions counted anew by the next push, if they have max_size. Called by whoever
-- makes a group slower or the slowest: a cursor that is new, moved back, or taken away (where nobody reads, all that is
-- stored counts). It adds a row and changes none, so that a pop does not wait for a push that holds the queue's room.
create or replace function queen.recount_room_v1(p_partition_ids uuid[]) returns void
language sql
as $$
    insert into queen.queue_recounts (queue_id)
    select distinct q.id
    from queen.partitions p
    join queen.queues q on q.id = p.queue_id and q.max_size > 0
    where p.id = any (p_partition_ids)
      and not exists (select from queen.queue_recounts r where r.queue_id = q.id)
$$;

-- uuid_v7() → uuid
-- A time-ordered UUID (RFC 9562, version 7), for callers that speak SQL only: PostgreSQL has one of its own from 18 on,
-- and 14 to 17 are supported. 48 bits of milliseconds over a random UUID, the version nibble set from 4 to 7.
create or replace function queen.uuid_v7() returns uuid
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

-- Queues: configured, deleted, paused, listed and described.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- configure_queue_v1(name, namespace, task, options) → queue_id, partition_id
-- Creates a queue or replaces its whole configuration, and sees to it that partition 'Default' exists. Messages, cursors
-- and leases are untouched; a new lease time counts from the next pop.
-- p_options holds all eighteen columns under the names they have over HTTP; the caller has filled in the defaults.
create or replace function queen.configure_queue_v1(
    p_name text, p_namespace text, p_task text, p_options jsonb, out queue_id uuid, out partition_id uuid)
language plpgsql
as $$
begin
    insert into queen.queues as q
        (name, namespace, task, lease_time, retry_limit, retry_delay, retry_backoff, retry_delay_max, retry_jitter,
         max_size, ttl, dead_letter_queue, dlq_after_max_retries, priority, delayed_processing, window_buffer,
         retention_seconds, completed_retention_seconds, retention_enabled, encryption_enabled, max_wait_time_seconds)
    select p_name, p_namespace, p_task, o."leaseTime", o."retryLimit", o."retryDelay", o."retryBackoff",
           o."retryDelayMax", o."retryJitter", o."maxSize", o.ttl,
           o."deadLetterQueue", o."dlqAfterMaxRetries", o.priority, o."delayedProcessing", o."windowBuffer",
           o."retentionSeconds", o."completedRetentionSeconds", o."retentionEnabled", o."encryptionEnabled",
           o."maxWaitTimeSeconds"
    from jsonb_to_record(p_options) o (
        "leaseTime" integer, "retryLimit" integer, "retryDelay" integer, "retryBackoff" text,
        "retryDelayMax" integer, "retryJitter" integer, "maxSize" integer, ttl integer, "deadLetterQueue" boolean, "dlqAfterMaxRetries" boolean, priority integer, "delayedProcessing" integer,
        "windowBuffer" integer, "retentionSeconds" integer, "completedRetentionSeconds" integer,
        "retentionEnabled" boolean, "encryptionEnabled" boolean, "maxWaitTimeSeconds" integer)
    on conflict (name) do update
    set (namespace, task, lease_time, retry_limit, retry_delay, retry_backoff, retry_delay_max, retry_jitter,
         max_size, ttl, dead_letter_queue, dlq_after_max_retries, priority, delayed_processing, window_buffer,
         retention_seconds, completed_retention_seconds, retention_enabled, encryption_enabled, max_wait_time_seconds)
      = (excluded.namespace, excluded.task, excluded.lease_time, excluded.retry_limit, excluded.retry_delay,
         excluded.retry_backoff, excluded.retry_delay_max, excluded.retry_jitter, excluded.max_size, excluded.ttl, excluded.dead_letter_queue, excluded.dlq_after_max_retries,
         excluded.priority, excluded.delayed_processing, excluded.window_buffer, excluded.retention_seconds,
         excluded.completed_retention_seconds, excluded.retention_enabled, excluded.encryption_enabled,
         excluded.max_wait_time_seconds)
    returning q.id into queue_id;
    -- What was counted against an earlier limit.
    delete from queen.queue_room r where r.queue_id = configure_queue_v1.queue_id;

    insert into queen.partitions (queue_id, name)
    values (configure_queue_v1.queue_id, 'Default')
    on conflict on constraint partitions_queue_id_name_key do nothing;
    select p.id into partition_id
    from queen.partitions p
    where p.queue_id = configure_queue_v1.queue_id and p.name = 'Default';
end
$$;

-- delete_queue_v1(name) → existed
-- Deletes a queue with its partitions, cursors, leases, subscriptions, dead letters and traces. Its messages are
-- unreachable from then on and are removed by purge_messages_v1 in small steps: there may be millions of them.
-- Locks  the queue, so that no partition is added, then the partitions by id, as a push does: it waits for pushes under
--        way, and later ones find them gone.
create or replace function queen.delete_queue_v1(p_name text) returns boolean
language plpgsql
as $$
declare
    v_queue_id uuid;
begin
    select q.id into v_queue_id from queen.queues q where q.name = p_name for update;
    if not found then
        return false;
    end if;
    perform from queen.partitions p where p.queue_id = v_queue_id order by p.id for update;
    insert into queen.purges (partition_id)
    select p.id from queen.partitions p where p.queue_id = v_queue_id and p.head > p.tail;
    delete from queen.subscriptions s where s.queue_name = p_name;
    delete from queen.clear_marks m where m.queue_id = v_queue_id;
    delete from queen.met_queues m where m.queue_id = v_queue_id;
    delete from queen.queues q where q.id = v_queue_id;
    return found;
end
$$;

-- purge_messages_v1(limit) → messages removed
-- Removes up to p_limit messages of deleted partitions; 0 when nothing is left. Several servers may call it at once:
-- each takes a partition that no other is at.
create or replace function queen.purge_messages_v1(p_limit integer) returns integer
language plpgsql
as $$
declare
    v_partition_id uuid;
    v_total        integer := 0;
    v_count        integer;
begin
    while v_total < p_limit loop
        select g.partition_id into v_partition_id from queen.purges g limit 1 for update skip locked;
        exit when not found;
        delete from queen.messages m
        where m.partition_id = v_partition_id
          and m.seq in (
              select n.seq from queen.messages n
              where n.partition_id = v_partition_id order by n.seq limit p_limit - v_total);
        get diagnostics v_count = row_count;
        v_total := v_total + v_count;
        if v_total < p_limit then
            delete from queen.purges g where g.partition_id = v_partition_id;
        end if;
    end loop;
    return v_total;
end
$$;

-- pause_v1(queue, group) → known, full, changed, paused_at
-- Holds back the pops of a queue, or with a group those of one group, which need not exist yet. What is paused stays so, and
-- since when.
--
-- Gives  known      false when there is no such queue: nothing happened
--        full       too many pauses are in force, all servers keep them in memory: nothing happened
--        changed    whether it was not paused before
create or replace function queen.pause_v1(
    p_queue_name text, p_consumer_group text,
    out known boolean, out "full" boolean, out changed boolean, out paused_at timestamptz)
language plpgsql
as $$
declare
    v_queue_id uuid;
begin
    select q.id into v_queue_id from queen.queues q where q.name = p_queue_name for key share;
    known := v_queue_id is not null;
    changed := false;
    "full" := (select count(*) from queen.pauses) >= 1000 and not exists (
        select from queen.pauses z where z.queue_id = v_queue_id and z.consumer_group = coalesce(p_consumer_group, ''));
    if not known or "full" then
        return;
    end if;
    insert into queen.pauses as z (queue_id, consumer_group, paused_at)
    values (v_queue_id, coalesce(p_consumer_group, ''), clock_timestamp())
    on conflict do nothing
    returning z.paused_at into paused_at;
    changed := found;
    if not changed then
        select z.paused_at into paused_at
        from queen.pauses z
        where z.queue_id = v_queue_id and z.consumer_group = coalesce(p_consumer_group, '');
    end if;
end
$$;

-- resume_v1(queue, group) → known, changed
-- Ends a pause. That of a queue leaves those of its groups, and the other way round.
create or replace function queen.resume_v1(p_queue_name text, p_consumer_group text, out known boolean, out changed boolean)
language plpgsql
as $$
begin
    known := exists (select from queen.queues q where q.name = p_queue_name);
    delete from queen.pauses z
    using queen.queues q
    where q.id = z.queue_id and q.name = p_queue_name and z.consumer_group = coalesce(p_consumer_group, '');
    changed := found;
end
$$;

-- set_maintenance_v1(key, enabled) → push, pop
-- Switches one maintenance mode, 'maintenance_mode' (pushes) or 'pop_maintenance_mode', for all servers of this database,
-- and gives both as they are then. The other one stays as it is.
create or replace function queen.set_maintenance_v1(p_key text, p_enabled boolean, out push boolean, out pop boolean)
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

-- list_queues_v1(namespace, task, limit, offset, with processing, visible) → JSON
-- Queues with their settings and counters, the newest first; null is any namespace or task. Only the queues of the page
-- are counted.
--
-- Takes  p_with_processing  pending includes what is being processed, as the status routes have it
--        p_visible          the queues that the caller may see, see is_visible_v1
-- Gives  queues, total (all that match), pagination.
create or replace function queen.list_queues_v1(
    p_namespace text, p_task text, p_limit integer, p_offset integer, p_with_processing boolean,
    p_visible text[] default null) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set work_mem = '32MB'
set jit = off
as $$
declare
    v_ids   uuid[];
    v_total bigint;
begin
    select count(*) into v_total
    from queen.queues q
    where (p_namespace is null or q.namespace = p_namespace) and (p_task is null or q.task = p_task)
      and (p_visible is null or queen.is_visible_v1(q.name, p_visible));

    select array_agg(q.id) into v_ids
    from (
        select q.id
        from queen.queues q
        where (p_namespace is null or q.namespace = p_namespace) and (p_task is null or q.task = p_task)
          and (p_visible is null or queen.is_visible_v1(q.name, p_visible))
        order by q.created_at desc, q.id
        limit p_limit offset p_offset
    ) q;

    return json_build_object('queues', (
        select coalesce(json_agg(json_build_object(
            'id', q.id, 'name', q.name, 'namespace', q.namespace, 'task', q.task,
            'createdAt', queen.iso_time(q.created_at),
            'partitions', d.partitions, 'partitionCount', d.partitions,
            'messages', queen.message_counts_v1(
                d.total, d.pending, d.processing, d.dead_letter, d.estimated)::jsonb
                || case when p_with_processing
                       then jsonb_build_object('pending', d.pending + d.processing) else '{}' end,
            'priority', q.priority, 'leaseTime', q.lease_time, 'retryLimit', q.retry_limit, 'maxSize', q.max_size,
            'encryptionEnabled', q.encryption_enabled,
            'paused', exists (select from queen.pauses z where z.queue_id = q.id and z.consumer_group = '')
        ) order by q.created_at desc, q.id), '[]')
        from queen.queue_depths_v1(v_ids) d
        join queen.queues q on q.id = d.queue_id),
        'total', v_total, 'pagination', json_build_object('limit', p_limit, 'offset', p_offset));
end
$$;

-- queue_detail_v1(name, limit, offset) → JSON, null when there is no such queue
-- A queue with its settings, the counters of the whole queue (totals) and a page of its partitions, by name. total and
-- partitionCount are the number of all its partitions.
create or replace function queen.queue_detail_v1(p_name text, p_limit integer, p_offset integer) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set work_mem = '32MB'
set jit = off
as $$
declare
    v_id uuid[] := (select array_agg(q.id) from queen.queues q where q.name = p_name);
begin
    return (select json_build_object(
        'id', q.id, 'name', q.name, 'namespace', q.namespace, 'task', q.task,
        'createdAt', queen.iso_time(q.created_at),
        'priority', q.priority, 'leaseTime', q.lease_time, 'retryLimit', q.retry_limit, 'maxSize', q.max_size,
        'encryptionEnabled', q.encryption_enabled,
        'paused', exists (select from queen.pauses z where z.queue_id = q.id and z.consumer_group = ''),
        'partitionCount', d.partitions,
        'partitions', queen.partition_page_v1(v_id, p_limit, p_offset),
        'totals', queen.message_counts_v1(d.total, d.pending, d.processing, d.dead_letter, d.estimated),
        'total', d.partitions, 'pagination', json_build_object('limit', p_limit, 'offset', p_offset))
    from queen.queues q
    cross join lateral queen.queue_depths_v1(v_id) d
    where q.id = any (v_id));
end
$$;

-- queue_status_v1(name, limit, offset) → JSON, null when there is no such queue
-- What queue_detail_v1 tells, in the shape of the status routes.
create or replace function queen.queue_status_v1(p_name text, p_limit integer, p_offset integer) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set work_mem = '32MB'
set jit = off
as $$
declare
    v_id uuid[] := (select array_agg(q.id) from queen.queues q where q.name = p_name);
begin
    return (select json_build_object(
        'queue', json_build_object(
            'id', q.id, 'name', q.name, 'namespace', q.namespace, 'task', q.task, 'priority', q.priority,
            'createdAt', queen.iso_time(q.created_at),
            'paused', exists (select from queen.pauses z where z.queue_id = q.id and z.consumer_group = ''),
            'config', json_build_object(
                'leaseTime', q.lease_time, 'retryLimit', q.retry_limit, 'retryDelay', q.retry_delay,
                'retryBackoff', q.retry_backoff, 'retryDelayMax', q.retry_delay_max, 'retryJitter', q.retry_jitter, 'ttl', q.ttl,
                'maxQueueSize', q.max_size, 'deadLetterQueue', q.dead_letter_queue)),
        'partitions', queen.partition_page_v1(v_id, p_limit, p_offset),
        'totals', jsonb_build_object('messages', c.counts) || c.counts,
        'total', d.partitions, 'pagination', json_build_object('limit', p_limit, 'offset', p_offset))
    from queen.queues q
    cross join lateral queen.queue_depths_v1(v_id) d
    cross join lateral (
        select queen.message_counts_v1(d.total, d.pending, d.processing, d.dead_letter, d.estimated)::jsonb as counts
    ) c
    where q.id = any (v_id));
end
$$;

-- list_labels_v1(kind, limit, offset, visible) → JSON
-- The namespaces or the tasks ('namespace', 'task') that queues have, by name, with their counters; pending includes what
-- is being processed. Queues without one are left out, and those that the caller may not see (is_visible_v1). total is the
-- number of all names.
create or replace function queen.list_labels_v1(
    p_kind text, p_limit integer, p_offset integer, p_visible text[] default null) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set work_mem = '32MB'
set jit = off
as $$
declare
    v_labels text[];
    v_ids    uuid[];
    v_total  bigint;
begin
    select count(distinct case p_kind when 'task' then q.task else q.namespace end) into v_total
    from queen.queues q
    where case p_kind when 'task' then q.task else q.namespace end <> '' and (p_visible is null or queen.is_visible_v1(q.name, p_visible));

    select array_agg(l.label) into v_labels
    from (
        select distinct case p_kind when 'task' then q.task else q.namespace end as label
        from queen.queues q
        where case p_kind when 'task' then q.task else q.namespace end <> '' and (p_visible is null or queen.is_visible_v1(q.name, p_visible))
        order by label
        limit p_limit offset p_offset
    ) l;
    select array_agg(q.id) into v_ids
    from queen.queues q
    where case p_kind when 'task' then q.task else q.namespace end = any (v_labels)
      and (p_visible is null or queen.is_visible_v1(q.name, p_visible));

    return json_build_object(p_kind || 's', (
        select coalesce(json_agg(json_build_object(
            p_kind, l.label, 'name', l.label, 'queues', l.queues, 'queueCount', l.queues, 'partitions', l.partitions,
            'messages', json_build_object('total', l.total, 'pending', l.pending, 'estimated', l.estimated)
        ) order by l.label), '[]')
        from (
            select case p_kind when 'task' then q.task else q.namespace end as label, count(*) as queues,
                   sum(d.partitions)::bigint as partitions, sum(d.total)::bigint as total,
                   sum(d.pending + d.processing)::bigint as pending, bool_or(d.estimated) as estimated
            from queen.queue_depths_v1(v_ids) d
            join queen.queues q on q.id = d.queue_id
            group by label
        ) l),
        'total', v_total, 'pagination', json_build_object('limit', p_limit, 'offset', p_offset));
end
$$;

-- overview_v1(visible) → JSON
-- Everything that the caller may see (is_visible_v1) in one answer: how many queues, partitions, namespaces and tasks there are, the counters of all messages,
-- how far the consumers are behind, and what was pushed and acknowledged a second.
-- lag.offset  messages not consumed, over the partitions that have any; lag.time the seconds since the last push to
--             these, so how long at least their newest message waits. No message is read for it.
-- Costs one pass over all partitions and groups.
create or replace function queen.overview_v1(p_visible text[] default null) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set work_mem = '32MB'
set jit = off
as $$
declare
    v_ids    uuid[] := (
        select coalesce(array_agg(q.id), '{}')
        from queen.queues q
        where (p_visible is null or queen.is_visible_v1(q.name, p_visible)));
    v_counts json;
    v_lag    json;
    v_parts  bigint;
begin
    select count(*),
           queen.message_counts_v1(coalesce(sum(d.total), 0)::bigint, coalesce(sum(d.pending), 0)::bigint,
               coalesce(sum(d.processing), 0)::bigint,
               (select count(*) from (
                   select distinct l.partition_id, l.seq from queen.dead_letters l
                   where p_visible is null
                      or l.partition_id in (select a.id from queen.partitions a where a.queue_id = any (v_ids))) l),
               coalesce(bool_or(d.estimated), false)),
           json_build_object(
               'time', json_build_object(
                   'avg', coalesce(round(avg(b.seconds), 3), 0), 'median', coalesce(percentile_disc(0.5) within group (order by b.seconds), 0),
                   'min', coalesce(min(b.seconds), 0), 'max', coalesce(max(b.seconds), 0)),
               'offset', json_build_object(
                   'avg', coalesce(round(avg(b.messages), 3), 0), 'median', coalesce(percentile_disc(0.5) within group (order by b.messages), 0),
                   'min', coalesce(min(b.messages), 0), 'max', coalesce(max(b.messages), 0)))
    into v_parts, v_counts, v_lag
    from queen.partition_depths_v1(v_ids, null) d
    join queen.partitions p on p.id = d.partition_id
    left join lateral (
        select d.pending + d.processing as messages,
               greatest(round(extract(epoch from now() - greatest(p.last_push_at, p.delayed_until)), 3), 0) as seconds
        where d.pending + d.processing > 0
    ) b on true;

    return json_build_object(
        'queues', cardinality(v_ids), 'partitions', v_parts,
        'namespaces', (select count(distinct q.namespace) from queen.queues q where q.namespace <> '' and q.id = any (v_ids)),
        'tasks', (select count(distinct q.task) from queen.queues q where q.task <> '' and q.id = any (v_ids)),
        'messages', v_counts, 'lag', v_lag,
        'throughput', (
            select json_build_object('ingestedPerSecond', t.ingested, 'processedPerSecond', t.processed)
            from queen.throughput_v1(p_visible) t),
        'timestamp', queen.iso_time(clock_timestamp()), 'statsAge', 0);
end
$$;

-- list_partitions_v1(queue, limit, offset, visible) → JSON, null when there is no such queue
-- Partitions with their counters, by name; without a queue those of all queues that the caller may see (is_visible_v1), by
-- queue and name. total is the number of all of them.
create or replace function queen.list_partitions_v1(
    p_queue text, p_limit integer, p_offset integer, p_visible text[] default null) returns json
language plpgsql stable
as $$
declare
    v_ids uuid[];
begin
    select array_agg(q.id) into v_ids
    from queen.queues q
    where (p_queue is null or q.name = p_queue) and (p_visible is null or queen.is_visible_v1(q.name, p_visible));
    if v_ids is null and p_queue is not null then
        return null;
    end if;
    return json_build_object(
        'partitions', queen.partition_page_v1(v_ids, p_limit, p_offset),
        'total', (select count(*) from queen.partitions p where p.queue_id = any (v_ids)),
        'pagination', json_build_object('limit', p_limit, 'offset', p_offset));
end
$$;

-- partition_page_v1(queues, limit, offset) → JSON array
-- Partitions with their counters, by name (by queue name first when there are several queues). Only those of the page are
-- counted and looked into.
--
-- Gives  id, name, queue, createdAt, stats and messages (the same counters), cursor (what all groups together consumed),
--        lastActivity (the last push or pop), oldestMessage and newestMessage (times of the messages stored).
create or replace function queen.partition_page_v1(p_queue_ids uuid[], p_limit integer, p_offset integer) returns json
language plpgsql stable
set plan_cache_mode = force_custom_plan
set jit = off
as $$
declare
    v_ids uuid[];
begin
    if cardinality(p_queue_ids) = 1 then
        -- In the order of the index: what lies behind the page is not read.
        select array_agg(p.id) into v_ids
        from (
            select p.id from queen.partitions p
            where p.queue_id = p_queue_ids[1]
            order by p.name
            limit p_limit offset p_offset
        ) p;
    else
        select array_agg(p.id) into v_ids
        from (
            select p.id
            from queen.partitions p
            join queen.queues q on q.id = p.queue_id
            where p.queue_id = any (p_queue_ids)
            order by q.name, p.name
            limit p_limit offset p_offset
        ) p;
    end if;

    return (
        select coalesce(json_agg(json_build_object(
            'id', p.id, 'name', p.name, 'queue', q.name, 'createdAt', queen.iso_time(p.created_at),
            'stats', s.counts, 'messages', s.counts,
            'cursor', json_build_object('totalConsumed', c.consumed, 'batchesConsumed', c.batches),
            'lastActivity', queen.iso_time(greatest(p.last_push_at, c.last_consumed_at)),
            'oldestMessage', queen.iso_time(o.created_at), 'newestMessage', queen.iso_time(n.created_at)
        ) order by q.name, p.name), '[]')
        from queen.partition_depths_v1(p_queue_ids, coalesce(v_ids, '{}')) d
        join queen.partitions p on p.id = d.partition_id
        join queen.queues q on q.id = p.queue_id
        cross join lateral (
            select count(distinct l.seq) as n from queen.dead_letters l where l.partition_id = p.id
        ) l
        cross join lateral (
            select queen.message_counts_v1(d.total, d.pending, d.processing, l.n, d.estimated) as counts
        ) s
        cross join lateral (
            select coalesce(sum(c.total_consumed), 0)::bigint as consumed, coalesce(sum(c.total_batches), 0)::bigint as batches,
                   max(c.last_consumed_at) as last_consumed_at
            from queen.partition_consumers c
            where c.partition_id = p.id
        ) c
        left join lateral (
            select m.created_at from queen.messages m
            where m.partition_id = p.id and m.seq > p.tail order by m.seq limit 1
        ) o on true
        left join lateral (
            select m.created_at from queen.messages m
            where m.partition_id = p.id and m.seq > p.tail order by m.seq desc limit 1
        ) n on true);
end
$$;

-- is_visible_v1(queue, patterns) → boolean
-- Whether a caller with rights on some queues may see this one: a pattern is its name, or ends with * and the name begins
-- with what stands before. Callers ask with `p_visible is null or …` in front: null is a caller with all queues, which costs
-- nothing then.
create or replace function queen.is_visible_v1(p_queue text, p_patterns text[]) returns boolean
language sql
immutable
parallel safe
as $$
    select exists (
        select
        from unnest(p_patterns) p (pattern)
        where case when right(p.pattern, 1) = '*' then starts_with(p_queue, left(p.pattern, -1)) else p.pattern = p_queue end)
$$;

-- iso_time(time) → text
-- A time as inspection answers write it: UTC, three digits of a second, so that text order is time order.
create or replace function queen.iso_time(p_time timestamptz) returns text
language sql
immutable
parallel safe
as $$
    select to_char(p_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Which partitions have something for a group, for pops of any partition: what changed since a server last asked, read
-- from the push log, or a walk over all partitions.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- changes_since_v1(queue, group, mark, after, limit) → partitions with messages
-- What a server asks before it answers a pop of any partition: the changes since its mark (push_log_since_v1), or, when it
-- has no mark that can be trusted, the next page of a scan over all partitions (scan_page_v1). No scan is needed where
-- there is a clear mark: the changes since then are all there is. Mark and changes are read by one statement, because marks
-- go together with their log.
-- Marks are `life:transaction id` here. A mark of an earlier life of the database is answered with nulls: the server has
-- to scan.
create or replace function queen.changes_since_v1(
    p_queue_name text, p_consumer_group text, p_mark text, p_after text, p_limit integer,
    out ids uuid[], out due_ms bigint[], out last_name text, out mark text)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_life text := queen.push_log_life_v1();
begin
    if p_mark is null and p_after is null then
        select n.ids, n.due_ms, n.mark into ids, due_ms, mark
        from (
            select m.xid::text as since from queen.clear_marks m
            where m.queue_id = (select q.id from queen.queues q where q.name = p_queue_name)
              and m.consumer_group = p_consumer_group and m.life = v_life
            order by m.xid desc
            limit 1
        ) m
        cross join lateral queen.push_log_since_v1(p_queue_name, p_consumer_group, m.since) n;
    end if;
    if mark is not null then
        null;
    elsif p_mark is null then
        select s.ids, s.due_ms, s.last_name, s.mark into ids, due_ms, last_name, mark
        from queen.scan_page_v1(p_queue_name, p_consumer_group, p_after, p_limit) s;
    elsif split_part(p_mark, ':', 1) = v_life then
        select n.ids, n.due_ms, n.mark into ids, due_ms, mark
        from queen.push_log_since_v1(p_queue_name, p_consumer_group, split_part(p_mark, ':', 2)) n;
    end if;
    mark := v_life || ':' || mark;
end
$$;

-- push_log_since_v1(queue, group, since) → partitions with messages
-- What the push log tells since the last call: the partitions pushed to, or given back before their lease ran out, by any
-- server or by SQL, that have messages after the group's cursor. Costs what was pushed since, however many partitions the
-- queue has.
--
-- Takes  p_since  the mark that the last call gave
-- Gives  ids, due_ms and mark as scan_page_v1
--
-- In PL/pgSQL, as the two that follow: a function in SQL that gives one row is planned anew at each call, which took half a
-- millisecond of an empty pop.
create or replace function queen.push_log_since_v1(
    p_queue_name text, p_consumer_group text, p_since text, out ids uuid[], out due_ms bigint[], out mark text)
language plpgsql stable
as $$
begin
    select s.ids, s.due_ms, pg_snapshot_xmin(pg_current_snapshot())::text into ids, due_ms, mark
    from queen.check_partitions_v1(p_consumer_group, array(
        select distinct u.id
        from queen.push_log l
        cross join lateral unnest(l.partition_ids) u (id)
        where l.queue_id = (select q.id from queen.queues q where q.name = p_queue_name)
          and l.xid >= p_since::xid8)) s;
end
$$;

-- check_partitions_v1(group, partitions) → those that have messages for the group
-- What push_log_since_v1 asks of the partitions it found, and a server of those it remembers: others may have consumed
-- them, so after a few that turn out to be empty it has the rest checked in one call.
--
-- Gives  ids, due_ms as scan_page_v1. No lock is taken: the lease decides.
create or replace function queen.check_partitions_v1(p_consumer_group text, p_ids uuid[], out ids uuid[], out due_ms bigint[])
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
begin
    with news as (
        select p.id, ceil(extract(epoch from greatest(c.lease_expires_at, c.retry_at, now(),
                   case when (q.window_buffer > 0 or q.delayed_processing > 0 or p.delayed_until > now()) and c.redriven = 0
                       then queen.available_at_v1(p.id, greatest(c.cursor, p.tail), p.last_push_at, q.window_buffer,
                           q.delayed_processing, p.delayed_until)
                   end) - now()) * 1000)::bigint as due_ms
        from unnest(p_ids) u (id)
        cross join lateral (select p.* from queen.partitions p where p.id = u.id limit 1) p
        cross join lateral (select q.* from queen.queues q where q.id = p.queue_id limit 1) q
        cross join lateral queen.pop_sm_standing(q.name, p.id, p.name, p.head, p.last_push_at, p_consumer_group) c
        where p.head > greatest(c.cursor, p.tail) or c.redriven > 0
    )
    select (select array_agg(n.id) from news n), (select array_agg(n.due_ms) from news n) into ids, due_ms;
end
$$;

-- scan_page_v1(queue, group, after, limit) → the partitions with messages among the next in name order, and where to go on
-- How a server learns which partitions of a queue have messages for a group: it scans them once, in pages of p_limit
-- partitions, and hears of later changes from the push log.
--
-- Takes  p_after     the name after which to go on, null to begin
-- Gives  ids         the partitions of this page with messages after the group's cursor
--        due_ms      milliseconds until each can be popped: 0, or the rest of its lease, retry delay, window or delay
--        last_name   where the next page goes on; null when all partitions have been seen
--        mark        everything committed below this transaction id was visible to this call
create or replace function queen.scan_page_v1(
    p_queue_name text, p_consumer_group text, p_after text, p_limit integer,
    out ids uuid[], out due_ms bigint[], out last_name text, out mark text)
language plpgsql stable
as $$
begin
    with page as (
        select p.id, p.name, p.head, p.tail, p.queue_id, p.last_push_at, p.delayed_until
        from queen.partitions p
        where p.queue_id = (select q.id from queen.queues q where q.name = p_queue_name)
          and p.name >= coalesce(p_after, '') and p.name is distinct from p_after
        order by p.name
        limit p_limit
    ), news as (
        select s.id, ceil(extract(epoch from greatest(c.lease_expires_at, c.retry_at, now(),
                   case when (q.window_buffer > 0 or q.delayed_processing > 0 or s.delayed_until > now()) and c.redriven = 0
                       then queen.available_at_v1(s.id, greatest(c.cursor, s.tail), s.last_push_at, q.window_buffer,
                           q.delayed_processing, s.delayed_until)
                   end) - now()) * 1000)::bigint as due_ms
        from page s
        cross join lateral (select q.* from queen.queues q where q.id = s.queue_id limit 1) q
        cross join lateral queen.pop_sm_standing(p_queue_name, s.id, s.name, s.head, s.last_push_at, p_consumer_group) c
        where s.head > s.tail and (s.head > c.cursor or c.redriven > 0)
    )
    select (select array_agg(n.id) from news n), (select array_agg(n.due_ms) from news n),
           (select max(s.name) from page s having count(*) = p_limit),
           pg_snapshot_xmin(pg_current_snapshot())::text
    into ids, due_ms, last_name, mark;
end
$$;

-- available_at_v1(partition, cursor, last push, window, delay, delayed until) → time
-- When the window of a partition closes or the message after the cursor is due (due_at_v1), whichever is later; null when
-- neither the queue nor the message says.
create or replace function queen.available_at_v1(
    p_partition_id uuid, p_cursor bigint, p_last_push_at timestamptz, p_window_buffer integer, p_delayed_processing integer,
    p_delayed_until timestamptz)
returns timestamptz
language sql stable
as $$
    select greatest(
        case when p_window_buffer > 0 then p_last_push_at + make_interval(secs => p_window_buffer) end,
        case when p_delayed_processing > 0 or p_delayed_until > now() then (
            select queen.due_at_v1(m.created_at, m.deliver_at, p_delayed_processing)
            from queen.messages m
            where m.partition_id = p_partition_id and m.seq > p_cursor
            order by m.seq
            limit 1) end)
$$;

-- push_log_life_v1() → text
-- The name of this life of the database, made up when there is none: it begins anew after a crash or a failover. A mark
-- of the push log is good in the life it was given in, `life:transaction id`; another life may have given out the same
-- ids again.
create or replace function queen.push_log_life_v1() returns text
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

-- trim_push_log_v1(before) → rows removed, mark
-- Removes what the push log holds of transactions before p_before (null: nothing), and gives the mark of now: the oldest
-- transaction still running. A server that calls it every so often with the mark it was given a minute ago keeps
-- everything that any server may still ask for, also of transactions that stay open for long.
-- Marks are `life:transaction id`; one of an earlier life of the database removes nothing.
-- Shared leases that no partition is held under any more go here too, a minute after they were taken: pops make them as
-- fast as pushes make log rows, 13 million a day at 150 pops a second.
-- Clear marks go with what they need of the log, in one transaction.
-- One at a time: who finds another at it leaves it alone.
create or replace function queen.trim_push_log_v1(p_before text, out removed bigint, out mark text)
language plpgsql
as $$
declare
    v_life text := queen.push_log_life_v1();
begin
    removed := 0;
    if split_part(p_before, ':', 1) = v_life and pg_try_advisory_xact_lock(hashtext('queen.trim_push_log')) then
        delete from queen.clear_marks m where m.life <> v_life or m.xid < split_part(p_before, ':', 2)::xid8;
        delete from queen.push_log l where l.xid < split_part(p_before, ':', 2)::xid8;
        get diagnostics removed = row_count;
        delete from queen.shared_leases s
        where s.created_at < now() - interval '1 minute'
          and not exists (
              select from unnest(s.partition_ids) u (id)
              cross join lateral (
                  select from queen.partition_consumers c where c.partition_id = u.id and c.lease_id = s.lease_id limit 1) c);
    end if;
    mark := v_life || ':' || pg_snapshot_xmin(pg_current_snapshot());
end
$$;

-- announce_partitions_v1(queue names, from)
-- Tells every server by the push log that the partitions of these queues that hold messages of that time or later may have
-- news for some group: because its subscription was moved or removed, and begins earlier now. A thousand partitions a row.
create or replace function queen.announce_partitions_v1(p_queue_names text[], p_from timestamptz) returns void
language sql
as $$
    insert into queen.push_log (queue_id, partition_ids)
    select n.queue_id, array_agg(n.id)
    from (
        select p.queue_id, p.id, row_number() over (partition by p.queue_id) / 1000 as portion
        from queen.partitions p
        where p.queue_id in (select q.id from queen.queues q where q.name = any (p_queue_names))
          and p.head > p.tail
          and (p_from is null or p.last_push_at >= p_from)
    ) n
    group by n.queue_id, n.portion
$$;

-- Retention and eviction: what is removed because of its age.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- remove_expired_v1(kind, run, partitions, limit, wait) → removed, remaining
-- One portion of retention or eviction: removes up to p_limit messages that are due in the given partitions, and adds
-- them to the history of the run.
--
-- Takes  p_kind   retention, completed or eviction, see expired_range_v1
--        p_run    when the run began: its key in the history
--        p_wait   wait for a partition that somebody writes to; only for a single one
-- Gives  removed    messages removed; null when another server is at it
--        remaining  the partitions to call for again: somebody held them, or the limit was reached before their end
-- Locks  an advisory lock for the transaction, so that one server at a time removes; then partitions, skipping those that
--        others hold: it never waits while it holds one, and a push waits for one portion at most. Then rows of
--        partition_consumers, see remove_messages_v1. The advisory lock ends with the transaction and not with the
--        session, so that it is right behind a pooler too.
create or replace function queen.remove_expired_v1(
    p_kind text, p_run timestamptz, p_partition_ids uuid[], p_limit integer, p_wait boolean,
    out removed bigint, out remaining uuid[])
language plpgsql
as $$
declare
    v_id    uuid;
    v_after bigint;
    v_upto  bigint;
    v_count bigint;
    v_done  boolean;
begin
    if not pg_try_advisory_xact_lock(hashtext('queen.remove_expired')) then
        return;
    end if;
    removed := 0;
    remaining := '{}';
    foreach v_id in array p_partition_ids loop
        if removed >= p_limit then
            remaining := remaining || v_id;
            continue;
        end if;
        if p_wait then
            perform from queen.partitions p where p.id = v_id for no key update;
        else
            perform from queen.partitions p where p.id = v_id for no key update skip locked;
        end if;
        if not found then
            if exists (select from queen.partitions p where p.id = v_id) then
                remaining := remaining || v_id;
            end if;
            continue;
        end if;
        select r.after, r.upto into v_after, v_upto
        from queen.expired_range_v1(p_kind, v_id, (p_limit - removed)::integer) r;
        continue when v_upto <= v_after;
        select r.removed, r.done into v_count, v_done
        from queen.remove_messages_v1(v_id, v_after, v_upto, (p_limit - removed)::integer) r;
        removed := removed + v_count;
        if not v_done then
            remaining := remaining || v_id;
        end if;
        if v_count > 0 then
            insert into queen.retention_history as h (executed_at, queue_name, kind, deleted_count)
            select p_run, q.name, p_kind, v_count
            from queen.partitions p
            join queen.queues q on q.id = p.queue_id
            where p.id = v_id
            on conflict (executed_at, queue_name, kind) do update set deleted_count = h.deleted_count + excluded.deleted_count;
        end if;
    end loop;
end
$$;

-- due_partitions_v1(kind, queue, after, limit) → partitions with messages due for removal, and where to go on
-- Looks at the next p_limit partitions of a queue in name order: one look at the oldest message of each that holds any.
--
-- Takes  p_kind   retention, completed or eviction, see expired_range_v1
--        p_after  the name after which to go on, null to begin
-- Gives  ids        the partitions of this step that have something due
--        last_name  where the next step goes on; null when all have been seen
-- Locks  nothing.
create or replace function queen.due_partitions_v1(
    p_kind text, p_queue_id uuid, p_after text, p_limit integer, out ids uuid[], out last_name text)
language sql stable
as $$
    with step as (
        select p.id, p.name, p.head, p.tail, p.removed, s.seconds
        from queen.queues q
        cross join lateral queen.expiry_seconds(q, p_kind) s (seconds)
        join queen.partitions p on p.queue_id = q.id
        where q.id = p_queue_id and s.seconds > 0 and p.name >= coalesce(p_after, '')
          and p.name is distinct from p_after
        order by p.name
        limit p_limit
    ), due as (
        select s.id
        from step s
        cross join lateral (
            select min(c.cursor) from queen.partition_consumers c where c.partition_id = s.id) g (slowest)
        where s.head > s.removed
          and (p_kind <> 'completed' or g.slowest > s.tail)
          and (select greatest(m.created_at, m.deliver_at)
               from queen.messages m
               where m.partition_id = s.id
                 and m.seq > case p_kind when 'eviction' then greatest(s.tail, coalesce(g.slowest, 0)) else s.tail end
               order by m.seq
               limit 1) < now() - make_interval(secs => s.seconds)
    )
    select (select array_agg(d.id) from due d), (select max(s.name) from step s having count(*) = p_limit)
$$;

-- expired_range_v1(kind, partition, limit) → after, upto
-- Which messages of a partition are due for removal: those after `after` up to `upto`, none when upto is not larger. The age
-- of a message counts from its deliver_at if it has one, and what stands behind one that is too young stays with it: only
-- the first p_limit messages are looked through for one, so no more of them may be removed at once.
--   retention   older than the queue's retentionSeconds, consumed or not
--   completed   older than completedRetentionSeconds and passed by every group that has a cursor here, up to the first that
--               was redriven and is not done; a group that never consumed keeps everything, and so does a partition
--               without groups
--   eviction    older than maxWaitTimeSeconds and not passed by every group: what all have passed is no longer waiting
-- Time is looked up by halving (seq_before), never by a scan.
create or replace function queen.expired_range_v1(
    p_kind text, p_partition_id uuid, p_limit integer, out after bigint, out upto bigint)
language sql stable
as $$
    select b.after,
           case
               when s.seconds is null or (p_kind = 'completed' and coalesce(g.slowest, 0) <= p.tail) then 0
               else least(
                   queen.seq_before(p.id, now() - make_interval(secs => s.seconds)),
                   case p_kind when 'completed' then g.slowest end,
                   case when p.delayed_until > now() - make_interval(secs => s.seconds) then (
                       select min(m.seq) - 1
                       from (
                           select m.seq, m.deliver_at from queen.messages m
                           where m.partition_id = p.id and m.seq > b.after
                           order by m.seq
                           limit p_limit
                       ) m
                       where m.deliver_at > now() - make_interval(secs => s.seconds)) end)
           end
    from queen.partitions p
    join queen.queues q on q.id = p.queue_id
    cross join lateral queen.expiry_seconds(q, p_kind) s (seconds)
    cross join lateral (
        select min(least(c.cursor, case when c.redriven > 0 and p_kind = 'completed' then (
            select min(r.seq) - 1 from queen.redriven r
            where r.partition_id = c.partition_id and r.consumer_group = c.consumer_group and r.seq > p.tail) end))
        from queen.partition_consumers c
        where c.partition_id = p.id) g (slowest)
    cross join lateral (
        select case p_kind when 'eviction' then greatest(p.tail, coalesce(g.slowest, 0)) else p.tail end) b (after)
    where p.id = p_partition_id
$$;

-- expiry_seconds(queue, kind) → seconds
-- The age from which messages of a queue are removed by retention, completed retention or eviction; null for never.
create or replace function queen.expiry_seconds(p_queue queen.queues, p_kind text) returns integer
language sql immutable
as $$
    select nullif(case p_kind
        when 'retention' then case when p_queue.retention_enabled then p_queue.retention_seconds end
        when 'completed' then case when p_queue.retention_enabled then p_queue.completed_retention_seconds end
        when 'eviction' then p_queue.max_wait_time_seconds
    end, 0)
$$;

-- remove_messages_v1(partition, after, upto, limit) → removed, done
-- Removes the oldest p_limit messages after p_after up to p_upto, with their dead letters, traces and redriven rows.
-- The caller holds the row lock of the partition.
-- Cursors that stood in what is gone now stand behind it, and a lease that has no message left ends, or consumers would
-- wait for nothing. A group whose row somebody else holds right now keeps its cursor: its next pop finds nothing there
-- and moves it. The tail moves up when nothing is left before p_after.
--
-- Gives  removed  messages removed
--        done     false when the limit was reached: there may be more
-- Locks  rows of partition_consumers in key order, skipping those that others hold.
create or replace function queen.remove_messages_v1(
    p_partition_id uuid, p_after bigint, p_upto bigint, p_limit integer, out removed bigint, out done boolean)
language plpgsql
as $$
declare
    v_tail bigint;
    v_upto bigint;
begin
    select p.tail into v_tail from queen.partitions p where p.id = p_partition_id;
    select max(m.seq), count(*) into v_upto, removed
    from (
        select m.seq
        from queen.messages m
        where m.partition_id = p_partition_id and m.seq > p_after and m.seq <= p_upto
        order by m.seq
        limit p_limit
    ) m;
    done := removed < p_limit;
    if done then
        v_upto := p_upto;
    end if;

    with gone as (
        delete from queen.messages m
        where m.partition_id = p_partition_id and m.seq > p_after and m.seq <= v_upto
        returning m.transaction_id
    )
    delete from queen.traces t
    using gone g
    where t.partition_id = p_partition_id and t.transaction_id = g.transaction_id;
    -- Those before the tail too: an ack under way may have written one for a message that was just removed.
    delete from queen.dead_letters d
    where d.partition_id = p_partition_id and d.seq <= v_upto and (d.seq > p_after or d.seq <= v_tail);

    update queen.partitions p
    set removed = p.removed + remove_messages_v1.removed,
        tail = case
            when p.removed + remove_messages_v1.removed >= p.head then p.head
            when exists (
                select from queen.messages m
                where m.partition_id = p_partition_id and m.seq > p.tail and m.seq <= p_after) then p.tail
            else greatest(p.tail, v_upto)
        end
    where p.id = p_partition_id;

    perform queen.settle_redriven_v1(p_partition_id, case when p_after <= v_tail then 0 else p_after end, v_upto);
    with held as (
        select c.consumer_group, c.lease_last_seq <= v_upto and c.lease_last_seq > c.cursor as over
        from queen.partition_consumers c
        where c.partition_id = p_partition_id and c.cursor < v_upto and (c.cursor >= p_after or p_after <= v_tail)
        order by c.consumer_group
        for update skip locked
    ), moved as (
        update queen.partition_consumers c
        set cursor = v_upto,
            retry_count = 0,
            retry_at = null,
            lease_id = case when h.over then null else c.lease_id end,
            lease_expires_at = case when h.over then null else c.lease_expires_at end,
            lease_last_seq = case when h.over then null else c.lease_last_seq end
        from held h
        where c.partition_id = p_partition_id and c.consumer_group = h.consumer_group
        returning h.over
    )
    -- A partition that is free before its time, with messages left, is news to the servers.
    insert into queen.push_log (queue_id, partition_ids)
    select p.queue_id, array[p.id]
    from queen.partitions p
    where p.id = p_partition_id and p.head > v_upto and exists (select from moved m where m.over);
end
$$;

-- remove_idle_partitions_v1(days, limit) → queue_name, removed
-- Removes up to p_limit partitions that hold no message and got none for so many days, with the cursors of their groups,
-- and tells how many of each queue. `Default` stays: configure answers with its id.
-- A later push makes the partition anew, with another id and an empty order; a group starts there by its subscription or
-- at the beginning, and everything pushed then is newer than either: nothing is skipped, and nothing comes twice.
-- A partition under a live lease is left alone.
-- Locks  an advisory lock for the transaction, so that one server at a time removes; partitions by id, skipping those
--        that others hold; then the rows of their groups.
create or replace function queen.remove_idle_partitions_v1(p_days integer, p_limit integer)
returns table (queue_name text, removed bigint)
language plpgsql
as $$
begin
    if not pg_try_advisory_xact_lock(hashtext('queen.remove_idle_partitions')) then
        return;
    end if;
    return query
    with idle as (
        select p.id
        from queen.partitions p
        where p.removed >= p.head
          and p.name <> 'Default'
          and coalesce(p.last_push_at, p.created_at) < now() - make_interval(days => p_days)
          and not exists (select from queen.messages m where m.partition_id = p.id)
          and not exists (
              select from queen.partition_consumers c where c.partition_id = p.id and c.lease_expires_at > now())
        order by p.id
        limit p_limit
        for update skip locked
    ), gone as (
        delete from queen.partitions p
        using idle i
        where p.id = i.id
        returning p.queue_id
    )
    select q.name, count(*)
    from gone g
    join queen.queues q on q.id = g.queue_id
    group by q.name;
end
$$;

-- prune_metrics_v1(days, limit) → rows removed
-- Removes up to p_limit rows each of minute buckets and retention history older than so many days; oldest first, in small
-- portions, as everything that is removed in the background.
create or replace function queen.prune_metrics_v1(p_days integer, p_limit integer) returns bigint
language plpgsql
as $$
declare
    v_before  timestamptz := now() - make_interval(days => p_days);
    v_buckets bigint;
    v_history bigint;
begin
    if not pg_try_advisory_xact_lock(hashtext('queen.prune_metrics')) then
        return 0;
    end if;
    delete from queen.metric_buckets b
    where b.ctid = any (array(
        select o.ctid from queen.metric_buckets o where o.bucket < v_before order by o.bucket limit p_limit));
    get diagnostics v_buckets = row_count;
    delete from queen.retention_history h
    where h.ctid = any (array(
        select o.ctid from queen.retention_history o where o.executed_at < v_before order by o.executed_at limit p_limit));
    get diagnostics v_history = row_count;
    return v_buckets + v_history;
end
$$;

-- Schedules: messages that are pushed at set times, once for each due time, whatever the number of servers.
--
-- A server that finds a schedule due computes its due times and the next one, and calls fire_schedule_v1, which stores the
-- messages and moves next_at in one transaction. It does nothing unless the schedule is still as the server read it. So of
-- several servers one fires, and a server that dies has either done both or nothing.
--
-- Locks  the row of the schedule, then as push_limited_v1. Nothing locks a schedule after a partition.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- fire_schedule_v1(items, schedule, due times, next) → missing, dup_ords, dup_ids, refused_ords, refusals, fired
--
-- Takes  p_partition_id … p_deliver_at     as push_limited_v1: an item for each due time, in their order; none to move on only
--        p_name, p_version, p_expected_at  the schedule as the caller has read it, and its next_at
--        p_due_at, p_next_at               the due times of the items, and what follows them, null for nothing
-- Gives  missing … refusals                as push_limited_v1; with missing nothing was done
--        fired                             false when the schedule has changed, is paused, or another server is at it: nothing
--                                          was done
--
-- What a full queue refuses stays due, and is looked at again a few seconds later.
create or replace function queen.fire_schedule_v1(
    p_partition_id   uuid[],
    p_count          integer[],
    p_partition_nr   integer[],
    p_nth            integer[],
    p_transaction_id text[],
    p_message_id     uuid[],
    p_payload        text[],
    p_trace_id       uuid[],
    p_encrypted      boolean[],
    p_producer_sub   text[],
    p_headers        text[],
    p_deliver_at     timestamptz[],
    p_name           text,
    p_version        bigint,
    p_expected_at    timestamptz,
    p_due_at         timestamptz[],
    p_next_at        timestamptz,
    out missing      boolean,
    out dup_ords     integer[],
    out dup_ids      uuid[],
    out refused_ords integer[],
    out refusals     text[],
    out fired        boolean
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_now    timestamptz;
    v_stored integer;
begin
    missing := false;
    perform
    from queen.schedules s
    where s.name = p_name and s.version = p_version and s.next_at = p_expected_at and not s.paused
    for no key update skip locked;
    fired := found;
    if not fired then
        return;
    end if;

    if cardinality(p_due_at) > 0 then
        select l.missing, l.dup_ords, l.dup_ids, l.refused_ords, l.refusals
        into missing, dup_ords, dup_ids, refused_ords, refusals
        from queen.push_limited_v1(p_partition_id, p_count, p_partition_nr, p_nth, p_transaction_id, p_message_id, p_payload,
            p_trace_id, p_encrypted, p_producer_sub, p_headers, p_deliver_at) l;
        if missing then
            return;
        end if;
    end if;

    -- All items go to one partition: what is refused is the end of the list.
    v_stored := coalesce(refused_ords[1] - 1, cardinality(p_due_at));
    v_now := clock_timestamp();
    update queen.schedules s
    set next_at = case when refused_ords is null then p_next_at else p_due_at[v_stored + 1] end,
        look_at = case when refused_ords is null then p_next_at else v_now + interval '5 seconds' end,
        last_due_at = case when v_stored > 0 then p_due_at[v_stored] else s.last_due_at end,
        last_run_at = case when v_stored > 0 then v_now else s.last_run_at end,
        last_error = case when refused_ords is not null then refusals[1] when v_stored > 0 then null else s.last_error end
    where s.name = p_name;
end
$$;

-- due_schedules_v1(until, rows, bytes) → schedules that are to be looked at by then
-- In a random order, so that several servers take different ones, and no more than p_rows; their payloads have no more than
-- p_bytes, or it is one schedule.
create or replace function queen.due_schedules_v1(p_until timestamptz, p_rows integer, p_bytes bigint)
returns setof queen.schedules
language sql
as $$
    select (d.due).*
    from (
        select d.due, sum(d.bytes) over (order by d.place) - d.bytes as before
        from (
            select s as due, octet_length(s.payload) + coalesce(octet_length(s.headers), 0) as bytes, random() as place
            from queen.schedules s
            where s.look_at <= p_until
            order by place
            limit p_rows
        ) d
    ) d
    where d.before = 0 or d.before < p_bytes
$$;

-- Streams: queries, their state, and cycles, which write state, push results and ack what was processed, all or nothing.
--
-- Locks  A cycle locks its row of stream_partitions first, then as a push, then as an ack: stream_partitions by key,
--        partitions by id, partition_consumers by key. A list of cycles locks all of the first kind before any of the
--        second. Nothing that holds a partition or a partition_consumers row waits for one of stream_partitions: so
--        cycles, pushes and acks never deadlock. State is written under the lock of its row of stream_partitions.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- register_query_v1(name, source, sink, hash, reset, retention, mine) → id, fresh, was_reset, conflict, forbidden
-- Registers a query by its name, or finds it. One with the same hash keeps its state, also when a reset is asked for:
-- programs that always ask for one go on where they were. With another hash its state is dropped, or it is a conflict.
--
-- Takes  p_retention  seconds, null to leave it as it is
--        p_mine       the queues that the caller may consume, null for all: a query of another source is not the caller's
-- Gives  conflict     the hash is another one and no reset was asked for; nothing changed
--        forbidden    the query is not the caller's; nothing changed
-- Locks  the row of stream_queries.
create or replace function queen.register_query_v1(
    p_name text, p_source_queue text, p_sink_queue text, p_config_hash text, p_reset boolean, p_retention integer,
    p_mine text[],
    out id uuid, out fresh boolean, out was_reset boolean, out conflict boolean, out forbidden boolean)
language plpgsql
as $$
declare
    v_query queen.stream_queries;
begin
    fresh := false;
    was_reset := false;
    conflict := false;
    forbidden := false;
    loop
        insert into queen.stream_queries as q (name, source_queue, sink_queue, config_hash, state_retention_seconds)
        values (p_name, p_source_queue, p_sink_queue, p_config_hash, coalesce(p_retention, 0))
        on conflict (name) do nothing
        returning q.id into register_query_v1.id;
        if found then
            fresh := true;
            return;
        end if;
        select q.* into v_query from queen.stream_queries q where q.name = p_name for update;
        exit when found;
    end loop;

    id := v_query.id;
    forbidden := p_mine is not null and not queen.is_visible_v1(v_query.source_queue, p_mine);
    was_reset := v_query.config_hash <> p_config_hash and p_reset;
    conflict := v_query.config_hash <> p_config_hash and not p_reset;
    if forbidden or conflict then
        was_reset := false;
        return;
    end if;
    update queen.stream_queries q
    set source_queue = p_source_queue, sink_queue = p_sink_queue, config_hash = p_config_hash,
        state_id = case when was_reset then gen_random_uuid() else q.state_id end,
        state_retention_seconds = coalesce(p_retention, q.state_retention_seconds),
        registered_at = now()
    where q.id = v_query.id;
end
$$;

-- cycle_list_v1(pushes, cycles, state operations) → what became of them
-- A list of cycles, each of another source partition, in one transaction. When one of them can't be done, nothing is.
--
-- Takes  the arrays of push_list_v1 for the pushes of all cycles (null partitions for none); p_limited when a queue among
--        them has max_size
--        per cycle: query, source partition, group, its own id, and the ack: transaction id (null for no ack), lease
--        (null: not checked), whether the message is to be dead-lettered, its error, and whether the lease is to end
--        p_op_*  the state operations: which cycle (from 1), key, value (null deletes), the end of its window. A key comes
--                once per cycle.
-- Gives  missing  a partition to push to is gone: nothing is done
--        errors   why a cycle can't be done, null for none; done, the cycle was applied before. When any is set nothing
--                 is done: the caller takes those out of the list and calls again
--        dup_*    as push_list_v1
--        queue_names, partition_names   of the sources
--        released, dead, pending        of the acks, as ack_list_v1 gives them
-- Fails  with QU003 on a refused ack and QU004 on a full queue: which of the cycles it is about shows when they are alone
--
-- Order  Sink messages of a cycle are stored in the order given. An ack moves the cursor to its message; the lease ends or
--        stays as the cycle says, whatever is left of its batch: what was not acked comes again when it ends.
-- Locks  see above.
create or replace function queen.cycle_list_v1(
    p_partition_id       uuid[],
    p_count              integer[],
    p_partition_nr       integer[],
    p_nth                integer[],
    p_transaction_id     text[],
    p_message_id         uuid[],
    p_payload            text[],
    p_trace_id           uuid[],
    p_encrypted          boolean[],
    p_producer_sub       text[],
    p_headers            text[],
    p_deliver_at         timestamptz[],
    p_limited            boolean,
    p_query_id           uuid[],
    p_source_id          uuid[],
    p_consumer_group     text[],
    p_cycle_id           uuid[],
    p_ack_transaction_id text[],
    p_ack_lease_id       uuid[],
    p_ack_dead           boolean[],
    p_ack_error          text[],
    p_release            boolean[],
    p_op_cycle           integer[],
    p_op_key             text[],
    p_op_value           text[],
    p_op_window_end      double precision[],
    out missing          boolean,
    out errors           text[],
    out done             boolean[],
    out dup_ords         integer[],
    out dup_ids          uuid[],
    out queue_names      text[],
    out partition_names  text[],
    out released         boolean[],
    out dead             boolean[],
    out pending          boolean[]
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_count    integer := cardinality(p_query_id);
    v_cycle    integer;
    v_row      record;
    v_source   record;
    v_push     record;
    v_acks     integer[];
    -- One element per cycle: its row of stream_partitions, and the generation of its state.
    v_rows     tid[] := array_fill(null::tid, array[v_count]);
    v_states   uuid[] := array_fill(null::uuid, array[v_count]);
begin
    missing := false;
    errors := array_fill(null::text, array[v_count]);
    queue_names := errors;
    partition_names := errors;
    done := array_fill(false, array[v_count]);
    released := done;
    dead := done;
    pending := done;

    for v_cycle in select i from generate_series(1, v_count) i order by p_query_id[i], p_source_id[i] loop
        v_row := queen.lock_cycle_v1(p_query_id[v_cycle], p_source_id[v_cycle]);
        -- After the lock, so that a cycle that waited for a reset writes into the new state.
        select q.state_id, q.source_queue, s.queue_name, s.partition_name into v_source
        from queen.stream_queries q
        left join lateral (
            select u.name as queue_name, p.name as partition_name
            from queen.partitions p
            join queen.queues u on u.id = p.queue_id
            where p.id = p_source_id[v_cycle]
            limit 1
        ) s on true
        where q.id = p_query_id[v_cycle];
        if not found then
            errors[v_cycle] := 'Query not found';
        elsif v_source.queue_name is null then
            errors[v_cycle] := 'Partition not found';
        elsif v_source.queue_name <> v_source.source_queue then
            -- Else a caller that may consume one queue could write the state of any query.
            errors[v_cycle] := 'Partition is not of the source queue of the query';
        end if;
        v_rows[v_cycle] := v_row.place;
        v_states[v_cycle] := v_source.state_id;
        queue_names[v_cycle] := v_source.queue_name;
        partition_names[v_cycle] := v_source.partition_name;
        done[v_cycle] := coalesce(p_cycle_id[v_cycle] = any (v_row.last_cycles), false);
    end loop;

    v_acks := array(select i from generate_series(1, v_count) i where p_ack_transaction_id[i] is not null order by i);
    if v_count > 1 then
        -- A look without a lock, so that one refused ack does not take the list apart.
        for v_cycle in select i from unnest(v_acks) i where errors[i] is null and not done[i] loop
            errors[v_cycle] := queen.cycle_ack_error_v1(
                p_source_id[v_cycle], p_consumer_group[v_cycle], p_ack_transaction_id[v_cycle], p_ack_lease_id[v_cycle]);
        end loop;
    end if;
    if true = any (done) or cardinality(array_remove(errors, null)) > 0 then
        return;
    end if;

    if cardinality(p_partition_id) > 0 then
        if p_limited then
            select * into v_push
            from queen.push_limited_v1(p_partition_id, p_count, p_partition_nr, p_nth, p_transaction_id, p_message_id,
                p_payload, p_trace_id, p_encrypted, p_producer_sub, p_headers, p_deliver_at);
            if v_push.refused_ords is not null then
                raise exception '%', v_push.refusals[1] using errcode = 'QU004';
            end if;
        else
            select * into v_push
            from queen.push_list_v1(p_partition_id, p_count, p_partition_nr, p_nth, p_transaction_id, p_message_id,
                p_payload, p_trace_id, p_encrypted, p_producer_sub, p_headers, p_deliver_at);
        end if;
        missing := v_push.missing;
        if missing then
            return;
        end if;
        dup_ords := v_push.dup_ords;
        dup_ids := v_push.dup_ids;
    end if;

    if cardinality(v_acks) > 0 then
        for v_row in
            select v_acks[a.ord] as cycle, a.error, a.lease_released, a.dlq, a.pending
            from queen.cycle_acks_v1(
                    array(select p_source_id[i] from unnest(v_acks) with ordinality x (i, o) order by o),
                    array(select p_ack_transaction_id[i] from unnest(v_acks) with ordinality x (i, o) order by o),
                    array(select p_consumer_group[i] from unnest(v_acks) with ordinality x (i, o) order by o),
                    array(select p_ack_lease_id[i] from unnest(v_acks) with ordinality x (i, o) order by o),
                    array(select case when p_ack_dead[i] then 'dlq' else 'completed' end
                          from unnest(v_acks) with ordinality x (i, o) order by o),
                    array(select p_ack_error[i] from unnest(v_acks) with ordinality x (i, o) order by o),
                    array(select p_release[i] or p_ack_dead[i] from unnest(v_acks) with ordinality x (i, o) order by o))
                with ordinality a (error, lease_released, dlq, pending, ord)
        loop
            if v_row.error is not null then
                raise exception '%', v_row.error using errcode = 'QU003';
            end if;
            released[v_row.cycle] := v_row.lease_released;
            dead[v_row.cycle] := v_row.dlq;
            pending[v_row.cycle] := v_row.pending;
        end loop;
    end if;

    perform queen.write_state_v1(v_rows, v_states, p_source_id, p_consumer_group, p_cycle_id,
        p_op_cycle, p_op_key, p_op_value, p_op_window_end);
end
$$;

-- lock_cycle_v1(query, partition) → place, last_cycles
-- Locks the row of a query and partition, which it makes if it has to; nulls when there is no such query, or the partition
-- is not of its source queue.
-- For cycle_list_v1, under whose settings it runs.
create or replace function queen.lock_cycle_v1(
    p_query_id uuid, p_partition_id uuid, out place tid, out last_cycles uuid[])
language plpgsql
as $$
begin
    loop
        select s.ctid, s.last_cycles into place, last_cycles
        from queen.stream_partitions s
        where s.query_id = p_query_id and s.partition_id = p_partition_id
        for update;
        exit when found;
        insert into queen.stream_partitions (query_id, partition_id, state_id)
        select q.id, p.id, q.state_id
        from queen.stream_queries q, queen.partitions p
        join queen.queues u on u.id = p.queue_id
        where q.id = p_query_id and p.id = p_partition_id and u.name = q.source_queue
        on conflict do nothing;
        -- Neither made nor there: the query has no such partition. Made by another: the next look finds it.
        exit when not found and not exists (
            select from queen.stream_partitions s where s.query_id = p_query_id and s.partition_id = p_partition_id);
    end loop;
end
$$;

-- cycle_ack_error_v1(partition, group, transaction id, lease) → text
-- Why the ack of a cycle would be refused now, null when it would not: ack_verdict_v1 without a lock. For cycle_list_v1.
create or replace function queen.cycle_ack_error_v1(
    p_partition_id uuid, p_consumer_group text, p_transaction_id text, p_lease_id uuid) returns text
language plpgsql
as $$
declare
    v_seq bigint;
    v_row record;
begin
    select m.seq into v_seq
    from queen.messages m
    where m.partition_id = p_partition_id and m.transaction_id = p_transaction_id;
    if not found then
        return 'Message not found';
    end if;
    if p_lease_id is null then
        return null;
    end if;
    select c.lease_id, c.lease_expires_at, c.lease_last_seq into v_row
    from queen.partition_consumers c
    where c.partition_id = p_partition_id and c.consumer_group = p_consumer_group;
    if (v_row.lease_id = p_lease_id and v_row.lease_expires_at > clock_timestamp() and v_seq <= v_row.lease_last_seq) is true then
        return null;
    end if;
    return queen.lease_error_v1(p_partition_id, p_consumer_group, p_lease_id);
end
$$;

-- cycle_acks_v1(acks, release) → one row per ack, in the order given
-- The acks of cycles, each of another (partition, group): as in ack_list_v1, but that the lease ends with the ack, or stays,
-- as p_release says, whatever is left of its batch.
--
-- Locks  rows of partition_consumers in key order.
create or replace function queen.cycle_acks_v1(
    p_partition_id uuid[], p_transaction_id text[], p_consumer_group text[], p_lease_id uuid[], p_status text[],
    p_error text[], p_release boolean[])
returns table (error text, lease_released boolean, dlq boolean, pending boolean)
language plpgsql
as $$
declare
    v_row     record;
    -- One element per ack; leases that are to stay, as they were before.
    v_held    queen.partition_consumers[] := array_fill(null::queen.partition_consumers, array[cardinality(p_release)]);
    v_place   integer := 0;
begin
    if false = any (p_release) then
        for v_row in
            select a.ord, c.held
            from (
                select a.ord::integer, a.partition_id, a.consumer_group
                from unnest(p_partition_id, p_consumer_group) with ordinality a (partition_id, consumer_group, ord)
                order by a.partition_id, a.consumer_group
            ) a
            cross join lateral (
                select c as held from queen.partition_consumers c
                where c.partition_id = a.partition_id and c.consumer_group = a.consumer_group
                for update
            ) c
        loop
            v_held[v_row.ord] := v_row.held;
        end loop;
    end if;

    for v_row in
        select * from queen.ack_list_v1(p_partition_id, p_transaction_id, p_consumer_group, p_lease_id, p_status, p_error)
    loop
        v_place := v_place + 1;
        error := v_row.error;
        lease_released := v_row.lease_released;
        dlq := v_row.dlq;
        pending := v_row.pending;
        if error is null and p_release[v_place] and not lease_released then
            update queen.partition_consumers c
            set lease_id = null, lease_expires_at = null, lease_last_seq = null
            where c.partition_id = p_partition_id[v_place] and c.consumer_group = p_consumer_group[v_place];
            -- Free before its time, with messages left: news to the other servers.
            insert into queen.push_log (queue_id, partition_ids)
            select p.queue_id, array[p.id]
            from queen.partitions p
            join queen.partition_consumers c on c.partition_id = p.id and c.consumer_group = p_consumer_group[v_place]
            where p.id = p_partition_id[v_place] and (p.head > greatest(c.cursor, p.tail) or c.redriven > 0);
            pending := found;
            lease_released := true;
        elsif error is null and not p_release[v_place] and lease_released and (v_held[v_place]).lease_id is not null then
            update queen.partition_consumers c
            set lease_id = (v_held[v_place]).lease_id, lease_expires_at = (v_held[v_place]).lease_expires_at,
                lease_last_seq = (v_held[v_place]).lease_last_seq
            where c.partition_id = p_partition_id[v_place] and c.consumer_group = p_consumer_group[v_place];
            pending := false;
            lease_released := false;
        end if;
        return next;
    end loop;
end
$$;

-- write_state_v1(cycles, state operations) → nothing
-- Writes the state of the cycles, and what their rows in stream_partitions tell of it. The caller holds the locks of those
-- rows, so that nothing else writes these keys. For cycle_list_v1, under whose settings it runs.
create or replace function queen.write_state_v1(
    p_rows tid[], p_states uuid[], p_source_id uuid[], p_consumer_group text[], p_cycle_id uuid[],
    p_op_cycle integer[], p_op_key text[], p_op_value text[], p_op_window_end double precision[]) returns void
language plpgsql
as $$
declare
    v_ops    integer := coalesce(cardinality(p_op_key), 0);
    -- One element per operation: the row of its key, and the bytes that it has.
    v_places tid[];
    v_bytes  integer[];
begin
    if v_ops > 0 then
        select array_agg(s.place order by i), array_agg(s.bytes order by i)
        into v_places, v_bytes
        from generate_series(1, v_ops) i
        left join lateral (
            select s.ctid as place, s.bytes
            from queen.stream_state s
            where s.state_id = p_states[p_op_cycle[i]] and s.partition_id = p_source_id[p_op_cycle[i]] and s.key = p_op_key[i]
            limit 1
        ) s on true;

        update queen.stream_state s
        set value = p_op_value[i], bytes = octet_length(p_op_key[i]) + octet_length(p_op_value[i]),
            window_end = p_op_window_end[i], updated_at = clock_timestamp()
        from generate_series(1, v_ops) i
        where s.ctid = v_places[i] and p_op_value[i] is not null;

        insert into queen.stream_state (state_id, partition_id, key, value, bytes, window_end, updated_at)
        select p_states[p_op_cycle[i]], p_source_id[p_op_cycle[i]], p_op_key[i], p_op_value[i],
               octet_length(p_op_key[i]) + octet_length(p_op_value[i]), p_op_window_end[i], clock_timestamp()
        from generate_series(1, v_ops) i
        where v_places[i] is null and p_op_value[i] is not null;

        delete from queen.stream_state s
        using generate_series(1, v_ops) i
        where s.ctid = v_places[i] and p_op_value[i] is null;
    end if;

    update queen.stream_partitions s
    set state_id = p_states[d.cycle],
        consumer_group = p_consumer_group[d.cycle],
        cycles = s.cycles + 1,
        keys = case when s.state_id = p_states[d.cycle] then s.keys else 0 end + d.keys,
        bytes = case when s.state_id = p_states[d.cycle] then s.bytes else 0 end + d.bytes,
        last_cycles = p_cycle_id[d.cycle] || s.last_cycles[1:7],
        last_cycle_at = clock_timestamp()
    from (
        select d.cycle, sum(d.keys) as keys, sum(d.bytes) as bytes
        from (
            select p_op_cycle[i] as cycle,
                   case when v_places[i] is null then 1 else 0 end - case when p_op_value[i] is null then 1 else 0 end as keys,
                   coalesce(octet_length(p_op_key[i]) + octet_length(p_op_value[i]), 0) - coalesce(v_bytes[i], 0) as bytes
            from generate_series(1, v_ops) i
            union all
            select c, 0, 0 from generate_series(1, cardinality(p_states)) c
        ) d
        group by d.cycle
    ) d
    where s.ctid = p_rows[d.cycle];
end
$$;

-- stream_state_v1(query, partition, keys, prefix, ripe, bytes) → JSON array of rows by key
-- The state of a query in a partition: key, value and updated_at. Nothing for what is not known.
--
-- Takes  p_keys    only these, null for all; p_prefix only keys that begin so; p_ripe only windows that end then or before
--        p_bytes   how much the answer may have; each row counts a hundred more
-- Gives  null when it would have more. Of ripe windows those that ended first are given then: the caller closes them and
--        asks again. One row is always given.
-- Locks  nothing.
create or replace function queen.stream_state_v1(
    p_query_id uuid, p_partition_id uuid, p_keys text[], p_prefix text, p_ripe double precision, p_bytes bigint) returns text
language plpgsql stable
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set jit = off
as $$
declare
    v_state uuid;
    v_rows  text;
    v_all   boolean;
begin
    select q.state_id into v_state from queen.stream_queries q where q.id = p_query_id;
    if not found then
        return '[]';
    end if;
    if p_keys is null and p_ripe is null and exists (
        select from queen.stream_partitions s
        where s.query_id = p_query_id and s.partition_id = p_partition_id and s.state_id = v_state
          and s.keys > 1 and s.bytes + s.keys * 100 > p_bytes)
    then
        -- All of it is too much: of a part the bytes are added up before anything is made of them.
        select p_prefix <> '' and (count(*) < 2 or sum(s.bytes + 100) <= p_bytes) into v_all
        from (
            select s.bytes
            from queen.stream_state s
            where p_prefix <> '' and s.state_id = v_state and s.partition_id = p_partition_id
              and s.key >= p_prefix collate "C" and s.key <= (p_prefix || repeat(chr(1114111), 500)) collate "C"
            limit p_bytes / 100 + 2
        ) s;
        if not v_all then
            return null;
        end if;
    end if;

    select '[' || coalesce(string_agg('{"key":' || to_json(r.key) || ',"value":' || r.value || ',"updated_at":"'
               || queen.iso_time(r.updated_at) || '"}', ',' order by r.key) filter (where r.fits), '') || ']',
           bool_and(r.fits)
    into v_rows, v_all
    from (
        select s.key, s.value, s.updated_at,
               sum(s.bytes + 100) over w <= p_bytes or row_number() over w = 1 as fits
        from (
            -- One of the three is run: what decides it is known before.
            (select s.key, s.value, s.bytes, s.window_end, s.updated_at
             from queen.stream_state s
             where p_ripe is not null
               and s.state_id = v_state and s.partition_id = p_partition_id and s.window_end <= p_ripe
               and (p_keys is null or s.key = any (p_keys)) and starts_with(s.key, p_prefix)
             order by s.window_end
             limit p_bytes / 100 + 2)
            union all
            (select s.key, s.value, s.bytes, s.window_end, s.updated_at
             from queen.stream_state s
             where p_ripe is null and p_keys is not null
               and s.state_id = v_state and s.partition_id = p_partition_id and s.key = any (p_keys)
               and starts_with(s.key, p_prefix)
             limit p_bytes / 100 + 2)
            union all
            -- A key has 2,000 bytes at most: none that begins so comes after this one.
            (select s.key, s.value, s.bytes, s.window_end, s.updated_at
             from queen.stream_state s
             where p_ripe is null and p_keys is null
               and s.state_id = v_state and s.partition_id = p_partition_id
               and s.key >= p_prefix collate "C" and s.key <= (p_prefix || repeat(chr(1114111), 500)) collate "C"
             limit p_bytes / 100 + 2)
        ) s
        window w as (order by case when p_ripe is not null then s.window_end end, s.key)
    ) r;
    return case when v_all is false and p_ripe is null then null else v_rows end;
end
$$;

-- list_queries_v1(limit, offset, visible) → JSON object
-- The queries that read a queue the caller may see (is_visible_v1), by name, with how much state each has and when its last
-- cycle was. Costs a look at the rows of stream_partitions of the page; no state is counted.
create or replace function queen.list_queries_v1(p_limit integer, p_offset integer, p_visible text[] default null) returns text
language sql stable
set jit = off
as $$
    with known as (
        select q.* from queen.stream_queries q where p_visible is null or queen.is_visible_v1(q.source_queue, p_visible)
    ), page as (
        select k.* from known k order by k.name limit p_limit offset p_offset
    )
    select json_build_object(
        'streams', coalesce((select json_agg(queen.query_json_v1(p.id) order by p.name) from page p), '[]'::json),
        'total', (select count(*) from known))::text
$$;

-- describe_query_v1(name, limit, offset, visible) → JSON object
-- One query as list_queries_v1 has it, how far its group is behind in the source queue (group_page_v1: messages, and seconds
-- since the last push to the partition that was left unread longest), and its partitions by name. Null when there is no
-- such query, or none that the caller may see.
create or replace function queen.describe_query_v1(
    p_name text, p_limit integer, p_offset integer, p_visible text[] default null) returns text
language sql stable
set jit = off
as $$
    select (queen.query_json_v1(q.id)::jsonb || jsonb_build_object(
        'lagMessages', coalesce(g.lag, 0),
        'lagSeconds', coalesce(g.seconds, 0),
        'health', g.health,
        'partitions', (
            select coalesce(jsonb_agg(jsonb_build_object(
                'partition', s.name,
                'partitionId', s.partition_id,
                'stateKeys', s.keys,
                'stateBytes', s.bytes,
                'cycles', s.cycles,
                'lastCycleAt', queen.iso_time(s.last_cycle_at)) order by s.name), '[]')
            from (
                select p.name, s.partition_id, s.cycles, s.last_cycle_at,
                       case when s.state_id = q.state_id then s.keys else 0 end as keys,
                       case when s.state_id = q.state_id then s.bytes else 0 end as bytes
                from queen.stream_partitions s
                join queen.partitions p on p.id = s.partition_id
                where s.query_id = q.id
                order by p.name
                limit p_limit offset p_offset
            ) s
        )))::text
    from queen.stream_queries q
    left join lateral (
        select g.lag, g.seconds, g.health
        from queen.group_page_v1(coalesce((
            select s.consumer_group from queen.stream_partitions s
            where s.query_id = q.id and s.consumer_group is not null
            order by s.last_cycle_at desc
            limit 1), ''), null, 0, p_visible) g
        where g.queue_name = q.source_queue
          and exists (select from queen.stream_partitions s where s.query_id = q.id and s.consumer_group = g.consumer_group)
    ) g on true
    where q.name = p_name and (p_visible is null or queen.is_visible_v1(q.source_queue, p_visible))
$$;

-- query_json_v1(id) → what a query is, and how much state it has
create or replace function queen.query_json_v1(p_query_id uuid) returns json
language sql stable
as $$
    select json_build_object(
        'name', q.name,
        'queryId', q.id,
        'sourceQueue', q.source_queue,
        'sinkQueue', q.sink_queue,
        'configHash', q.config_hash,
        'consumerGroup', (
            select s.consumer_group from queen.stream_partitions s where s.query_id = q.id
            order by s.last_cycle_at desc nulls last limit 1),
        'stateRetentionSeconds', q.state_retention_seconds,
        'stateKeys', s.keys,
        'stateBytes', s.bytes,
        'partitionCount', s.partitions,
        'cycles', s.cycles,
        'lastCycleAt', queen.iso_time(s.last_cycle_at),
        'createdAt', queen.iso_time(q.created_at),
        'registeredAt', queen.iso_time(q.registered_at))
    from queen.stream_queries q
    cross join lateral (
        select count(*) as partitions, coalesce(sum(s.cycles), 0) as cycles, max(s.last_cycle_at) as last_cycle_at,
               coalesce(sum(s.keys) filter (where s.state_id = q.state_id), 0) as keys,
               coalesce(sum(s.bytes) filter (where s.state_id = q.state_id), 0) as bytes
        from queen.stream_partitions s
        where s.query_id = q.id
    ) s
    where q.id = p_query_id
$$;

-- sweep_stream_state_v1(position, limit) → position, removed
-- One portion of the removal of state that is not needed: of generations that no query has (it was reset or deleted), of
-- partitions that are gone, and of keys that no cycle wrote for as long as their query keeps them.
--
-- Takes  the position that the portion before gave, nulls to begin; p_limit rows and partitions to look at
-- Gives  the position to go on from, nulls when all was seen, or another server is at it
-- State that is in use is passed over, one look per query and partition. Generations that a cycle under way still writes to
-- are found by a later run.
-- Locks  an advisory lock for the transaction, so that one server at a time removes; for keys that are too old the row of
--        stream_partitions, which is skipped when a cycle holds it.
create or replace function queen.sweep_stream_state_v1(
    inout state_id uuid, inout partition_id uuid, inout key text, p_limit integer, out removed bigint)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
declare
    v_left      integer := p_limit;
    v_count     integer;
    v_next      record;
    v_query     record;
    v_gone      record;
begin
    removed := 0;
    if not pg_try_advisory_xact_lock(hashtext('queen.sweep_stream_state')) then
        state_id := null;
        return;
    end if;
    while v_left > 0 loop
        -- What is left of the partition that the last portion stopped in, or the next one.
        select s.state_id, s.partition_id into v_next
        from queen.stream_state s
        where (s.state_id, s.partition_id, s.key) > (
            coalesce(sweep_stream_state_v1.state_id, '00000000-0000-0000-0000-000000000000'),
            coalesce(sweep_stream_state_v1.partition_id, '00000000-0000-0000-0000-000000000000'),
            coalesce(sweep_stream_state_v1.key, ''))
        order by s.state_id, s.partition_id, s.key
        limit 1;
        if not found then
            state_id := null;
            partition_id := null;
            key := null;
            return;
        end if;
        if (v_next.state_id, v_next.partition_id) is distinct from (state_id, partition_id) then
            key := null;
        end if;
        v_left := v_left - 1;
        select q.id, q.state_retention_seconds as seconds into v_query
        from queen.stream_queries q where q.state_id = v_next.state_id;
        if v_query.id is null or not exists (select from queen.partitions p where p.id = v_next.partition_id) then
            delete from queen.stream_state s
            where s.ctid = any (array(
                select o.ctid from queen.stream_state o
                where o.state_id = v_next.state_id and o.partition_id = v_next.partition_id
                limit v_left + 1));
            get diagnostics v_count = row_count;
            removed := removed + v_count;
            v_left := v_left - v_count;
            -- Where it was: what is left, if anything, comes next.
            continue;
        end if;

        state_id := v_next.state_id;
        partition_id := v_next.partition_id;
        if v_query.seconds > 0 then
            perform from queen.stream_partitions s
            where s.query_id = v_query.id and s.partition_id = v_next.partition_id
            for update skip locked;
            if found then
                with seen as (
                    select s.ctid as place, s.key, s.bytes,
                           s.updated_at < now() - make_interval(secs => v_query.seconds) as old
                    from queen.stream_state s
                    where s.state_id = v_next.state_id and s.partition_id = v_next.partition_id
                      and (sweep_stream_state_v1.key is null or s.key > sweep_stream_state_v1.key)
                    order by s.key
                    limit v_left + 1
                ), gone as (
                    delete from queen.stream_state s using seen o where s.ctid = o.place and o.old
                )
                select count(*) as seen, max(o.key) as last, count(*) filter (where o.old) as old,
                       coalesce(sum(o.bytes) filter (where o.old), 0) as bytes
                into v_gone
                from seen o;
                update queen.stream_partitions s
                set keys = s.keys - v_gone.old, bytes = s.bytes - v_gone.bytes
                where s.query_id = v_query.id and s.partition_id = v_next.partition_id and v_gone.old > 0;
                removed := removed + v_gone.old;
                key := v_gone.last;
                exit when v_gone.seen > v_left;
                v_left := v_left - v_gone.seen;
            end if;
        end if;
        -- Behind the last key that there can be.
        key := repeat(chr(1114111), 500);
    end loop;
end
$$;

-- sweep_stream_partitions_v1(position, limit) → position, removed
-- One portion of the removal of rows of stream_partitions whose query or partition is gone. Position as in
-- sweep_stream_state_v1.
-- Locks  the rows that it removes, skipping those that a cycle holds.
create or replace function queen.sweep_stream_partitions_v1(
    inout query_id uuid, inout partition_id uuid, p_limit integer, out removed bigint)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
declare
    v_step record;
begin
    select array_agg(s.place) filter (where s.over) as places, count(*) as seen,
           (array_agg(s.query_id order by s.query_id desc, s.partition_id desc))[1] as query_id,
           (array_agg(s.partition_id order by s.query_id desc, s.partition_id desc))[1] as partition_id
    into v_step
    from (
        select s.ctid as place, s.query_id, s.partition_id,
               not exists (select from queen.stream_queries q where q.id = s.query_id)
               or not exists (select from queen.partitions p where p.id = s.partition_id) as over
        from queen.stream_partitions s
        where (s.query_id, s.partition_id) > (
            coalesce(sweep_stream_partitions_v1.query_id, '00000000-0000-0000-0000-000000000000'),
            coalesce(sweep_stream_partitions_v1.partition_id, '00000000-0000-0000-0000-000000000000'))
        order by s.query_id, s.partition_id
        limit p_limit
    ) s;
    delete from queen.stream_partitions s
    where s.ctid = any (array(
        select o.ctid from queen.stream_partitions o where o.ctid = any (v_step.places) for update skip locked));
    get diagnostics removed = row_count;
    query_id := case when v_step.seen = p_limit then v_step.query_id end;
    partition_id := case when v_step.seen = p_limit then v_step.partition_id end;
end
$$;

-- Where a group starts in partitions it has not consumed yet, and which groups know which queues.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- pop_sm_subscribe(queue, group, partition, mode, time) → whether it left a record for a queue that does not exist
-- Records where a group starts, at its first pop: the first writer wins, later calls change nothing but the time at which
-- it was last asked for. p_partition is '' for the whole queue; p_time null is now. The group __QUEUE_MODE__ has no
-- subscription.
--
-- A group that starts now, and has no cursor and no other record in the queue, gets nothing but what is pushed from now
-- on: that is noted as a clear mark. The mark is taken before the time: what is pushed at that time or later was not yet
-- committed when it was taken. A group whose first cursor is just being made gets none.
-- A record for one partition may begin earlier than that of the queue, so the partition is news to the servers.
-- Locks  its record; for a clear mark the advisory lock of the meeting, if it is free.
create or replace function queen.pop_sm_subscribe(
    p_queue_name text, p_consumer_group text, p_partition_name text, p_mode text, p_time timestamptz) returns boolean
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_life     text := queen.push_log_life_v1();
    v_xid      xid8;
    v_queue_id uuid;
    v_past     boolean;
begin
    select pg_snapshot_xmin(pg_current_snapshot()) into v_xid;
    v_past := p_time <= clock_timestamp();
    insert into queen.subscriptions (queue_name, consumer_group, partition_name, subscription_mode, subscription_timestamp)
    values (p_queue_name, p_consumer_group, p_partition_name, p_mode, coalesce(p_time, clock_timestamp()))
    on conflict do nothing;
    if not found then
        -- Somebody else who is at the record does the same.
        update queen.subscriptions s set asked_at = now()
        where s.ctid = (
            select o.ctid from queen.subscriptions o
            where o.queue_name = p_queue_name and o.consumer_group = p_consumer_group and o.partition_name = p_partition_name
              and o.asked_at < now() - interval '10 minutes'
            for no key update skip locked);
        return false;
    end if;

    select q.id into v_queue_id from queen.queues q where q.name = p_queue_name;
    if v_queue_id is null then
        return true;
    elsif p_partition_name <> '' then
        insert into queen.push_log (queue_id, partition_ids)
        select p.queue_id, array[p.id] from queen.partitions p
        where p.queue_id = v_queue_id and p.name = p_partition_name and p.head > p.tail;
    elsif v_past is not true and p_consumer_group <> '__QUEUE_MODE__'
          and pg_try_advisory_xact_lock(queen.meeting_lock_v1(v_queue_id, p_consumer_group)) then
        insert into queen.clear_marks (queue_id, consumer_group, life, xid)
        select v_queue_id, p_consumer_group, v_life, v_xid
        where not exists (
            select from queen.met_queues m where m.queue_id = v_queue_id and m.consumer_group = p_consumer_group)
          and not exists (
            select from queen.subscriptions s
            where s.queue_name = p_queue_name and s.consumer_group = p_consumer_group and s.partition_name > '');
    end if;
    return false;
end
$$;

-- subscribed_from_v1(group, queue, partition) → time
-- Where the subscription of a group begins in a partition: its record for the partition, else that for the queue; null is
-- the beginning. Consumers without a group have none.
create or replace function queen.subscribed_from_v1(p_consumer_group text, p_queue_name text, p_partition_name text)
returns timestamptz
language sql stable
as $$
    select s.subscription_timestamp
    from queen.subscriptions s
    where s.queue_name = p_queue_name and s.consumer_group = p_consumer_group
      and s.partition_name in (p_partition_name, '') and s.consumer_group <> '__QUEUE_MODE__'
    order by s.partition_name desc
    limit 1
$$;

-- first_cursor_v1(partition, group) → sequence number
-- Where a group that has no cursor in a partition begins: by its subscription, else at the beginning.
create or replace function queen.first_cursor_v1(p_partition_id uuid, p_consumer_group text) returns bigint
language sql stable
as $$
    select case when s.start is null then 0 else queen.seq_before(p_partition_id, s.start) end
    from queen.partitions p
    join queen.queues q on q.id = p.queue_id
    cross join lateral queen.subscribed_from_v1(p_consumer_group, q.name, p.name) s (start)
    where p.id = p_partition_id
$$;

-- seq_before(partition, time) → sequence number
-- The last sequence number whose message is older than the given time, 0 when there is none: the cursor of a group that
-- starts at that time. created_at never falls with the sequence number, so it is found by halving, in a few dozen
-- look-ups of the primary key at most; removed messages leave gaps, so each look-up takes the next one that is there.
create or replace function queen.seq_before(p_partition_id uuid, p_time timestamptz) returns bigint
language plpgsql stable
as $$
declare
    v_low  bigint;
    v_high bigint;
    v_seq  bigint;
    v_time timestamptz;
begin
    select p.tail, p.head into v_low, v_high
    from queen.partitions p
    where p.id = p_partition_id and p.last_push_at >= p_time;
    if not found then
        return coalesce((select p.head from queen.partitions p where p.id = p_partition_id), 0);
    end if;
    -- Everything up to v_low is older, everything after v_high is not.
    while v_low < v_high loop
        select m.seq, m.created_at into v_seq, v_time
        from queen.messages m
        where m.partition_id = p_partition_id and m.seq > (v_low + v_high) / 2
        order by m.seq
        limit 1;
        if not found or v_seq > v_high or v_time >= p_time then
            v_high := (v_low + v_high) / 2;
        else
            v_low := v_seq;
        end if;
    end loop;
    return v_low;
end
$$;

-- move_subscriptions_v1(group, time, queues) → subscriptions moved
-- Lets the recorded subscriptions of a group, in the queues that the caller may consume (patterns as in is_visible_v1, null
-- for all), begin at that time: it counts where the group has no cursor yet. What it can
-- get by that is news to every server.
create or replace function queen.move_subscriptions_v1(
    p_consumer_group text, p_time timestamptz, p_queues text[] default null) returns integer
language plpgsql
as $$
declare
    v_queues text[];
begin
    with moved as (
        update queen.subscriptions s
        set subscription_mode = 'timestamp', subscription_timestamp = p_time
        where s.consumer_group = p_consumer_group
          and (p_queues is null or queen.is_visible_v1(s.queue_name, p_queues))
        returning s.queue_name
    )
    select array_agg(m.queue_name) into v_queues from moved m;
    perform queen.announce_partitions_v1(v_queues, p_time);
    return coalesce(cardinality(v_queues), 0);
end
$$;

-- remove_idle_subscriptions_v1(hours, keep, limit) → records removed
-- A group may subscribe to a queue or partition before that exists, and then gets all that is pushed later. The record of
-- one that never comes to be must not stay for ever: it goes when no pop asked for it for so many hours, and when more
-- than p_keep are kept the longest not asked for go first. At most p_limit in one call.
-- Records of queues and partitions that exist stay.
-- Locks  an advisory lock for the transaction, so that one server at a time removes.
create or replace function queen.remove_idle_subscriptions_v1(p_hours integer, p_keep integer, p_limit integer) returns integer
language plpgsql
as $$
declare
    v_removed integer;
begin
    if not pg_try_advisory_xact_lock(hashtext('queen.remove_idle_subscriptions')) then
        return 0;
    end if;
    with early as (
        select s.queue_name, s.consumer_group, s.partition_name, s.asked_at,
               row_number() over (order by s.asked_at desc) as place
        from queen.subscriptions s
        left join queen.queues q on q.name = s.queue_name
        left join queen.partitions p on p.queue_id = q.id and p.name = s.partition_name
        where q.id is null or (s.partition_name <> '' and p.id is null)
    )
    delete from queen.subscriptions s
    using (
        select * from early e
        where e.place > p_keep or e.asked_at < now() - make_interval(hours => p_hours)
        order by e.asked_at
        limit p_limit
    ) e
    where s.queue_name = e.queue_name and s.consumer_group = e.consumer_group and s.partition_name = e.partition_name
      and s.asked_at = e.asked_at;
    get diagnostics v_removed = row_count;
    return v_removed;
end
$$;

-- meet_queues_v1, after rows were inserted into partition_consumers
-- Notes that the group has a cursor in the queue, so that nobody concludes it has none: see pop_sm_subscribe, which then
-- leaves a clear mark. Either that waits for nothing and leaves none because the lock is held here, or this waits for its
-- end, a moment, and sees the mark. Where the group has a clear mark the partitions are news: the statement that inserted
-- may have been begun before the subscription was there, and have put a cursor before it. So it is, too, in a transaction
-- that does not see what others commit.
-- Locks  the advisory lock of the meeting, shared.
create or replace function queen.meet_queues_v1() returns trigger
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_met record;
begin
    for v_met in
        select p.queue_id, f.consumer_group, array_agg(f.partition_id) filter (where p.head > f.cursor) as ids
        from fresh f
        cross join lateral (select p.queue_id, p.head from queen.partitions p where p.id = f.partition_id limit 1) p
        group by p.queue_id, f.consumer_group
    loop
        perform pg_advisory_xact_lock_shared(queen.meeting_lock_v1(v_met.queue_id, v_met.consumer_group));
        insert into queen.met_queues (queue_id, consumer_group)
        select v_met.queue_id, v_met.consumer_group
        where not exists (
            select from queen.met_queues m
            where m.queue_id = v_met.queue_id and m.consumer_group = v_met.consumer_group);
        insert into queen.push_log (queue_id, partition_ids)
        select v_met.queue_id, v_met.ids
        where v_met.ids is not null
          and (current_setting('transaction_isolation') <> 'read committed'
               or exists (
                   select from queen.clear_marks m
                   where m.queue_id = v_met.queue_id and m.consumer_group = v_met.consumer_group));
    end loop;
    return null;
end
$$;

-- The trigger that calls it. Made once: making it anew would keep pops and acks waiting.
do $$
begin
    if not exists (select from pg_trigger t where t.tgrelid = 'queen.partition_consumers'::regclass and t.tgname = 'meet_queues') then
        create trigger meet_queues after insert on queen.partition_consumers
        referencing new table as fresh
        for each statement execute function queen.meet_queues_v1();
    end if;
end
$$;

-- meeting_lock_v1(queue, group) → key of an advisory lock
-- Shared by who creates cursors of the group in the queue, exclusive for who concludes that there are none.
create or replace function queen.meeting_lock_v1(p_queue_id uuid, p_consumer_group text) returns bigint
language sql immutable
as $$
    select hashtextextended(p_queue_id::text || p_consumer_group, 0)
$$;

-- Traces: events that consumers record for messages.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- record_trace_v1(partition, transaction id, group, type, data, names, worker) → id
-- Attaches an event to a message, under any number of names. Null, and nothing stored, when there is no such message.
create or replace function queen.record_trace_v1(
    p_partition_id uuid, p_transaction_id text, p_consumer_group text, p_event_type text, p_data jsonb,
    p_names text[], p_worker_id text) returns uuid
language sql
as $$
    with event as (
        insert into queen.traces (partition_id, transaction_id, consumer_group, event_type, data, worker_id)
        select p_partition_id, p_transaction_id, p_consumer_group, p_event_type, p_data, p_worker_id
        where exists (
            select
            from queen.messages m
            join queen.partitions p on p.id = m.partition_id
            where m.partition_id = p_partition_id and m.transaction_id = p_transaction_id)
        returning id, created_at
    ), named as (
        insert into queen.trace_names (trace_id, trace_name, created_at)
        select distinct e.id, n.name, e.created_at
        from event e
        cross join unnest(p_names) n (name)
    )
    select e.id from event e
$$;

-- message_traces_v1(partition, transaction id) → JSON object
-- The events of a message, oldest first; none for a message that is not there.
create or replace function queen.message_traces_v1(p_partition_id uuid, p_transaction_id text) returns text
language sql stable
as $$
    select json_build_object('traces', coalesce(json_agg(json_build_object(
        'id', t.id,
        'event_type', t.event_type,
        'data', t.data,
        'consumer_group', t.consumer_group,
        'worker_id', t.worker_id,
        'created_at', queen.iso_time(t.created_at),
        'trace_names', array(
            select n.trace_name from queen.trace_names n where n.trace_id = t.id order by n.trace_name)
    ) order by t.created_at, t.id), '[]'::json))::text
    from queen.traces t
    where t.partition_id = p_partition_id and t.transaction_id = p_transaction_id
$$;

-- traces_by_name_v1(name, limit, offset, visible) → total, and the events of that name
-- Oldest first, over all messages of the queues that the caller may see (is_visible_v1), each with the payload of its message as it is stored. At least one row comes: with a
-- null id when the page is empty.
create or replace function queen.traces_by_name_v1(p_name text, p_limit integer, p_offset integer, p_visible text[] default null)
returns table (
    total          bigint,
    id             uuid,
    transaction_id text,
    partition_id   uuid,
    event_type     text,
    data           text,
    consumer_group text,
    worker_id      text,
    created_at     timestamptz,
    queue_name     text,
    partition_name text,
    payload        text,
    is_encrypted   boolean,
    trace_names    text[]
)
language sql stable
as $$
    select a.total, t.id, t.transaction_id, t.partition_id, t.event_type, t.data::text, t.consumer_group, t.worker_id,
           t.created_at, q.name, p.name, m.payload, m.is_encrypted,
           array(select o.trace_name from queen.trace_names o where o.trace_id = t.id order by o.trace_name)
    from (
        select count(*) as total from queen.trace_names n
        where n.trace_name = p_name and (p_visible is null or queen.is_trace_visible_v1(n.trace_id, p_visible))
    ) a
    left join lateral (
        select n.trace_id, n.created_at
        from queen.trace_names n
        where n.trace_name = p_name and (p_visible is null or queen.is_trace_visible_v1(n.trace_id, p_visible))
        order by n.created_at, n.trace_id
        limit p_limit offset p_offset
    ) n on true
    left join queen.traces t on t.id = n.trace_id
    left join queen.partitions p on p.id = t.partition_id
    left join queen.queues q on q.id = p.queue_id
    left join queen.messages m on m.partition_id = t.partition_id and m.transaction_id = t.transaction_id
    order by n.created_at, n.trace_id
$$;

-- is_trace_visible_v1(trace, patterns) → boolean
-- Whether the event is of a message whose queue the caller may see, see is_visible_v1.
create or replace function queen.is_trace_visible_v1(p_trace_id uuid, p_patterns text[]) returns boolean
language sql stable
as $$
    select exists (
        select
        from queen.traces t
        join queen.partitions p on p.id = t.partition_id
        join queen.queues q on q.id = p.queue_id
        where t.id = p_trace_id and queen.is_visible_v1(q.name, p_patterns))
$$;

-- trace_names_v1(limit, offset, visible) → JSON object
-- The names that events were recorded under, the most recently used first, twice: in the words of the API and, as
-- `names`, in those of queenctl. Costs a pass over all named events.
create or replace function queen.trace_names_v1(p_limit integer, p_offset integer, p_visible text[] default null) returns text
language sql stable
as $$
    with name as (
        select n.trace_name, count(*) as events, count(distinct (t.partition_id, t.transaction_id)) as messages,
               min(n.created_at) as first_seen, max(n.created_at) as last_seen
        from queen.trace_names n
        join queen.traces t on t.id = n.trace_id
        where p_visible is null or queen.is_trace_visible_v1(n.trace_id, p_visible)
        group by n.trace_name
    ), page as (
        select n.* from name n order by n.last_seen desc, n.trace_name limit p_limit offset p_offset
    )
    select json_build_object(
        'trace_names', coalesce(json_agg(json_build_object(
            'trace_name', p.trace_name,
            'trace_count', p.events,
            'message_count', p.messages,
            'last_seen', queen.iso_time(p.last_seen)
        ) order by p.last_seen desc, p.trace_name), '[]'::json),
        'names', coalesce(json_agg(json_build_object(
            'name', p.trace_name,
            'count', p.events,
            'firstSeen', queen.iso_time(p.first_seen),
            'lastSeen', queen.iso_time(p.last_seen)
        ) order by p.last_seen desc, p.trace_name), '[]'::json),
        'total', (select count(*) from name),
        'pagination', json_build_object('limit', p_limit, 'offset', p_offset))::text
    from page p
$$;

-- Transactions: acks and pushes that apply whole or not at all.
--
-- Run anew whenever it changes. A body may call what another file makes, so it is not checked here; SchemaTest does.
set local check_function_bodies = off;

-- ---------------------------------------------------------------------------------------------------------------------
-- Public SQL interface: applications call what follows. Names, arguments and answers stay.
-- ---------------------------------------------------------------------------------------------------------------------

-- execute_transaction_v2(operations) → {"transactionId", "success", "results"} or {"transactionId", "success": false, "error", "results": []}
-- Pushes and acks from SQL, all or nothing.
--
--   select queen.execute_transaction_v2('[{"type": "push", "queue": "out", "payload": {"n": 1}},
--                                         {"type": "ack", "partitionId": "…", "transactionId": "…"}]');
--
-- Takes  operations as over HTTP: push with its fields flat (payload or data) or as `items`, and ack.
-- Gives  one result per operation, `items` expanded. When an operation fails nothing of this call is applied, and the
--        caller's transaction goes on: error tells why.
-- Locks  as in transaction_list_v1.
create or replace function queen.execute_transaction_v2(p_operations jsonb) returns jsonb
language plpgsql
as $$
declare
    v_id     text := queen.uuid_v7()::text;
    v_ops    jsonb;
    v_bad    jsonb;
    v_pushed jsonb;
    v_acks   jsonb;
    v_failed jsonb;
begin
    -- Every operation on its own, with its place.
    select jsonb_agg(case when o.op ? 'items' then i.item || '{"type": "push"}' else o.op end order by o.ord, i.ord)
    into v_ops
    from jsonb_array_elements(p_operations) with ordinality o (op, ord)
    left join lateral jsonb_array_elements(o.op -> 'items') with ordinality i (item, ord) on o.op ->> 'type' = 'push';
    v_ops := coalesce(v_ops, '[]');

    select o into v_bad from jsonb_array_elements(v_ops) o
    where coalesce(o ->> 'type', '') not in ('push', 'ack')
       or (o ->> 'type' = 'ack' and coalesce(o ->> 'status', 'completed') not in ('completed', 'success', 'failed', 'dlq'))
    limit 1;
    if found then
        return jsonb_build_object('transactionId', v_id, 'success', false, 'results', '[]'::jsonb,
            'error', 'Unknown operation type or ack status: ' || concat_ws(' ', coalesce(v_bad ->> 'type', 'none'), v_bad ->> 'status'));
    end if;

    begin
        select queen.push_messages_v2(jsonb_agg(
            jsonb_build_object('payload', coalesce(o -> 'payload', o -> 'data', '{}')) || (o - 'payload' - 'data') order by ord))
        into v_pushed
        from jsonb_array_elements(v_ops) with ordinality e (o, ord)
        where o ->> 'type' = 'push'
        having count(*) > 0;
        select r into v_failed from jsonb_array_elements(v_pushed) r where r ->> 'status' = 'duplicate' limit 1;
        if found then
            raise exception 'Duplicate transactionId: %', v_failed ->> 'transactionId' using errcode = 'QU002';
        end if;
        select r into v_failed from jsonb_array_elements(v_pushed) r where r ->> 'status' = 'failed' limit 1;
        if found then
            raise exception '%', v_failed ->> 'error' using errcode = 'QU004';
        end if;

        select jsonb_agg(r) into v_acks
        from (
            select array_agg((o ->> 'partitionId')::uuid order by ord) as partition_id,
                   array_agg(o ->> 'transactionId' order by ord) as transaction_id,
                   array_agg(coalesce(o ->> 'consumerGroup', '__QUEUE_MODE__') order by ord) as consumer_group,
                   array_agg(nullif(o ->> 'leaseId', '')::uuid order by ord) as lease_id,
                   array_agg(case coalesce(o ->> 'status', 'completed') when 'success' then 'completed'
                             else coalesce(o ->> 'status', 'completed') end order by ord) as status,
                   array_agg(o ->> 'error' order by ord) as error,
                   array_agg(ord::integer - 1 order by ord) as op
            from jsonb_array_elements(v_ops) with ordinality e (o, ord)
            where o ->> 'type' = 'ack'
        ) a
        cross join lateral queen.transaction_list_v1(null, null, null, null, null, null, null, null, null, null, null, null, null,
            a.partition_id, a.transaction_id, a.consumer_group, a.lease_id, a.status, a.error, a.op, null, false) t
        cross join lateral unnest(t.ack_dlq) with ordinality r (dlq, ord)
        where a.partition_id is not null;
    exception when sqlstate 'QU001' or sqlstate 'QU002' or sqlstate 'QU003' or sqlstate 'QU004' then
        return jsonb_build_object('transactionId', v_id, 'success', false, 'error', sqlerrm, 'results', '[]'::jsonb);
    end;

    return jsonb_build_object('transactionId', v_id, 'success', true, 'results', (
        select coalesce(jsonb_agg(
            case when o ->> 'type' = 'push'
                then jsonb_build_object('index', ord - 1, 'type', 'push', 'success', true,
                    'transactionId', v_pushed -> nth ->> 'transactionId', 'messageId', v_pushed -> nth ->> 'message_id',
                    'partitionId', v_pushed -> nth ->> 'partition_id', 'queueName', o ->> 'queue')
                else jsonb_build_object('index', ord - 1, 'type', 'ack', 'success', true,
                    'transactionId', o ->> 'transactionId', 'error', null, 'dlq', v_acks -> nth -> 'dlq')
            end order by ord), '[]')
        from (
            select o, ord, (row_number() over (partition by o ->> 'type' order by ord) - 1)::integer as nth
            from jsonb_array_elements(v_ops) with ordinality e (o, ord)
        ) e));
end
$$;

-- ---------------------------------------------------------------------------------------------------------------------
-- The server's own: what follows may change with every release.
-- ---------------------------------------------------------------------------------------------------------------------

-- transaction_list_v1(push, acks) → missing, and what became of the acks
-- One transaction of the HTTP route, all or nothing: the pushes as in push_list_v1, the acks as in ack_list_v1, stricter.
--
-- Takes  the arrays of push_list_v1 (null partitions for a transaction without pushes), then those of ack_list_v1 without
--        leases of their own, and p_required_lease: when it is not empty, every ack of a message not yet consumed must
--        be covered by one of these leases, live; so must one that was redriven and is not done. p_push_op and p_ack_op
--        are the places of the pushes and acks among the operations, for the error. p_again: the call was sent before and its outcome is not known. When its
--        pushes find no duplicate it was not applied then, and its acks are judged as if for the first time: another
--        may have consumed the messages and pushed for them meanwhile. Without pushes it is as in ack_list_v1.
-- Gives  missing  true when a partition to push to is gone; nothing is done then
--        ack_*    per ack, as ack_list_v1 gives them
-- Fails  with QU002 on a duplicate transaction id, QU003 on a refused ack and QU004 on a full queue; the message tells
--        why and the detail is the place of the operation.
--
-- `failed` dead-letters at once and gives the whole lease back: who rolls work into a transaction has decided.
-- Locks  as push_limited_v1 (push), then partition_consumers by key (ack).
create or replace function queen.transaction_list_v1(
    p_partition_id       uuid[],
    p_count              integer[],
    p_partition_nr       integer[],
    p_nth                integer[],
    p_transaction_id     text[],
    p_message_id         uuid[],
    p_payload            text[],
    p_trace_id           uuid[],
    p_encrypted          boolean[],
    p_producer_sub       text[],
    p_headers            text[],
    p_deliver_at         timestamptz[],
    p_push_op            integer[],
    p_ack_partition_id   uuid[],
    p_ack_transaction_id text[],
    p_ack_consumer_group text[],
    p_ack_lease_id       uuid[],
    p_ack_status         text[],
    p_ack_error          text[],
    p_ack_op             integer[],
    p_required_lease     uuid[],
    p_again              boolean,
    out missing          boolean,
    out ack_queue        text[],
    out ack_partition    text[],
    out ack_released     boolean[],
    out ack_dlq          boolean[],
    out ack_pending      boolean[]
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_material = off
set jit = off
as $$
declare
    v_push   record;
    v_failed record;
    v_again  boolean := p_again and coalesce(cardinality(p_partition_id), 0) = 0;
begin
    missing := false;
    if cardinality(p_partition_id) > 0 then
        select * into v_push
        from queen.push_limited_v1(p_partition_id, p_count, p_partition_nr, p_nth, p_transaction_id, p_message_id, p_payload,
            p_trace_id, p_encrypted, p_producer_sub, p_headers, p_deliver_at);
        missing := v_push.missing;
        if missing then
            return;
        end if;
        if v_push.dup_ords is not null then
            raise exception 'Duplicate transactionId: %', p_transaction_id[v_push.dup_ords[1]]
                using errcode = 'QU002', detail = p_push_op[v_push.dup_ords[1]];
        end if;
        if v_push.refused_ords is not null then
            raise exception '%', v_push.refusals[1] using errcode = 'QU004', detail = p_push_op[v_push.refused_ords[1]];
        end if;
    end if;
    if coalesce(cardinality(p_ack_partition_id), 0) = 0 then
        return;
    end if;

    -- Locked here so that nothing moves between this look and the acks.
    perform
    from (select distinct a.partition_id, a.consumer_group
          from unnest(p_ack_partition_id, p_ack_consumer_group) a (partition_id, consumer_group)) a
    join queen.partition_consumers c using (partition_id, consumer_group)
    order by c.partition_id, c.consumer_group
    for update of c;

    if cardinality(p_required_lease) > 0 then
        select a.op, a.partition_id, a.consumer_group into v_failed
        from unnest(p_ack_partition_id, p_ack_transaction_id, p_ack_consumer_group, p_ack_op)
            a (partition_id, transaction_id, consumer_group, op)
        join queen.messages m on m.partition_id = a.partition_id and m.transaction_id = a.transaction_id
        left join queen.partition_consumers c
            on c.partition_id = a.partition_id and c.consumer_group = a.consumer_group
        left join queen.redriven r
            on c.redriven > 0 and r.partition_id = a.partition_id and r.consumer_group = a.consumer_group and r.seq = m.seq
        where (m.seq > coalesce(c.cursor, 0) or r.seq is not null)
          and (c.lease_id = any (p_required_lease) and c.lease_expires_at > clock_timestamp()
               and (r.seq is null or r.lease_id = c.lease_id)) is not true
        order by a.op
        limit 1;
        if found then
            -- Of the leases the one that another group holds there, if any: its text is the longest.
            raise exception '%', (
                select max(queen.lease_error_v1(v_failed.partition_id, v_failed.consumer_group, l))
                from unnest(p_required_lease) l)
                using errcode = 'QU003', detail = v_failed.op;
        end if;
    end if;

    select array_agg(r.queue_name order by r.ord) as queue, array_agg(r.partition_name order by r.ord) as partition,
           array_agg(r.lease_released or p_ack_status[r.ord] = 'failed' order by r.ord) as released,
           array_agg(r.dlq order by r.ord) as dlq,
           array_agg(r.pending or p_ack_status[r.ord] = 'failed' order by r.ord) as pending,
           (array_agg(r.error order by r.ord) filter (where r.error is not null))[1] as error,
           (array_agg(p_ack_op[r.ord] order by r.ord) filter (where r.error is not null))[1] as op
    into v_failed
    from queen.ack_list_v1(p_ack_partition_id, p_ack_transaction_id, p_ack_consumer_group, p_ack_lease_id,
            array(select case s when 'failed' then 'dlq' else s end from unnest(p_ack_status) with ordinality x (s, o) order by o),
            p_ack_error, v_again)
        with ordinality r (error, queue_name, partition_name, lease_released, dlq, pending, ord);
    if v_failed.error is not null then
        raise exception '%', v_failed.error using errcode = 'QU003', detail = v_failed.op;
    end if;
    ack_queue := v_failed.queue;
    ack_partition := v_failed.partition;
    ack_released := v_failed.released;
    ack_dlq := v_failed.dlq;
    ack_pending := v_failed.pending;

    update queen.partition_consumers c
    set lease_id = null, lease_expires_at = null, lease_last_seq = null
    from unnest(p_ack_partition_id, p_ack_consumer_group, p_ack_status) a (partition_id, consumer_group, status)
    where a.status = 'failed' and c.partition_id = a.partition_id and c.consumer_group = a.consumer_group
      and c.lease_id is not null;
end
$$;

create table queen.flyway_schema_history (
    installed_rank integer not null constraint flyway_schema_history_pk primary key,
    version        varchar(50),
    description    varchar(200) not null,
    type           varchar(20) not null,
    script         varchar(1000) not null,
    checksum       integer,
    installed_by   varchar(100) not null,
    installed_on   timestamp not null default now(),
    execution_time integer not null,
    success        boolean not null
);
create index flyway_schema_history_s_idx on queen.flyway_schema_history (success);
set local session_replication_role = replica;
insert into queen.dead_letters select * from json_populate_record(null::queen.dead_letters, '{"id":"b9331af2-421d-46f2-b030-3df5b223d298","partition_id":"68b597f3-0bd8-4eff-99a4-bf906868dd0c","consumer_group":"ledger","seq":4,"message_id":"01a1ee8a-aa86-7b5a-9ed3-cbcf8922ce38","transaction_id":"ann-4","error_message":"bad","retry_count":0,"failed_at":"2026-11-18T12:03:47.473554+00:00"}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, E'{"installed_rank":0,"version":null,"description":"<< Flyway Schema Creation >>","type":"SCHEMA","script":"\\"queen\\"","checksum":null,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.212998","execution_time":0,"success":true}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, '{"installed_rank":1,"version":"001","description":"tables","type":"SQL","script":"V001__tables.sql","checksum":1576706593,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.22528","execution_time":54,"success":true}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, '{"installed_rank":10,"version":null,"description":"message","type":"SQL","script":"R__message.sql","checksum":-105112787,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.35594","execution_time":2,"success":true}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, '{"installed_rank":11,"version":null,"description":"metrics","type":"SQL","script":"R__metrics.sql","checksum":551755123,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.362848","execution_time":4,"success":true}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, '{"installed_rank":12,"version":null,"description":"pop","type":"SQL","script":"R__pop.sql","checksum":152534154,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.372868","execution_time":4,"success":true}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, '{"installed_rank":13,"version":null,"description":"push","type":"SQL","script":"R__push.sql","checksum":1855646287,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.38386","execution_time":3,"success":true}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, '{"installed_rank":14,"version":null,"description":"queue","type":"SQL","script":"R__queue.sql","checksum":-1315334067,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.39179","execution_time":3,"success":true}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, '{"installed_rank":15,"version":null,"description":"ready partitions","type":"SQL","script":"R__ready_partitions.sql","checksum":1127616838,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.399412","execution_time":1,"success":true}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, '{"installed_rank":16,"version":null,"description":"retention","type":"SQL","script":"R__retention.sql","checksum":-929880804,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.404385","execution_time":1,"success":true}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, '{"installed_rank":17,"version":null,"description":"schedule","type":"SQL","script":"R__schedule.sql","checksum":357901757,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.409594","execution_time":0,"success":true}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, '{"installed_rank":18,"version":null,"description":"stream","type":"SQL","script":"R__stream.sql","checksum":1269329522,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.413082","execution_time":3,"success":true}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, '{"installed_rank":19,"version":null,"description":"subscription","type":"SQL","script":"R__subscription.sql","checksum":-1563242903,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.421983","execution_time":2,"success":true}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, '{"installed_rank":2,"version":null,"description":"ack","type":"SQL","script":"R__ack.sql","checksum":308599858,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.291709","execution_time":12,"success":true}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, '{"installed_rank":20,"version":null,"description":"trace","type":"SQL","script":"R__trace.sql","checksum":-1613034009,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.427744","execution_time":1,"success":true}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, '{"installed_rank":21,"version":null,"description":"transaction","type":"SQL","script":"R__transaction.sql","checksum":1458052854,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.431737","execution_time":1,"success":true}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, '{"installed_rank":3,"version":null,"description":"audit","type":"SQL","script":"R__audit.sql","checksum":1601968760,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.312672","execution_time":1,"success":true}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, '{"installed_rank":4,"version":null,"description":"dead letter","type":"SQL","script":"R__dead_letter.sql","checksum":-1512266014,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.317877","execution_time":3,"success":true}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, '{"installed_rank":5,"version":null,"description":"depth","type":"SQL","script":"R__depth.sql","checksum":-761098159,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.327499","execution_time":1,"success":true}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, '{"installed_rank":6,"version":null,"description":"encryption","type":"SQL","script":"R__encryption.sql","checksum":1082430877,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.332762","execution_time":0,"success":true}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, '{"installed_rank":7,"version":null,"description":"group","type":"SQL","script":"R__group.sql","checksum":-507035134,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.336124","execution_time":4,"success":true}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, '{"installed_rank":8,"version":null,"description":"lease","type":"SQL","script":"R__lease.sql","checksum":-281230238,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.346886","execution_time":1,"success":true}');
insert into queen.flyway_schema_history select * from json_populate_record(null::queen.flyway_schema_history, '{"installed_rank":9,"version":null,"description":"locks","type":"SQL","script":"R__locks.sql","checksum":-104740096,"installed_by":"queen","installed_on":"2026-11-18T12:03:47.351549","execution_time":1,"success":true}');
insert into queen.messages select * from json_populate_record(null::queen.messages, '{"partition_id":"03a0b1ff-4040-4e5c-9eed-c69e337807cb","seq":1,"id":"01a1ee8a-aab0-7f84-a429-f49a533718c0","trace_id":null,"created_at":"2026-11-18T12:03:47.504964+00:00","is_encrypted":false,"transaction_id":"01a1ee8a-aaaf-7046-8e98-322e18e657b9","producer_sub":null,"payload":"null","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, '{"partition_id":"40f7e5a2-c233-4693-ae6c-512a6d74e713","seq":1,"id":"01a1ee8a-aaa8-784a-ad95-ec021eb2b4f9","trace_id":null,"created_at":"2026-11-18T12:03:47.497147+00:00","is_encrypted":false,"transaction_id":"01a1ee8a-aaa6-71a2-a844-f9c946b55313","producer_sub":null,"payload":"null","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, '{"partition_id":"40f7e5a2-c233-4693-ae6c-512a6d74e713","seq":2,"id":"01a1ee8a-aaa8-7759-812e-d3e49280baaf","trace_id":null,"created_at":"2026-11-18T12:03:47.497147+00:00","is_encrypted":false,"transaction_id":"01a1ee8a-aaa6-7420-84c0-82981fc94d42","producer_sub":null,"payload":"null","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, '{"partition_id":"40f7e5a2-c233-4693-ae6c-512a6d74e713","seq":3,"id":"01a1ee8a-aaa8-76cb-87f8-fbc8e0ffed90","trace_id":null,"created_at":"2026-11-18T12:03:47.497147+00:00","is_encrypted":false,"transaction_id":"01a1ee8a-aaa6-70a4-ba8f-1c7f921372b1","producer_sub":null,"payload":"null","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, '{"partition_id":"40f7e5a2-c233-4693-ae6c-512a6d74e713","seq":4,"id":"01a1ee8a-aaab-7869-82fd-ee6d1ea11ae0","trace_id":null,"created_at":"2026-11-18T12:03:47.50312+00:00","is_encrypted":false,"transaction_id":"01a1ee8a-aaaa-780c-9d76-755a00fcb0df","producer_sub":null,"payload":"null","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, '{"partition_id":"5aa1a8d3-3985-4b76-988e-19880911307c","seq":1,"id":"01a1ee8a-aab0-7a23-999c-8f4f16a40751","trace_id":null,"created_at":"2026-11-18T12:03:47.504964+00:00","is_encrypted":false,"transaction_id":"01a1ee8a-aaaf-7d10-95a0-cd376cdb9e15","producer_sub":null,"payload":"null","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, E'{"partition_id":"68b597f3-0bd8-4eff-99a4-bf906868dd0c","seq":1,"id":"01a1ee8a-aa86-76af-931d-4e987bfbaf52","trace_id":null,"created_at":"2026-11-18T12:03:47.463745+00:00","is_encrypted":false,"transaction_id":"ann-1","producer_sub":null,"payload":"{\\"n\\": 1}","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, E'{"partition_id":"68b597f3-0bd8-4eff-99a4-bf906868dd0c","seq":2,"id":"01a1ee8a-aa86-7dcd-9c35-d69f85f8961a","trace_id":null,"created_at":"2026-11-18T12:03:47.463745+00:00","is_encrypted":false,"transaction_id":"ann-2","producer_sub":null,"payload":"{\\"n\\": 2}","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, E'{"partition_id":"68b597f3-0bd8-4eff-99a4-bf906868dd0c","seq":3,"id":"01a1ee8a-aa86-7e81-8bc8-b2d6cdd68ebf","trace_id":null,"created_at":"2026-11-18T12:03:47.463745+00:00","is_encrypted":false,"transaction_id":"ann-3","producer_sub":null,"payload":"{\\"n\\": 3}","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, E'{"partition_id":"68b597f3-0bd8-4eff-99a4-bf906868dd0c","seq":4,"id":"01a1ee8a-aa86-7b5a-9ed3-cbcf8922ce38","trace_id":null,"created_at":"2026-11-18T12:03:47.463745+00:00","is_encrypted":false,"transaction_id":"ann-4","producer_sub":null,"payload":"{\\"n\\": 4}","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, E'{"partition_id":"68b597f3-0bd8-4eff-99a4-bf906868dd0c","seq":5,"id":"01a1ee8a-aa86-7878-b7f2-0685e0860bc3","trace_id":null,"created_at":"2026-11-18T12:03:47.463745+00:00","is_encrypted":false,"transaction_id":"ann-5","producer_sub":null,"payload":"{\\"n\\": 5}","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, E'{"partition_id":"68b597f3-0bd8-4eff-99a4-bf906868dd0c","seq":6,"id":"01a1ee8a-aa86-7171-8f10-1987c4e6619a","trace_id":null,"created_at":"2026-11-18T12:03:47.463745+00:00","is_encrypted":false,"transaction_id":"ann-6","producer_sub":null,"payload":"{\\"n\\": 6}","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, E'{"partition_id":"734e1573-e713-4afc-82e5-ca6b885f9031","seq":1,"id":"01a1ee8a-aa86-7e91-b867-a1d28bab6438","trace_id":null,"created_at":"2026-11-18T12:03:47.463745+00:00","is_encrypted":false,"transaction_id":"cyd-1","producer_sub":null,"payload":"{\\"n\\": 1}","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, E'{"partition_id":"734e1573-e713-4afc-82e5-ca6b885f9031","seq":2,"id":"01a1ee8a-aa86-7948-9759-539d31898202","trace_id":null,"created_at":"2026-11-18T12:03:47.463745+00:00","is_encrypted":false,"transaction_id":"cyd-2","producer_sub":null,"payload":"{\\"n\\": 2}","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, E'{"partition_id":"734e1573-e713-4afc-82e5-ca6b885f9031","seq":4,"id":"01a1ee8a-aa86-787f-ad8b-64163456d81e","trace_id":null,"created_at":"2026-11-18T12:03:47.463745+00:00","is_encrypted":false,"transaction_id":"cyd-4","producer_sub":null,"payload":"{\\"n\\": 4}","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, E'{"partition_id":"734e1573-e713-4afc-82e5-ca6b885f9031","seq":5,"id":"01a1ee8a-aa86-7905-a513-eaeb0add086d","trace_id":null,"created_at":"2026-11-18T12:03:47.463745+00:00","is_encrypted":false,"transaction_id":"cyd-5","producer_sub":null,"payload":"{\\"n\\": 5}","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, E'{"partition_id":"734e1573-e713-4afc-82e5-ca6b885f9031","seq":6,"id":"01a1ee8a-aa86-7688-a2b4-576529fbde37","trace_id":null,"created_at":"2026-11-18T12:03:47.463745+00:00","is_encrypted":false,"transaction_id":"cyd-6","producer_sub":null,"payload":"{\\"n\\": 6}","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, E'{"partition_id":"cb3d7199-1bcb-4b37-af60-bf21bd71f0db","seq":1,"id":"01a1ee8a-aa86-7e02-b6c5-ad5bff0478ae","trace_id":null,"created_at":"2026-11-18T12:03:47.463745+00:00","is_encrypted":false,"transaction_id":"bob-1","producer_sub":null,"payload":"{\\"n\\": 1}","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, E'{"partition_id":"cb3d7199-1bcb-4b37-af60-bf21bd71f0db","seq":2,"id":"01a1ee8a-aa86-73c0-bffd-2e409f26c46f","trace_id":null,"created_at":"2026-11-18T12:03:47.463745+00:00","is_encrypted":false,"transaction_id":"bob-2","producer_sub":null,"payload":"{\\"n\\": 2}","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, E'{"partition_id":"cb3d7199-1bcb-4b37-af60-bf21bd71f0db","seq":3,"id":"01a1ee8a-aa86-7d1f-9446-7ab53cd43239","trace_id":null,"created_at":"2026-11-18T12:03:47.463745+00:00","is_encrypted":false,"transaction_id":"bob-3","producer_sub":null,"payload":"{\\"n\\": 3}","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, E'{"partition_id":"cb3d7199-1bcb-4b37-af60-bf21bd71f0db","seq":4,"id":"01a1ee8a-aa86-7ba0-964a-111b7c379e58","trace_id":null,"created_at":"2026-11-18T12:03:47.463745+00:00","is_encrypted":false,"transaction_id":"bob-4","producer_sub":null,"payload":"{\\"n\\": 4}","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, E'{"partition_id":"cb3d7199-1bcb-4b37-af60-bf21bd71f0db","seq":5,"id":"01a1ee8a-aa86-7600-8d6e-5995509ed242","trace_id":null,"created_at":"2026-11-18T12:03:47.463745+00:00","is_encrypted":false,"transaction_id":"bob-5","producer_sub":null,"payload":"{\\"n\\": 5}","headers":null,"deliver_at":null}');
insert into queen.messages select * from json_populate_record(null::queen.messages, E'{"partition_id":"cb3d7199-1bcb-4b37-af60-bf21bd71f0db","seq":6,"id":"01a1ee8a-aa86-7624-8e92-36e30364ab21","trace_id":null,"created_at":"2026-11-18T12:03:47.463745+00:00","is_encrypted":false,"transaction_id":"bob-6","producer_sub":null,"payload":"{\\"n\\": 6}","headers":null,"deliver_at":null}');
insert into queen.met_queues select * from json_populate_record(null::queen.met_queues, '{"queue_id":"a5a4147c-94ee-45ba-b364-15cf088ef703","consumer_group":"billing"}');
insert into queen.met_queues select * from json_populate_record(null::queen.met_queues, '{"queue_id":"a5a4147c-94ee-45ba-b364-15cf088ef703","consumer_group":"ledger"}');
insert into queen.met_queues select * from json_populate_record(null::queen.met_queues, '{"queue_id":"a5a4147c-94ee-45ba-b364-15cf088ef703","consumer_group":"wide"}');
insert into queen.metric_buckets select * from json_populate_record(null::queen.metric_buckets, '{"bucket":"2026-11-18T12:03:00+00:00","server_id":"one","queue_name":"orders","metrics":{"push_messages": 18}}');
insert into queen.partition_consumers select * from json_populate_record(null::queen.partition_consumers, '{"partition_id":"68b597f3-0bd8-4eff-99a4-bf906868dd0c","consumer_group":"billing","cursor":0,"lease_id":"01a1ee8a-aa9f-7e94-82a8-28d168b597f3","lease_expires_at":"2026-11-18T12:03:47.455034+00:00","lease_last_seq":3,"retry_count":0,"redriven":0,"retry_at":null,"total_consumed":0,"total_batches":0,"last_consumed_at":"2026-11-18T12:03:47.488292+00:00","progressed_at":null,"created_at":"2026-11-18T12:03:47.455034+00:00","leased_by":"127.0.0.1 PostgreSQL JDBC Driver"}');
insert into queen.partition_consumers select * from json_populate_record(null::queen.partition_consumers, '{"partition_id":"68b597f3-0bd8-4eff-99a4-bf906868dd0c","consumer_group":"ledger","cursor":4,"lease_id":null,"lease_expires_at":null,"lease_last_seq":null,"retry_count":0,"redriven":1,"retry_at":null,"total_consumed":4,"total_batches":0,"last_consumed_at":"2026-11-18T12:03:47.472421+00:00","progressed_at":"2026-11-18T12:03:47.472421+00:00","created_at":"2026-11-18T12:03:47.455034+00:00","leased_by":null}');
insert into queen.partition_consumers select * from json_populate_record(null::queen.partition_consumers, '{"partition_id":"68b597f3-0bd8-4eff-99a4-bf906868dd0c","consumer_group":"wide","cursor":0,"lease_id":"0198a000-0000-7000-8000-000068b597f3","lease_expires_at":"2100-01-01T00:00:00+00:00","lease_last_seq":6,"retry_count":0,"redriven":0,"retry_at":null,"total_consumed":0,"total_batches":0,"last_consumed_at":"2026-11-18T12:03:47.489516+00:00","progressed_at":null,"created_at":"2026-11-18T12:03:47.455034+00:00","leased_by":"127.0.0.1 PostgreSQL JDBC Driver"}');
insert into queen.partition_consumers select * from json_populate_record(null::queen.partition_consumers, '{"partition_id":"734e1573-e713-4afc-82e5-ca6b885f9031","consumer_group":"wide","cursor":0,"lease_id":"0198a000-0000-7000-8000-000068b597f3","lease_expires_at":"2100-01-01T00:00:00+00:00","lease_last_seq":3,"retry_count":0,"redriven":0,"retry_at":null,"total_consumed":0,"total_batches":0,"last_consumed_at":"2026-11-18T12:03:47.489516+00:00","progressed_at":null,"created_at":"2026-11-18T12:03:47.455034+00:00","leased_by":"127.0.0.1 PostgreSQL JDBC Driver"}');
insert into queen.partition_consumers select * from json_populate_record(null::queen.partition_consumers, '{"partition_id":"cb3d7199-1bcb-4b37-af60-bf21bd71f0db","consumer_group":"billing","cursor":0,"lease_id":"01a1ee8a-aa98-732a-ab41-5945cb3d7199","lease_expires_at":"2100-01-01T00:00:00+00:00","lease_last_seq":2,"retry_count":0,"redriven":0,"retry_at":null,"total_consumed":0,"total_batches":0,"last_consumed_at":"2026-11-18T12:03:47.483983+00:00","progressed_at":null,"created_at":"2026-11-18T12:03:47.455034+00:00","leased_by":"127.0.0.1 PostgreSQL JDBC Driver"}');
insert into queen.partitions select * from json_populate_record(null::queen.partitions, '{"id":"40f7e5a2-c233-4693-ae6c-512a6d74e713","queue_id":"aafb2b5e-9938-49d9-b19c-6a680b8cadb9","name":"Default","head":4,"tail":0,"removed":0,"last_push_at":"2026-11-18T12:03:47.50312+00:00","created_at":"2026-11-18T12:03:47.455034+00:00","delayed_until":null}');
insert into queen.partitions select * from json_populate_record(null::queen.partitions, '{"id":"5aa1a8d3-3985-4b76-988e-19880911307c","queue_id":"6da272f2-c36d-4934-8d85-b66e22c6a795","name":"Default","head":1,"tail":0,"removed":0,"last_push_at":"2026-11-18T12:03:47.504964+00:00","created_at":"2026-11-18T12:03:47.455034+00:00","delayed_until":null}');
insert into queen.partitions select * from json_populate_record(null::queen.partitions, '{"id":"68b597f3-0bd8-4eff-99a4-bf906868dd0c","queue_id":"a5a4147c-94ee-45ba-b364-15cf088ef703","name":"ann","head":6,"tail":0,"removed":0,"last_push_at":"2026-11-18T12:03:47.463745+00:00","created_at":"2026-11-18T12:03:47.455034+00:00","delayed_until":null}');
insert into queen.partitions select * from json_populate_record(null::queen.partitions, '{"id":"734e1573-e713-4afc-82e5-ca6b885f9031","queue_id":"a5a4147c-94ee-45ba-b364-15cf088ef703","name":"cyd","head":6,"tail":0,"removed":1,"last_push_at":"2026-11-18T12:03:47.463745+00:00","created_at":"2026-11-18T12:03:47.455034+00:00","delayed_until":null}');
insert into queen.partitions select * from json_populate_record(null::queen.partitions, '{"id":"cb3d7199-1bcb-4b37-af60-bf21bd71f0db","queue_id":"a5a4147c-94ee-45ba-b364-15cf088ef703","name":"bob","head":6,"tail":0,"removed":0,"last_push_at":"2026-11-18T12:03:47.463745+00:00","created_at":"2026-11-18T12:03:47.455034+00:00","delayed_until":null}');
insert into queen.pauses select * from json_populate_record(null::queen.pauses, '{"queue_id":"6da272f2-c36d-4934-8d85-b66e22c6a795","consumer_group":"","paused_at":"2026-11-18T12:03:47.505506+00:00"}');
insert into queen.purges select * from json_populate_record(null::queen.purges, '{"partition_id":"03a0b1ff-4040-4e5c-9eed-c69e337807cb"}');
insert into queen.queue_room select * from json_populate_record(null::queen.queue_room, '{"queue_id":"aafb2b5e-9938-49d9-b19c-6a680b8cadb9","room":1}');
insert into queen.queues select * from json_populate_record(null::queen.queues, '{"id":"6da272f2-c36d-4934-8d85-b66e22c6a795","name":"held","namespace":"held","task":"","priority":0,"lease_time":300,"retry_limit":3,"retry_delay":0,"retry_backoff":"fixed","retry_delay_max":3600000,"retry_jitter":0,"max_size":0,"ttl":3600,"dead_letter_queue":false,"dlq_after_max_retries":false,"delayed_processing":0,"window_buffer":0,"retention_seconds":0,"completed_retention_seconds":0,"retention_enabled":false,"encryption_enabled":false,"max_wait_time_seconds":0,"created_at":"2026-11-18T12:03:47.455034+00:00"}');
insert into queen.queues select * from json_populate_record(null::queen.queues, '{"id":"a5a4147c-94ee-45ba-b364-15cf088ef703","name":"orders","namespace":"shop","task":"billing","priority":0,"lease_time":300,"retry_limit":1,"retry_delay":0,"retry_backoff":"fixed","retry_delay_max":3600000,"retry_jitter":0,"max_size":0,"ttl":3600,"dead_letter_queue":false,"dlq_after_max_retries":true,"delayed_processing":0,"window_buffer":0,"retention_seconds":0,"completed_retention_seconds":0,"retention_enabled":false,"encryption_enabled":false,"max_wait_time_seconds":0,"created_at":"2026-11-18T12:03:47.455034+00:00"}');
insert into queen.queues select * from json_populate_record(null::queen.queues, '{"id":"aafb2b5e-9938-49d9-b19c-6a680b8cadb9","name":"limited","namespace":"limited","task":"","priority":0,"lease_time":300,"retry_limit":3,"retry_delay":0,"retry_backoff":"fixed","retry_delay_max":3600000,"retry_jitter":0,"max_size":5,"ttl":3600,"dead_letter_queue":false,"dlq_after_max_retries":false,"delayed_processing":0,"window_buffer":0,"retention_seconds":0,"completed_retention_seconds":0,"retention_enabled":false,"encryption_enabled":false,"max_wait_time_seconds":0,"created_at":"2026-11-18T12:03:47.455034+00:00"}');
insert into queen.redriven select * from json_populate_record(null::queen.redriven, '{"partition_id":"68b597f3-0bd8-4eff-99a4-bf906868dd0c","consumer_group":"ledger","seq":2,"lease_id":null,"retry_count":0}');
insert into queen.retention_history select * from json_populate_record(null::queen.retention_history, '{"executed_at":"2026-11-18T12:03:47.455034+00:00","queue_name":"orders","kind":"retention","deleted_count":7}');
insert into queen.shared_leases select * from json_populate_record(null::queen.shared_leases, '{"lease_id":"0198a000-0000-7000-8000-000068b597f3","consumer_group":"wide","partition_ids":["68b597f3-0bd8-4eff-99a4-bf906868dd0c","734e1573-e713-4afc-82e5-ca6b885f9031"],"created_at":"2026-11-18T12:03:47.455034+00:00"}');
insert into queen.subscriptions select * from json_populate_record(null::queen.subscriptions, '{"queue_name":"orders","consumer_group":"late","partition_name":"","subscription_mode":"new","subscription_timestamp":"2026-11-18T12:03:47.490908+00:00","created_at":"2026-11-18T12:03:47.455034+00:00","asked_at":"2026-11-18T12:03:47.455034+00:00"}');
insert into queen.system_state select * from json_populate_record(null::queen.system_state, '{"key":"pop_maintenance_mode","value":false,"updated_at":"2026-11-18T12:03:47.508249+00:00"}');
insert into queen.trace_names select * from json_populate_record(null::queen.trace_names, '{"trace_id":"d966593f-373a-4c48-a717-36d30df2da9a","trace_name":"invoice-7","created_at":"2026-11-18T12:03:47.455034+00:00"}');
insert into queen.traces select * from json_populate_record(null::queen.traces, '{"id":"d966593f-373a-4c48-a717-36d30df2da9a","partition_id":"cb3d7199-1bcb-4b37-af60-bf21bd71f0db","transaction_id":"bob-1","consumer_group":"billing","event_type":"info","data":{"step": 1},"worker_id":"worker-1","created_at":"2026-11-18T12:03:47.455034+00:00"}');
