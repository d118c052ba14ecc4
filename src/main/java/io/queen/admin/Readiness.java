package io.queen.admin;

import io.queen.store.DatabaseCheck;
import io.queen.store.Schema;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/** Whether the server can serve: its database answers, and the schema is in place there. */
@Singleton
public final class Readiness {
    private static final Logger LOG = Logger.getLogger(Readiness.class);

    private final DatabaseCheck database;
    private final Schema schema;

    Readiness(DatabaseCheck database, Schema schema) {
        this.database = database;
        this.schema = schema;
    }

    /** Whether the database can be used: true or false within two seconds, never a failure. */
    public Uni<Boolean> databaseAnswers() {
        if (!schema.ready()) {
            return Uni.createFrom().item(false);
        }
        return database.answers()
                .replaceWith(true)
                .onFailure()
                .invoke(failure -> LOG.debugf(failure, "The database does not answer"))
                .onFailure()
                .recoverWithItem(false);
    }
}
