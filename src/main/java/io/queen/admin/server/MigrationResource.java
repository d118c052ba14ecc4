package io.queen.admin.server;

import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import org.jboss.resteasy.reactive.RestResponse;

/** Copying a database to another: not offered, because the tools of PostgreSQL do it better than a queue server could. */
@Path("/api/v1/migration")
@Produces("application/json")
final class MigrationResource {
    @POST
    @Path("/test-connection")
    public Uni<RestResponse<byte[]>> testConnection() {
        return notOffered();
    }

    @POST
    @Path("/start")
    public Uni<RestResponse<byte[]>> start() {
        return notOffered();
    }

    @GET
    @Path("/status")
    public Uni<RestResponse<byte[]>> status() {
        return notOffered();
    }

    @POST
    @Path("/validate")
    public Uni<RestResponse<byte[]>> validate() {
        return notOffered();
    }

    @POST
    @Path("/reset")
    public Uni<RestResponse<byte[]>> reset() {
        return notOffered();
    }

    private static Uni<RestResponse<byte[]>> notOffered() {
        return Uni.createFrom()
                .failure(new QueenException(
                        ErrorCode.NOT_IMPLEMENTED,
                        "Queen does not copy databases. Everything is in the schema queen: use pg_dump and"
                                + " pg_restore, or PostgreSQL's replication"));
    }
}
