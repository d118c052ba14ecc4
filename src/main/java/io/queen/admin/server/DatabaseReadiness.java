package io.queen.admin.server;

import io.queen.database.Database;
import io.queen.database.DatabaseCheck;
import io.queen.database.Schema;
import io.queen.metrics.Complaints;
import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Whether the server can serve: its database answers, the schema is in place there, and every event loop has a connection
 * for messages. The check behind {@code /q/health/ready}: a load balancer sends nothing while the database is away.
 */
@Readiness
@Singleton
final class DatabaseReadiness implements AsyncHealthCheck {
    private final DatabaseCheck check;
    private final Database database;
    private final Schema schema;
    private final Complaints complaints;

    DatabaseReadiness(DatabaseCheck check, Database database, Schema schema, Complaints complaints) {
        this.check = check;
        this.database = database;
        this.schema = schema;
        this.complaints = complaints;
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        return answers()
                .map(up -> HealthCheckResponse.named("database").status(up).build());
    }

    /** Whether the database can be used: true or false within two seconds, never a failure. */
    Uni<Boolean> answers() {
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
