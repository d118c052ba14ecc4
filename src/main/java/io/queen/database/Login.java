package io.queen.database;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.config.QueenConfig;
import io.queen.tls.PemPair;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.SslMode;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.postgresql.ssl.DefaultJavaSSLFactory;

/** Where PostgreSQL is, and with which options a connection to it is opened. */
@RegisterForReflection(targets = DefaultJavaSSLFactory.class) // made by its name
@Singleton
final class Login {
    /** Beside the time for TCP, what PostgreSQL may take to start a process and check a password. */
    private static final int LOGIN_MS = 3000;

    private final QueenConfig.Database config;
    private final String jdbcUrl;
    private final String user;
    private final String password;
    private final DatabaseAddress address;

    Login(
            QueenConfig config,
            @ConfigProperty(name = "quarkus.datasource.jdbc.url") String jdbcUrl,
            @ConfigProperty(name = "quarkus.datasource.username") String user,
            @ConfigProperty(name = "quarkus.datasource.password") String password) {
        this.config = config.database();
        this.user = user;
        this.password = password;
        this.address = DatabaseAddress.parse(jdbcUrl);
        this.jdbcUrl = jdbcUrl + jdbcDefaults(address.tls());
    }

    /** By itself JDBC would look for authorities in a file in the user's home, and take every key for one of RSA. */
    private static String jdbcDefaults(DatabaseAddress.Tls tls) {
        String authorities = tls.verified() && tls.authorities() == null
                ? "&sslfactory=" + DefaultJavaSSLFactory.class.getName()
                : "";
        return tls.cert() == null
                ? authorities
                : authorities
                        + "&pemKeyAlgorithm="
                        + PemPair.certificate("PG_SSL_CERT", Path.of(tls.cert()))
                                .getPublicKey()
                                .getAlgorithm();
    }

    DatabaseAddress address() {
        return address;
    }

    String user() {
        return user;
    }

    /** What opening a connection may take. */
    int limitMillis() {
        return config.connectionTimeout() + LOGIN_MS;
    }

    /** For one attempt to migrate. */
    MigrationSessions migrationSessions() {
        return MigrationSessions.unlimited(jdbcUrl, user, password, (limitMillis() + 999) / 1000);
    }

    /** A statement waits no longer than that for a lock. */
    PgConnectOptions options(DatabaseAddress.Host host, String applicationName, int lockTimeoutMillis) {
        PgConnectOptions options = new PgConnectOptions()
                .setHost(host.name())
                .setPort(host.port())
                .setDatabase(address.database())
                .setUser(user)
                .setPassword(password)
                .addProperty("application_name", applicationName);
        options.setMetricsName(applicationName);
        options.setConnectTimeout(config.connectionTimeout()).setTcpKeepAlive(true);
        if (config.pooler()) {
            shareSession(options);
        } else {
            ownSession(options, lockTimeoutMillis);
        }
        if (address.tls().required()) {
            encrypt(options, address.tls());
        }
        return options;
    }

    private static void encrypt(PgConnectOptions options, DatabaseAddress.Tls tls) {
        boolean anyHost = !tls.mode().equals("verify-full");
        options.setSslMode(SslMode.of(tls.mode()))
                .setTrustAll(!tls.verified())
                .setHostnameVerificationAlgorithm(anyHost ? "" : "HTTPS");
        if (tls.authorities() != null) {
            options.setPemTrustOptions(new PemTrustOptions().addCertPath(tls.authorities()));
        }
        if (tls.cert() != null) {
            options.setPemKeyCertOptions(
                    new PemKeyCertOptions().addCertPath(tls.cert()).addKeyPath(tls.key()));
        }
    }

    /**
     * Through a pooler in transaction mode (PgBouncer's {@code pool_mode = transaction}) the session behind the connection
     * may change between two statements. So a statement is parsed again wherever it runs, and nothing is set for a
     * session: timeouts and the like are those of the role.
     */
    private static void shareSession(PgConnectOptions options) {
        options.setUseLayer7Proxy(true).setCachePreparedStatements(false);
    }

    private void ownSession(PgConnectOptions options, int lockTimeoutMillis) {
        options.setCachePreparedStatements(true)
                .addProperty("statement_timeout", Integer.toString(config.statementTimeout()))
                .addProperty("lock_timeout", Integer.toString(lockTimeout(lockTimeoutMillis)))
                .addProperty("search_path", "queen");
    }

    /** What the connection wants, or what is configured if that is less; to PostgreSQL 0 is for ever. */
    private int lockTimeout(int wantedMillis) {
        return config.lockTimeout() == 0 ? wantedMillis : Math.min(wantedMillis, config.lockTimeout());
    }
}
