package io.queen.push;

import io.queen.metrics.MetricsSection;
import io.queen.metrics.Uptime;
import io.queen.sidecar.Operation;
import io.queen.sidecar.SidecarMetrics;
import jakarta.inject.Singleton;
import java.util.Map;

/** Messages pushed through this server; {@code rate} is per second since the start. */
@Singleton
final class MessageMetrics implements MetricsSection {
    private final SidecarMetrics sidecar;
    private final Uptime uptime;

    MessageMetrics(SidecarMetrics sidecar, Uptime uptime) {
        this.sidecar = sidecar;
        this.uptime = uptime;
    }

    @Override
    public String name() {
        return "messages";
    }

    @Override
    public Map<String, ?> values() {
        long total = sidecar.of(Operation.PUSH).itemCount();
        return Map.of("total", total, "rate", total / Math.max(1, uptime.seconds()));
    }
}
