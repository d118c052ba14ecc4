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
