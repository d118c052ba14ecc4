package io.queen.database;

import io.quarkus.runtime.StartupEvent;
import io.queen.config.QueenConfig;
import io.queen.metrics.Complaints;
import io.vertx.mutiny.sqlclient.Row;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.function.Function;
import org.jboss.logging.Logger;

/**
 * Behind a pooler the server can't set timeouts for its sessions, so the role must have them. Says so in the log when it
 * has none: a transaction outside that holds a partition would keep pushes waiting for as long as it likes.
 */
@Singleton
final class RoleTimeouts {
    private static final Logger LOG = Logger.getLogger(RoleTimeouts.class);
    private static final String TIMEOUTS =
            "select current_setting('lock_timeout'), current_setting('statement_timeout')";

    private final Database database;
    private final Login login;
    private final Schema schema;
    private final boolean pooler;
    private final Complaints complaints;

    RoleTimeouts(Database database, Login login, Schema schema, QueenConfig config, Complaints complaints) {
        this.complaints = complaints;
        this.database = database;
        this.login = login;
        this.schema = schema;
        this.pooler = config.database().pooler();
    }

    void check(@Observes StartupEvent event) {
        if (pooler) {
            schema.onReady(() -> database.one(TIMEOUTS, Function.identity())
                    .subscribe()
                    .with(
                            this::judge,
                            failure -> complaints.failed("The timeouts of the role are not known", failure)));
        }
    }

    private void judge(Row row) {
        if ("0".equals(row.getString(0)) || "0".equals(row.getString(1))) {
            LOG.warnf(
                    "Through the pooler the role %1$s has lock_timeout %2$s and statement_timeout %3$s (0 is none)."
                            + " Run: alter role %1$s set lock_timeout = '1s'; alter role %1$s set statement_timeout = '30s';",
                    login.user(), row.getString(0), row.getString(1));
        }
    }
}
