package io.queen.admin.server;

import com.fasterxml.jackson.core.JsonToken;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.message.QueenException;
import io.queen.pop.ready.ReadyIndex;
import io.queen.web.JsonBody;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.io.IOException;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.media.Content;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.RequestBody;
import org.eclipse.microprofile.openapi.annotations.responses.APIResponse;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** For other servers and for operators: what is known of servers, and news by hand. */
@Path("/internal/api")
@Tag(name = "System")
@APIResponse(responseCode = "default", ref = "Error")
final class InternalResource {
    private final SharedStates states;
    private final ReadyIndex rings;

    InternalResource(SharedStates states, ReadyIndex rings) {
        this.states = states;
        this.rings = rings;
    }

    /** News that the server can't have heard of by itself. */
    record Notice(@Schema(required = true) String queue, String partition) {}

    /** The answer to a notice. */
    @RegisterForReflection
    record Noticed(String status) {}

    @GET
    @Path("/shared-state/stats")
    @Produces("application/json")
    @Operation(operationId = "sharedStateStats", summary = "The same as /api/v1/system/shared-state")
    @APIResponse(responseCode = "200", description = "From memory, a few seconds old at most")
    public SharedState sharedStateStats() {
        return states.current();
    }

    @GET
    @Path("/inter-instance/stats")
    @Produces("application/json")
    @Operation(operationId = "interInstanceStats", summary = "The same as /api/v1/system/shared-state")
    @APIResponse(responseCode = "200", description = "From memory, a few seconds old at most")
    public SharedState interInstanceStats() {
        return states.current();
    }

    @POST
    @Path("/notify")
    @Produces("application/json")
    @Operation(
            operationId = "notifyQueue",
            summary = "Let the waiting pops of a queue look now",
            description = "For who pushes by SQL and can't wait the second after which they look by themselves."
                    + " `partition` is accepted and not needed.")
    @RequestBody(content = @Content(mediaType = "application/json", schema = @Schema(implementation = Notice.class)))
    @APIResponse(responseCode = "200", description = "They look")
    @APIResponse(responseCode = "400", ref = "Error")
    public Noticed notice(byte[] body) {
        rings.stir(JsonBody.read(body, InternalResource::queue));
        return new Noticed("ok");
    }

    private static String queue(JsonBody body) throws IOException {
        String queue = null;
        boolean object = body.current() == JsonToken.START_OBJECT;
        for (String name = object ? body.nextField() : null; name != null; name = body.nextField()) {
            switch (name) {
                case "queue" -> queue = body.name("queue");
                case "partition" -> partition(body);
                default -> body.unknown("", name);
            }
        }
        if (queue == null) {
            throw QueenException.missing("queue");
        }
        return queue;
    }

    private static void partition(JsonBody body) throws IOException {
        if (!body.isNull()) {
            body.name("partition");
        }
    }
}
