package io.queen.admin.server;

import io.smallrye.health.api.AsyncHealthCheck;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheckResponse;

/** The check behind {@code /q/health/ready}: a load balancer sends nothing while the database is away. */
@org.eclipse.microprofile.health.Readiness
@Singleton
final class DatabaseReadiness implements AsyncHealthCheck {
    private final Readiness readiness;

    DatabaseReadiness(Readiness readiness) {
        this.readiness = readiness;
    }

    @Override
    public Uni<HealthCheckResponse> call() {
        return readiness
                .databaseAnswers()
                .map(answers ->
                        HealthCheckResponse.named("database").status(answers).build());
    }
}
