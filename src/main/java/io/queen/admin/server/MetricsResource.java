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

/** The state of this server as JSON. Prometheus reads {@code /metrics/prometheus}, which Micrometer serves. */
@Path("/metrics")
@Produces("application/json")
final class MetricsResource {
    private final Uptime uptime;
    private final List<MetricsSection> sections;

    MetricsResource(Uptime uptime, @All List<MetricsSection> sections) {
        this.uptime = uptime;
        this.sections = sections;
    }

    @GET
    public Map<String, Object> metrics() {
        Map<String, Object> answer = new TreeMap<>();
        answer.put("uptime", uptime.seconds());
        sections.forEach(section -> answer.put(section.name(), section.values()));
        return answer;
    }
}
