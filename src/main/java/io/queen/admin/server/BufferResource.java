package io.queen.admin.server;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.buffer.BufferFigures;
import io.queen.buffer.BufferStats;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The file buffer of this server. */
@Path("/api/v1/status/buffers")
@Tag(name = "System")
@APIResponse(responseCode = "default", ref = "Error")
final class BufferResource {
    private final BufferStats stats;

    BufferResource(BufferStats stats) {
        this.stats = stats;
    }

    /** {@code worker} is always 0: one process is one worker. */
    @RegisterForReflection
    record Buffers(long pending, long failed, boolean dbHealthy, int worker) {}

    @GET
    @Produces("application/json")
    @Operation(
            operationId = "showBuffers",
            summary = "The file buffer",
            description = "Messages that wait on this server's disk for the database, and records that were set aside.")
    @APIResponse(responseCode = "200", description = "Its state")
    public Buffers buffers() {
        BufferFigures figures = stats.figures();
        return new Buffers(figures.pending(), figures.failedFiles(), figures.databaseHealthy(), 0);
    }
}
