package io.queen.config;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.util.Optional;

/**
 * Everything that can be set. A default of the form {@code ${NAME:value}} means: the environment variable NAME, else
 * value; the key itself ({@code queen.http.port}, or {@code QUEEN_HTTP_PORT} in the environment) wins over both.
 *
 * <p>Registered for reflection, with the interfaces inside, because a wrong value is explained by reading them.
 */
@RegisterForReflection
@ConfigMapping(prefix = "queen")
public interface QueenConfig {

    /** Directory of the embedded PostgreSQL. Used only when no database is configured. */
    @WithDefault("${QUEEN_DATA_DIR:${user.home}/.queen}")
    String dataDir();

    /** Key for queues with {@code encryptionEnabled}: 64 hex digits. Never logged. */
    @WithDefault("${QUEEN_ENCRYPTION_KEY:}")
    Optional<@Pattern(regexp = "[0-9a-fA-F]{64}", message = "must be 64 hex digits") String> encryptionKey();

    /** Directory of a dashboard to serve at {@code /}; none when not set. */
    @WithDefault("${WEBAPP_ROOT:}")
    Optional<String> webappRoot();

    /** Start an embedded PostgreSQL when no other is named. Off, as in the images, the start is refused without one. */
    @WithDefault("true")
    boolean embedded();

    /** Servers of this database at most; they share {@code queen.database.max-connections}. */
    @WithDefault("1")
    @Min(1)
    @Max(10000)
    int instances();

    /**
     * Refuses requests with fields or parameters that Queen does not know, with 400. Otherwise they are ignored, named
     * in the header {@code Warning} of the answer, and named once in the log.
     */
    @WithDefault("false")
    boolean strict();

    Http http();

    Shutdown shutdown();

    Database database();

    Sidecar sidecar();

    Pop pop();

    Retention retention();

    Metrics metrics();

    Buffer buffer();

    Log log();

    /** The listener. */
    interface Http {
        /** Address to listen on. */
        @WithDefault("${HOST:0.0.0.0}")
        String host();

        /** Port to listen on; 0 takes a free one. */
        @WithDefault("${PORT:6632}")
        @Min(0)
        @Max(65535)
        int port();

        /** Event loops, each with its own sidecar; one for two cores when not set. */
        @WithDefault("${NUM_WORKERS:}")
        Optional<@Min(1) @Max(256) Integer> workers();

        /** Largest request body, and never more than may be in work; beyond it the answer is 413. */
        @WithDefault("64M")
        @Pattern(regexp = "[0-9]+[KMGkmg]?", message = "must be a size such as 512K, 64M or 1G")
        String maxBodySize();

        /** Bytes of request bodies in work at most, beyond it the answer is 503; an eighth of the heap when not set. */
        Optional<@Pattern(regexp = "[0-9]+[KMGkmg]?", message = "must be a size") String> maxBytesInWork();

        /** Milliseconds in which the next 16 KB of a body, or its end, must come, a tenth while room is short; else 408. */
        @WithDefault("10000")
        @Min(10)
        int bodyTimeout();

        /** HTTP/2 without TLS. */
        @WithDefault("false")
        boolean h2c();

        /** Seconds after which a connection is closed on which nothing moves; at least as long as pops may wait. */
        @WithDefault("180")
        @Min(1)
        int idleTimeout();

        /** Connections that are served at once; more are closed. No limit when not set. */
        Optional<@Min(1) Integer> maxConnections();
    }

    /** The end of the server, when it is told to stop. */
    interface Shutdown {
        /** Seconds that requests in flight get to be answered. */
        @WithDefault("20")
        @Min(1)
        int timeout();

        /** Seconds between readiness going down and the server taking nothing new. */
        @WithDefault("0")
        @Min(0)
        int delay();
    }

    /** The PostgreSQL to use. Without a host (and without a datasource URL) an embedded one is started. */
    interface Database {
        /** Host; or several, {@code a,b:5433}, of which the primary is used. */
        @WithDefault("${PG_HOST:}")
        Optional<String> host();

        /** Port. */
        @WithDefault("${PG_PORT:5432}")
        @Min(1)
        @Max(65535)
        int port();

        /** Database name. */
        @WithDefault("${PG_DB:postgres}")
        String name();

        /** User. */
        @WithDefault("${PG_USER:postgres}")
        String user();

        /** Password. Never logged. */
        @WithDefault("${PG_PASSWORD:postgres}")
        String password();

        /** Require TLS to PostgreSQL. */
        @WithDefault("${PG_USE_SSL:false}")
        boolean ssl();

