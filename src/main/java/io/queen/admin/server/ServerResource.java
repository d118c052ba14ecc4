package io.queen.admin.server;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.buffer.BufferFigures;
import io.queen.buffer.BufferStats;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.web.JsonAnswer;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import org.jboss.resteasy.reactive.RestResponse;

/** The server itself, and what clients expect of servers that work in another way. */
@Path("/api/v1")
@Produces("application/json")
final class ServerResource {
    private static final String NOTHING_TO_REFRESH = """
            {"partition":{"partitionsUpdated":0},"queue":{"queuesUpdated":0},"namespace":{"namespacesUpdated":0},\
            "task":{"tasksUpdated":0},"system":{"systemUpdated":0},"cleanup":{"orphanedDeleted":0},\
            "message":"Counters are always live: there was nothing to refresh"}""";

    private final BufferStats buffer;
    private final SharedState state;

    ServerResource(BufferStats buffer, SharedState state) {
        this.buffer = buffer;
        this.state = state;
    }

    /** The file buffer of this server. {@code worker} is always 0: one process is one worker. */
    @RegisterForReflection
    record Buffers(long pending, long failed, boolean dbHealthy, int worker) {}

    @GET
    @Path("/status/buffers")
    public Buffers buffers() {
        BufferFigures figures = buffer.figures();
        return new Buffers(figures.pending(), figures.failedFiles(), figures.databaseHealthy(), 0);
    }

    @GET
    @Path("/system/shared-state")
    public SharedState.Answer sharedState() {
        return state.current();
    }

    @POST
    @Path("/stats/refresh")
    public RestResponse<byte[]> refresh() {
        return JsonAnswer.of(NOTHING_TO_REFRESH);
    }

    @POST
    @Path("/migration/test-connection")
    public Uni<RestResponse<byte[]>> testMigration() {
        return notOffered();
    }

    @POST
    @Path("/migration/start")
    public Uni<RestResponse<byte[]>> startMigration() {
        return notOffered();
    }

    @GET
    @Path("/migration/status")
    public Uni<RestResponse<byte[]>> statusOfMigration() {
        return notOffered();
    }

    @POST
    @Path("/migration/validate")
    public Uni<RestResponse<byte[]>> validateMigration() {
        return notOffered();
    }

    @POST
    @Path("/migration/reset")
    public Uni<RestResponse<byte[]>> resetMigration() {
        return notOffered();
    }

    /** The tools of PostgreSQL copy a database better than a queue server could. */
    private static Uni<RestResponse<byte[]>> notOffered() {
        return Uni.createFrom()
                .failure(new QueenException(
                        ErrorCode.NOT_IMPLEMENTED,
                        "Queen does not copy databases. Everything is in the schema queen: use pg_dump and"
                                + " pg_restore, or PostgreSQL's replication"));
    }
}
