package io.queen.config;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.util.List;
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

    /** Directory of the embedded PostgreSQL. Used only when no other PostgreSQL is configured. */
    @WithDefault("${QUEEN_DATA_DIR:${user.home}/.queen}")
    String dataDir();

    /**
     * Keys for queues with {@code encryptionEnabled}, each an id, a colon and 64 hex digits, with commas between. The
     * first encrypts, all decrypt. Never logged.
     */
    @WithDefault("${QUEEN_ENCRYPTION_KEYS:}")
    Optional<String> encryptionKeys();

    /**
     * A single key, 64 hex digits, when {@code encryption-keys} is not set. Beside it this is one more key that decrypts;
     * its id is {@code default}. Never logged.
     */
    @WithDefault("${QUEEN_ENCRYPTION_KEY:}")
    Optional<@Pattern(regexp = "[0-9a-fA-F]{64}", message = "must be 64 hex digits") String> encryptionKey();

    /** Directory with the files of a dashboard, which are served at {@code /}. Without it no dashboard is served. */
    @WithDefault("${WEBAPP_ROOT:}")
    Optional<String> webappRoot();

    /** Start an embedded PostgreSQL when no other is configured. When off, as in the images, the start is then refused. */
    @WithDefault("true")
    boolean embedded();

    /** Most servers of this database. They share {@code queen.database.max-connections}. */
    @WithDefault("1")
    @Min(1)
    @Max(10000)
    int instances();

    /**
     * Answer 400 to requests with fields or parameters that Queen does not know. When off they are ignored, and named
     * in the header {@code Warning} of the answer and once in the log.
     */
    @WithDefault("false")
    boolean strict();

    Http http();

    Jwt jwt();

    Oidc oidc();

    Cors cors();

    Tls tls();

    Shutdown shutdown();

    Database database();

    Sidecar sidecar();

    Pop pop();

    Retention retention();

    Metrics metrics();

    Buffer buffer();

    Log log();

    Tracing tracing();

    /** The port, and the limits on connections and request bodies. */
    interface Http {
        /** Address to listen on. When not set, 127.0.0.1 without tokens, and all addresses (0.0.0.0) with them. */
        @WithDefault("${HOST:}")
        Optional<String> host();

        /** Port to listen on; 0 takes a free one. */
        @WithDefault("${PORT:6632}")
        @Min(0)
        @Max(65535)
        int port();

        /** Event loops, each with its own sidecar. When not set, one for every two cores. */
        @WithDefault("${NUM_WORKERS:}")
        Optional<@Min(1) @Max(256) Integer> workers();

        /** Largest request body, and never more than {@code max-bytes-in-work}. Beyond it the answer is 413. */
        @WithDefault("64M")
        @Pattern(regexp = "[0-9]+[KMGkmg]?", message = "must be a size such as 512K, 64M or 1G")
        String maxBodySize();

        /**
         * Most bytes of request bodies that the server holds at once. Beyond it the answer is 503. When not set, an eighth
         * of the heap.
         */
        Optional<@Pattern(regexp = "[0-9]+[KMGkmg]?", message = "must be a size") String> maxBytesInWork();

        /**
         * Milliseconds in which the next 16 KB of a body, or its end, must arrive; else the answer is 408. A tenth of it
         * while more than half of {@code max-bytes-in-work} is used.
         */
        @WithDefault("10000")
        @Min(10)
        int bodyTimeout();

        /** Accept HTTP/2 without TLS. */
        @WithDefault("false")
        boolean h2c();

        /** Seconds after which a connection without traffic is closed. Keep it above the time that pops may wait. */
        @WithDefault("180")
        @Min(1)
        int idleTimeout();

        /** Most connections that are served at once; further ones are closed. No limit when not set. */
        Optional<@Min(1) Integer> maxConnections();
    }

    /** Tokens: which are accepted, and what their roles are called. {@code docs/security.md} explains them. */
    interface Jwt {
        /** Ask every caller for a token. When off, everyone who reaches the port may do everything. */
        @WithDefault("${JWT_ENABLED:false}")
        boolean enabled();

        /** Algorithm of signatures. {@code auto} takes each for which there is a key. */
        @WithDefault("${JWT_ALGORITHM:HS256}")
        @Pattern(regexp = "HS256|RS256|EdDSA|auto", message = "must be HS256, RS256, EdDSA or auto")
        String algorithm();

        /** Secret for HS256: at least 32 bytes. Never logged. */
        @WithDefault("${JWT_SECRET:}")
        Optional<String> secret();

        /** Public key for RS256 or EdDSA, in PEM. With it the key server is not asked. */
        @WithDefault("${JWT_PUBLIC_KEY:}")
        Optional<String> publicKey();

        /** Private key in PEM that {@code queen token} signs with, for RS256 or EdDSA. Servers do not need it. */
        @WithDefault("${JWT_PRIVATE_KEY:}")
        Optional<String> privateKey();

        /** Address of the key server: a JWKS with the public keys for RS256 and EdDSA. */
        @WithDefault("${JWT_JWKS_URL:}")
        Optional<@Pattern(regexp = "(?i)https?://.+", message = "must begin with http:// or https://") String>
                jwksUrl();

        /** Seconds between two fetches of the keys. A token with an unknown key id fetches them as well. */
        @WithDefault("${JWT_JWKS_REFRESH_INTERVAL:3600}")
        @Min(1)
        @Max(1000000)
        int jwksRefreshInterval();

        /** Milliseconds that a fetch of the keys may take. */
        @WithDefault("${JWT_JWKS_TIMEOUT_MS:5000}")
        @Min(1)
        int jwksTimeoutMs();

        /** Issuer ({@code iss}) that a token must have. Not checked when not set. */
        @WithDefault("${JWT_ISSUER:}")
        Optional<String> issuer();

        /** Audience ({@code aud}) that a token must have. Not checked when not set. */
        @WithDefault("${JWT_AUDIENCE:}")
        Optional<String> audience();

        /** Seconds by which the clock of the issuer may differ. */
        @WithDefault("${JWT_CLOCK_SKEW:30}")
        @Min(0)
        @Max(86400)
        int clockSkew();

        /** Paths without a token, beside the public ones: exact, or all below one that ends with {@code /}. */
        @WithDefault("${JWT_SKIP_PATHS:/health,/metrics/prometheus,/metrics,/}")
        Optional<String> skipPaths();

        /** Claim with a role. {@code a.b} is the claim {@code b} in {@code a}. */
        @WithDefault("${JWT_ROLES_CLAIM:role}")
        String rolesClaim();

        /** Claim with a list of roles; {@code realm_access.roles} for Keycloak. */
        @WithDefault("${JWT_ROLES_ARRAY_CLAIM:roles}")
        String rolesArrayClaim();

        /** Role of those who may do everything. */
        @WithDefault("${JWT_ROLE_ADMIN:admin}")
        String roleAdmin();

        /** Role of those who may push, pop and configure queues, and read. */
        @WithDefault("${JWT_ROLE_READ_WRITE:read-write}")
        String roleReadWrite();

        /** Role of those who may read. */
        @WithDefault("${JWT_ROLE_READ_ONLY:read-only}")
        String roleReadOnly();

        /** Claim with the queues that a token is for. A token without it has the rights of its role on all queues. */
        @WithDefault("${JWT_QUEUES_CLAIM:queen_queues}")
        String queuesClaim();

        /** Most tokens that are remembered as checked. A token beyond them is checked again with each request. */
        @WithDefault("10000")
        @Min(1)
        @Max(10000000)
        int maxRemembered();
    }

    /**
     * Where people who open the dashboard log in. The server only tells the page, which gets a token there; which tokens are
     * accepted is said by {@code queen.jwt}.
     */
    interface Oidc {
        String ISSUERS = "(?i)https://[^\\s/?#@]+(/[^\\s?#]*)?"
                + "|http://(localhost|127(\\.[0-9]{1,3}){3}|\\[::1])(:[0-9]+)?(/[^\\s?#]*)?";

        /** Address of the OpenID Connect issuer. Needs {@code client-id}. */
        @WithDefault("${QUEEN_OIDC_ISSUER:}")
        Optional<
                        @Pattern(
                                regexp = ISSUERS,
                                message =
                                        "must be an https URL, or an http URL of this machine such as http://localhost:8080")
                        String>
                issuer();

        /** Id under which the dashboard is known there, as a public client. Needs {@code issuer}. */
        @WithDefault("${QUEEN_OIDC_CLIENT_ID:}")
        Optional<String> clientId();

        /** What the dashboard asks for, with spaces between. */
        @WithDefault("${QUEEN_OIDC_SCOPE:openid}")
        String scope();
    }

    /** Which web pages may call the server from a browser. */
    interface Cors {
        String ORIGIN = "[a-z][a-z0-9+.-]*://[^/\\s]+";

        /**
         * Origins ({@code https://app.example.org}, separated by commas) whose pages may call the server. When not set,
         * none without tokens, and all with them.
         */
        Optional<List<@Pattern(regexp = ORIGIN, message = "must be scheme://host:port") String>> origins();
    }

    /** HTTPS instead of HTTP, on the same port. Both files are needed. They are read again when they change. */
    interface Tls {
        /** File with the certificate of the server, and those between it and its authority (PEM). */
        Optional<String> cert();

        /** File with the private key of that certificate (PEM, without a password). */
        Optional<String> key();
    }

    /** What happens between SIGTERM and the end of the process. */
    interface Shutdown {
        /** Seconds that requests in flight have to be answered. */
        @WithDefault("20")
        @Min(1)
        int timeout();

        /** Seconds between the moment readiness goes down and the moment new requests are refused. */
        @WithDefault("0")
        @Min(0)
        int delay();
    }

    /** The PostgreSQL to use. Without a host (and without a datasource URL) an embedded one is started. */
    interface Database {
        /** Host, or several ({@code a,b:5433}), of which the primary is used. */
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

        /** With TLS, refuse a certificate that does not verify, or that is not for the host. */
        @WithDefault("${PG_SSL_REJECT_UNAUTHORIZED:true}")
        boolean sslRejectUnauthorized();

        /** File with the authorities that may have signed PostgreSQL's certificate (PEM). When not set, those of Java. */
        @WithDefault("${PG_SSL_ROOT_CERT:}")
        Optional<String> sslRootCert();

        /** File with the certificate that the server shows to PostgreSQL (PEM). */
        @WithDefault("${PG_SSL_CERT:}")
        Optional<String> sslCert();

        /** File with the private key of that certificate: PEM in PKCS#8, its name ends with .key or .pem. */
        @WithDefault("${PG_SSL_KEY:}")
        Optional<String> sslKey();

        /** Most connections for everything except messages: configuration, inspection, background work. */
        @WithDefault("${DB_POOL_SIZE:10}")
        @Min(1)
        @Max(1000)
        int poolSize();

        /** Milliseconds that a connection may take to open. */
        @WithDefault("${DB_CONNECTION_TIMEOUT:2000}")
        @Min(1)
        int connectionTimeout();

        /** Milliseconds after which an unused connection of the general pool is closed. */
        @WithDefault("${DB_IDLE_TIMEOUT:30000}")
        @Min(0)
        int idleTimeout();

        /** Milliseconds that a statement may run. */
        @WithDefault("${DB_STATEMENT_TIMEOUT:30000}")
        @Min(0)
        int statementTimeout();

        /**
         * Milliseconds that a statement may wait for a lock, and that a request, counted from its arrival, may wait for a
         * partition which a transaction outside Queen holds. Then the answer is 503.
         */
        @WithDefault("${DB_LOCK_TIMEOUT:10000}")
        @Min(0)
        int lockTimeout();

        /** Most connections of all servers together. Each server keeps to its part, whatever its pool sizes say. */
        Optional<@Min(3) Integer> maxConnections();

        /** Set it when PgBouncer in transaction mode is in between: no named statements, session settings or LISTEN. */
        @WithDefault("false")
        boolean pooler();
    }

    /** The path of messages to PostgreSQL: one sidecar per event loop, which sends requests that meet as one batch. */
    interface Sidecar {
        /** Connections for push, pop, ack, transaction and renew, divided among the event loops. */
        @WithDefault("${SIDECAR_POOL_SIZE:16}")
        @Min(1)
        @Max(1000)
        int poolSize();

        /** Most milliseconds that a batch gathers while enough batches are in flight. */
        @WithDefault("${SIDECAR_MICRO_BATCH_WAIT_MS:5}")
        @Min(1)
        @Max(1000)
        int microBatchWaitMs();

        /** Most items (messages, acks, renewals) in one batch. A larger request is a batch of its own. */
        @WithDefault("${SIDECAR_MAX_ITEMS_PER_TX:1000}")
        @Min(1)
        @Max(100000)
        int maxItemsPerTx();

        /** Most payload bytes in one batch. A larger request is a batch of its own. */
        @WithDefault("4M")
        @Pattern(regexp = "[0-9]+[KMGkmg]?", message = "must be a size such as 512K, 4M or 1G")
        String maxBytesPerTx();

        /**
         * Most batches of one operation that one sidecar has in flight. A second one leaves when a quarter of a full
         * batch waits, or when a request has waited for {@code micro-batch-wait-ms}.
         */
        @WithDefault("2")
        @Min(1)
        @Max(100)
        int maxListsInFlight();

        /**
         * Send a batch as soon as a connection is free. When off, every batch waits for {@code micro-batch-wait-ms}, which
         * is slower: only to measure the difference.
         */
        @WithDefault("true")
        boolean eager();

        /** Most requests of one operation that wait in one sidecar. Beyond it the answer is 503. */
        @WithDefault("10000")
        @Min(1)
        int maxWaiting();
    }

    /** Pops and long polling. */
    interface Pop {
        /** Milliseconds that a waiting pop waits when the request gives no {@code timeout}. */
        @WithDefault("${DEFAULT_TIMEOUT:30000}")
        @Min(1)
        int defaultTimeout();

        /** Most milliseconds that a pop may wait. A longer {@code timeout} is cut to this. */
        @WithDefault("120000")
        @Min(1)
        int maxTimeout();

        /** Messages of a pop when the request gives no {@code batch}. */
        @WithDefault("${DEFAULT_BATCH_SIZE:1}")
        @Min(1)
        int defaultBatch();

        /** Most messages of one pop. A larger {@code batch} is cut to this. */
        @WithDefault("10000")
        @Min(1)
        int maxBatch();

        /** About the most payload bytes of one pop; further messages come with the next pop. One message always fits. */
        @WithDefault("16M")
        @Pattern(regexp = "[0-9]+[KMGkmg]?", message = "must be a size such as 512K, 16M or 1G")
        String maxBytes();

        /**
         * Where a group starts when its first pop does not say: {@code new} skips the messages that are there, anything
         * else is the beginning.
         */
        @WithDefault("${DEFAULT_SUBSCRIPTION_MODE:all}")
        String defaultSubscriptionMode();

        /** Hear of pushes through other servers by LISTEN. Always off with {@code queen.database.pooler}. */
        @WithDefault("true")
        boolean listen();

        /** Milliseconds after which a waiting pop that was not woken looks into the database. */
        @WithDefault("${POP_WAIT_INITIAL_INTERVAL_MS:100}")
        @Min(1)
        int waitInitialIntervalMs();

        /** Look-ups without a message before that interval grows. */
        @WithDefault("${POP_WAIT_BACKOFF_THRESHOLD:3}")
        @Min(0)
        int waitBackoffThreshold();

        /** Factor by which the interval grows from one look-up to the next. */
        @WithDefault("${POP_WAIT_BACKOFF_MULTIPLIER:2.0}")
        @DecimalMin("1.0")
        double waitBackoffMultiplier();

        /** Longest interval, in milliseconds. */
        @WithDefault("${POP_WAIT_MAX_INTERVAL_MS:1000}")
        @Min(1)
        int waitMaxIntervalMs();
    }

    /** What is removed because it is old. */
    interface Retention {
        /** Milliseconds between two runs of retention; the first is at the start. */
        @WithDefault("${RETENTION_INTERVAL:300000}")
        @Min(1)
        int interval();

        /** Most messages that retention removes in one transaction. A push to their partition waits for that transaction. */
        @WithDefault("${RETENTION_BATCH_SIZE:1000}")
        @Min(1)
        @Max(100000)
        int batchSize();

        /** Milliseconds between two runs of eviction ({@code maxWaitTimeSeconds}); the first is at the start. */
        @WithDefault("${EVICTION_INTERVAL:60000}")
        @Min(1)
        int evictionInterval();

        /** Most messages that one run of eviction removes. The next run follows at once when there may be more. */
        @WithDefault("${EVICTION_BATCH_SIZE:1000}")
        @Min(1)
        @Max(100000)
        int evictionBatchSize();

        /** Days without a push after which an empty partition other than {@code Default} is removed. */
        @WithDefault("${PARTITION_CLEANUP_DAYS:30}")
        @Min(1)
        @Max(36500)
        int partitionCleanupDays();

        /** Days that the series in the database and the history of retention are kept. */
        @WithDefault("${METRICS_RETENTION_DAYS:90}")
        @Min(1)
        @Max(36500)
        int metricsDays();

        /** Days that acts of operators are kept in {@code queen.audit}; 0 keeps them for ever. */
        @WithDefault("${QUEEN_AUDIT_DAYS:90}")
        @Min(0)
        @Max(36500)
        int auditDays();
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

        /** Milliseconds between two look-ups of the depth and lag of queues, while Prometheus scrapes. */
        @WithDefault("${STATS_INTERVAL_MS:10000}")
        @Min(100)
        int statsIntervalMs();

        /** Most queues with figures for Prometheus. Those with the most waiting messages come first. */
        @WithDefault("1000")
        @Min(0)
        @Max(100000)
        int maxQueues();
    }

    /** The files that keep pushed messages while PostgreSQL is away or push maintenance is on. */
    interface Buffer {
        /** Directory of the file buffer, created when it is first needed. Keep it on a disk that survives the server. */
        @WithDefault("${FILE_BUFFER_DIR:${queen.data-dir}/buffers}")
        String dir();

        /** Most bytes that the file buffer takes on disk. Beyond it the answer to a push is 503. */
        @WithDefault("10G")
        @Pattern(regexp = "[0-9]+[KMGkmg]?", message = "must be a size such as 512M or 10G")
        String maxSize();

        /** Milliseconds between two checks whether buffered messages can go to the database. */
        @WithDefault("${FILE_BUFFER_FLUSH_MS:100}")
        @Min(1)
        @Max(60000)
        int flushMs();

        /** Buffered messages that go to the database in one call. */
        @WithDefault("${FILE_BUFFER_MAX_BATCH:100}")
        @Min(1)
        @Max(100000)
        int maxBatch();

        /** Messages in one file of the buffer. A file is deleted when all of its messages are in the database. */
        @WithDefault("${FILE_BUFFER_EVENTS_PER_FILE:10000}")
        @Min(1)
        int eventsPerFile();
    }

    /** What the server writes to the console. */
    interface Log {
        String LEVELS = "(?i)trace|debug|info|warn|error";

        /** Lowest level that is written. */
        @WithDefault("${LOG_LEVEL:info}")
        @Pattern(regexp = LEVELS, message = "must be trace, debug, info, warn or error")
        String level();

        /** {@code text} for people, {@code json} for log collectors. */
        @WithDefault("${LOG_FORMAT:text}")
        @Pattern(regexp = "text|json", message = "must be text or json")
        String format();
    }

    /** Spans for a collector of OpenTelemetry. {@code docs/tracing.md} explains them. */
    interface Tracing {
        String ENDPOINTS = "https?://[^/ ]+.*";

        /** Address of the collector. Without it nothing is traced. */
        @WithDefault("${OTEL_EXPORTER_OTLP_ENDPOINT:}")
        Optional<@Pattern(regexp = ENDPOINTS, message = "must begin with http:// or https://") String> endpoint();

        /** How it is spoken to: {@code grpc}, usually at port 4317, or {@code http/protobuf}, usually at 4318. */
        @WithDefault("${OTEL_EXPORTER_OTLP_PROTOCOL:grpc}")
        @Pattern(regexp = "grpc|http/protobuf", message = "must be grpc or http/protobuf")
        String protocol();

        /** Headers for the collector, {@code name=value} with commas between. Never logged. */
        @WithDefault("${OTEL_EXPORTER_OTLP_HEADERS:}")
        Optional<String> headers();

        /** Milliseconds after which the collector is given up for a while. */
        @WithDefault("${OTEL_EXPORTER_OTLP_TIMEOUT:10000}")
        @Min(1)
        int timeout();

        /** Name of this service in the traces. */
        @WithDefault("${OTEL_SERVICE_NAME:queen}")
        String serviceName();

        /** Further attributes of this service, {@code name=value} with commas between. */
        @WithDefault("${OTEL_RESOURCE_ATTRIBUTES:}")
        Optional<String> resourceAttributes();

        /** Which requests are traced. Those that begin with {@code parentbased_} leave it to the caller that has decided. */
        @WithDefault("${OTEL_TRACES_SAMPLER:parentbased_always_on}")
        @Pattern(
                regexp = "(parentbased_)?(always_on|always_off|traceidratio)",
                message = "must be always_on, always_off or traceidratio, with or without parentbased_ before it")
        String sampler();

        /** For {@code traceidratio}: the part of all requests that is traced, 1 for all. */
        @WithDefault("${OTEL_TRACES_SAMPLER_ARG:1.0}")
        @DecimalMin("0")
        double samplerArg();
    }
}
