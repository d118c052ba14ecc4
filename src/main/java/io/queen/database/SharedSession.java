package io.queen.database;

import io.vertx.pgclient.PgConnectOptions;

/**
 * Connections through a pooler in transaction mode, PgBouncer's {@code pool_mode = transaction}: between two statements
 * the session behind the connection may change. So a statement is parsed again wherever it runs, and nothing is set for
 * a session: timeouts and the like are those of the role.
 */
final class SharedSession {
    private SharedSession() {}

    static void apply(PgConnectOptions options) {
        options.setUseLayer7Proxy(true).setCachePreparedStatements(false);
    }
}
