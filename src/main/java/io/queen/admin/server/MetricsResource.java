package io.queen.admin.server;

import io.quarkus.arc.All;
import io.queen.metrics.MetricsSection;
import io.queen.metrics.Uptime;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The state of this server as JSON. Prometheus reads {@code /metrics/prometheus}, which Micrometer serves. */
@Path("/metrics")
@Tag(name = "System")
final class MetricsResource {
    private final Uptime uptime;
    private final List<MetricsSection> sections;

    MetricsResource(Uptime uptime, @All List<MetricsSection> sections) {
        this.uptime = uptime;
        this.sections = sections;
    }

    @GET
    @Produces("application/json")
    @Operation(
            operationId = "metrics",
            summary = "The state of this server",
            description = "For Prometheus see /metrics/prometheus.")
    @APIResponse(responseCode = "200", description = "One member for each part of the server")
    public Map<String, Object> metrics() {
        Map<String, Object> answer = new TreeMap<>();
        answer.put("uptime", uptime.seconds());
        sections.forEach(section -> answer.put(section.name(), section.values()));
        return answer;
    }
}
