package io.queen.admin.server;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.buffer.BufferFigures;
import io.queen.buffer.BufferStats;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;

/** The file buffer of this server. */
@Path("/api/v1/status/buffers")
@Produces("application/json")
final class BufferResource {
    private final BufferStats stats;

    BufferResource(BufferStats stats) {
        this.stats = stats;
    }

    /** {@code worker} is always 0: one process is one worker. */
    @RegisterForReflection
    record Buffers(long pending, long failed, boolean dbHealthy, int worker) {}

    @GET
    public Buffers buffers() {
        BufferFigures figures = stats.figures();
        return new Buffers(figures.pending(), figures.failedFiles(), figures.databaseHealthy(), 0);
    }
}
