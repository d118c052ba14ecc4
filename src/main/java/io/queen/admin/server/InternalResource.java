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

/** For other servers and for operators: what is known of servers, and news by hand. */
@Path("/internal/api")
@Produces("application/json")
final class InternalResource {
    private final SharedStates states;
    private final ReadyIndex index;

    InternalResource(SharedStates states, ReadyIndex index) {
        this.states = states;
        this.index = index;
    }

    /** The answer to a notice. */
    @RegisterForReflection
    record Noticed(String status) {}

    @GET
    @Path("/shared-state/stats")
    public SharedState sharedStateStats() {
        return states.current();
    }

    @GET
    @Path("/inter-instance/stats")
    public SharedState interInstanceStats() {
        return states.current();
    }

    @POST
    @Path("/notify")
    public Noticed notice(byte[] body) {
        index.wake(JsonBody.read(body, InternalResource::queue));
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
