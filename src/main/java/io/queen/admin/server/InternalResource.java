package io.queen.admin.server;

import com.fasterxml.jackson.core.JsonToken;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.message.QueenException;
import io.queen.pop.ready.LocalNews;
import io.queen.web.JsonBody;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import java.io.IOException;

/** For other servers and for operators: what servers know of each other, and news by hand. */
@Path("/internal/api")
@Produces("application/json")
final class InternalResource {
    private final SharedState state;
    private final LocalNews pops;

    InternalResource(SharedState state, LocalNews pops) {
        this.state = state;
        this.pops = pops;
    }

    /** The answer to a notice. */
    @RegisterForReflection
    record Noticed(String status) {}

    @GET
    @Path("/shared-state/stats")
    public SharedState.Answer sharedStateStats() {
        return state.current();
    }

    @GET
    @Path("/inter-instance/stats")
    public SharedState.Answer interInstanceStats() {
        return state.current();
    }

    @POST
    @Path("/notify")
    public Noticed notice(byte[] body) {
        pops.wake(JsonBody.read(body, InternalResource::queue));
        return new Noticed("ok");
    }

    private static String queue(JsonBody body) throws IOException {
        String queue = null;
        boolean object = body.current() == JsonToken.START_OBJECT;
        for (String name = object ? body.nextField() : null; name != null; name = body.nextField()) {
            if (name.equals("queue")) {
                queue = body.name(name);
            } else if (!name.equals("partition")) {
                body.unknown("", name);
            } else if (!body.isNull()) {
                body.name(name);
            }
        }
        if (queue == null) {
            throw QueenException.missing("queue");
        }
        return queue;
    }
}
