package io.queen.admin.server;

import io.queen.database.Database;
import io.queen.database.DatabaseCheck;
import io.queen.database.Schema;
import io.queen.metrics.Complaints;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;

/**
 * Whether the server can serve: its database answers, the schema is in place there, and every event loop has a connection
 * for messages.
 */
@Singleton
public final class Readiness {
    private final DatabaseCheck check;
    private final Database database;
    private final Schema schema;
    private final Complaints complaints;

    Readiness(DatabaseCheck check, Database database, Schema schema, Complaints complaints) {
        this.complaints = complaints;
        this.check = check;
        this.database = database;
        this.schema = schema;
    }

    /** Whether the database can be used: true or false within two seconds, never a failure. */
    public Uni<Boolean> databaseAnswers() {
        if (!schema.ready() || !database.messagesServed()) {
            return Uni.createFrom().item(false);
        }
        return check.answers()
                .replaceWith(true)
                .onFailure()
                .invoke(failure -> complaints.failed("The database does not answer a health check", failure))
                .onFailure()
                .recoverWithItem(false);
    }
}