        /** With TLS: refuse a certificate that does not verify. */
        @WithDefault("${PG_SSL_REJECT_UNAUTHORIZED:true}")
        boolean sslRejectUnauthorized();

        /** Connections for everything but messages: configuration, inspection, background work. */
        @WithDefault("${DB_POOL_SIZE:10}")
        @Min(1)
        @Max(1000)
        int poolSize();

        /** Milliseconds to wait for a connection to open. */
        @WithDefault("${DB_CONNECTION_TIMEOUT:2000}")
        @Min(1)
        int connectionTimeout();

        /** Milliseconds after which an unused connection of the general pool is closed. */
        @WithDefault("${DB_IDLE_TIMEOUT:30000}")
        @Min(0)
        int idleTimeout();

        /** Milliseconds a statement may run. */
        @WithDefault("${DB_STATEMENT_TIMEOUT:30000}")
        @Min(0)
        int statementTimeout();

        /**
         * Milliseconds a statement may wait for a lock, and a request for a partition that a transaction outside holds,
         * from its arrival; then the answer is 503.
         */
        @WithDefault("${DB_LOCK_TIMEOUT:10000}")
        @Min(0)
        int lockTimeout();

        /** Connections that all servers together may open; each keeps to its part, whatever its pool sizes say. */
        Optional<@Min(3) Integer> maxConnections();

        /** A pooler in transaction mode stands between: no named statements, no session settings, no LISTEN. */
        @WithDefault("false")
        boolean pooler();
    }

    /** The hot path: one sidecar per event loop. */
    interface Sidecar {
        /** Connections for push, pop, ack, transaction and renew, split over the event loops. */
        @WithDefault("${SIDECAR_POOL_SIZE:16}")
        @Min(1)
        @Max(1000)
        int poolSize();

        /** Milliseconds a list gathers at most while enough lists are in flight. */
        @WithDefault("${SIDECAR_MICRO_BATCH_WAIT_MS:5}")
        @Min(1)
        @Max(1000)
        int microBatchWaitMs();

        /** Items (messages, acks, renewals) in one list at most; a larger request is its own list. */
        @WithDefault("${SIDECAR_MAX_ITEMS_PER_TX:1000}")
        @Min(1)
        @Max(100000)
        int maxItemsPerTx();

        /** Payload bytes in one list at most; a larger request is its own list. */
        @WithDefault("4M")
        @Pattern(regexp = "[0-9]+[KMGkmg]?", message = "must be a size such as 512K, 4M or 1G")
        String maxBytesPerTx();

        /**
         * Lists of one operation that one sidecar has in flight at most. A second one leaves when what waits is a quarter
         * of a full list, or has waited for the window.
         */
        @WithDefault("2")
        @Min(1)
        @Max(100)
        int maxListsInFlight();

        /** Send a list as soon as a connection is free. Off, every list waits for the window: only to measure that. */
        @WithDefault("true")
        boolean eager();

        /** Requests that may wait in one sidecar, per operation; beyond it the answer is 503. */
        @WithDefault("10000")
        @Min(1)
        int maxWaiting();
    }

    /** What is removed by itself when it is old. */
    interface Retention {
        /** Milliseconds between two runs of retention; the first is at the start. */
        @WithDefault("${RETENTION_INTERVAL:300000}")
        @Min(1)
        int interval();

        /** Messages that retention removes in one transaction at most; a push to their partition waits for one. */
        @WithDefault("${RETENTION_BATCH_SIZE:1000}")
        @Min(1)
        @Max(100000)
        int batchSize();

        /** Milliseconds between two runs of eviction ({@code maxWaitTimeSeconds}); the first is at the start. */
        @WithDefault("${EVICTION_INTERVAL:60000}")
        @Min(1)
        int evictionInterval();

        /** Messages that one run of eviction removes at most; the next follows at once when there may be more. */
        @WithDefault("${EVICTION_BATCH_SIZE:1000}")
        @Min(1)
        @Max(100000)
        int evictionBatchSize();

        /** Days without a push after which an empty partition other than {@code Default} is removed. */
        @WithDefault("${PARTITION_CLEANUP_DAYS:30}")
        @Min(1)
        @Max(36500)
        int partitionCleanupDays();

        /** Days that minute buckets and the history of retention are kept. */
        @WithDefault("${METRICS_RETENTION_DAYS:90}")
        @Min(1)
        @Max(36500)
        int metricsDays();
    }

    /** What the server measures. */
    interface Metrics {
        /** Milliseconds between two samples of CPU, memory, connections and event loops. */
        @WithDefault("${METRICS_SAMPLE_INTERVAL_MS:1000}")
        @Min(10)
        int sampleIntervalMs();

