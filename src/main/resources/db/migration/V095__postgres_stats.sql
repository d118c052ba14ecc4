-- postgres_stats_v1() → json
-- What PostgreSQL tells of this database and of the tables of the schema queen: caches, sizes, dead rows, HOT updates,
-- vacuums, and the queries that run now. Queries of other users show as far as the role may see them. The shared buffers
-- can be looked into only with an extension, so bufferUsage is empty.
create function queen.postgres_stats_v1() returns jsonb
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
$$;
