package io.queen.admin;

import io.queen.store.DatabaseCheck;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/** Whether the server can serve: its database answers. */
@Singleton
public final class Readiness {
    private static final Logger LOG = Logger.getLogger(Readiness.class);

    private final DatabaseCheck database;

    Readiness(DatabaseCheck database) {
        this.database = database;
    }

    /** True or false within two seconds, never a failure. */
    public Uni<Boolean> databaseAnswers() {
        return database.answers()
                .replaceWith(true)
                .onFailure()
                .invoke(failure -> LOG.debugf(failure, "The database does not answer"))
                .onFailure()
                .recoverWithItem(false);
    }
}