        /** Seconds that one row of the series covers. */
        @WithDefault("${METRICS_AGGREGATE_INTERVAL_S:60}")
        @Min(1)
        @Max(3600)
        int aggregateIntervalS();

        /** Milliseconds between two looks at depth and lag of the queues, while Prometheus asks for them. */
        @WithDefault("${STATS_INTERVAL_MS:10000}")
        @Min(100)
        int statsIntervalMs();

        /** Queues that Prometheus gets figures of; those with the most messages waiting come first. */
        @WithDefault("1000")
        @Min(0)
        @Max(100000)
        int maxQueues();
    }

    /** The files that keep pushed messages while PostgreSQL is away or push maintenance is on. */
    interface Buffer {
        /** Directory of the file buffer, made when it is first needed. Keep it on a disk that survives the server. */
        @WithDefault("${FILE_BUFFER_DIR:${queen.data-dir}/buffers}")
        String dir();

        /** Most bytes the file buffer takes on disk; beyond it the answer to a push is 503. */
        @WithDefault("10G")
        @Pattern(regexp = "[0-9]+[KMGkmg]?", message = "must be a size such as 512M or 10G")
        String maxSize();

        /** Milliseconds between looks whether buffered messages may go to the database now. */
        @WithDefault("${FILE_BUFFER_FLUSH_MS:100}")
        @Min(1)
        @Max(60000)
        int flushMs();

        /** Buffered messages that go to the database in one call. */
        @WithDefault("${FILE_BUFFER_MAX_BATCH:100}")
        @Min(1)
        @Max(100000)
        int maxBatch();

        /** Messages in one file of the buffer; a file goes when all of its messages are in the database. */
        @WithDefault("${FILE_BUFFER_EVENTS_PER_FILE:10000}")
        @Min(1)
        int eventsPerFile();
    }

    /** What the server writes to its console. */
    interface Log {
        String LEVELS = "(?i)trace|debug|info|warn|error";

        /** Least level to write: trace, debug, info, warn or error. */
        @WithDefault("${LOG_LEVEL:info}")
        @Pattern(regexp = LEVELS, message = "must be trace, debug, info, warn or error")
        String level();

        /** text for people, json for log collectors. */
        @WithDefault("${LOG_FORMAT:text}")
        @Pattern(regexp = "text|json", message = "must be text or json")
        String format();
    }

    /** Pops and long polling. */
    interface Pop {
        /** Milliseconds a waiting pop waits when it does not say. */
        @WithDefault("${DEFAULT_TIMEOUT:30000}")
        @Min(1)
        int defaultTimeout();

        /** Milliseconds a waiting pop may wait at most; more is cut to this. */
        @WithDefault("120000")
        @Min(1)
        int maxTimeout();

        /** Messages of a pop that does not say. */
        @WithDefault("${DEFAULT_BATCH_SIZE:1}")
        @Min(1)
        int defaultBatch();

        /** Messages of one pop at most; more is cut to this. */
        @WithDefault("10000")
        @Min(1)
        int maxBatch();

        /** Payload bytes of one pop, about: what does not fit comes with the next. At least one message always comes. */
        @WithDefault("16M")
        @Pattern(regexp = "[0-9]+[KMGkmg]?", message = "must be a size such as 512K, 16M or 1G")
        String maxBytes();

        /** Where groups start whose pops do not say: {@code new} skips what is there, all else is the beginning. */
        @WithDefault("${DEFAULT_SUBSCRIPTION_MODE:all}")
        String defaultSubscriptionMode();

        /** Hear of pushes through other servers by LISTEN. Off where a pooler in transaction mode stands between. */
        @WithDefault("true")
        boolean listen();

        /** Milliseconds until a parked pop that nobody woke looks for itself. */
        @WithDefault("${POP_WAIT_INITIAL_INTERVAL_MS:100}")
        @Min(1)
        int waitInitialIntervalMs();

        /** Looks in vain before the interval grows. */
        @WithDefault("${POP_WAIT_BACKOFF_THRESHOLD:3}")
        @Min(0)
        int waitBackoffThreshold();

        /** Growth of the interval from look to look. */
        @WithDefault("${POP_WAIT_BACKOFF_MULTIPLIER:2.0}")
        @DecimalMin("1.0")
        double waitBackoffMultiplier();

        /** The longest interval, in milliseconds. */
        @WithDefault("${POP_WAIT_MAX_INTERVAL_MS:1000}")
        @Min(1)
        int waitMaxIntervalMs();
    }
}
