package io.queen.pause;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.pause.PauseStore.Change;
import io.queen.pop.ready.Pause;
import io.queen.security.Caller;
import io.queen.security.Right;
import io.queen.web.TimeFormat;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import java.util.List;

/** What is paused. */
@Path("/api/v1/pauses")
@Produces("application/json")
final class PauseResource {
    private final PauseKeeper pauses;

    PauseResource(PauseKeeper pauses) {
        this.pauses = pauses;
    }

    /** The answer to a change. */
    @RegisterForReflection
    record Changed(
            boolean success, String queue, String consumerGroup, boolean paused, boolean changed, String pausedAt) {
        static Changed of(String queue, String group, boolean paused, Change change) {
            if (!change.known()) {
                throw QueenException.queueNotFound(queue);
            }
            if (change.full()) {
                throw new QueenException(ErrorCode.CONFLICT, "1,000 pauses are in force, resume others first");
            }
            String since = change.since() == null ? null : TimeFormat.millis(change.since());
            return new Changed(true, queue, group, paused, change.changed(), since);
        }
    }

    /** A pause that is in force. */
    @RegisterForReflection
    record Paused(String queue, String consumerGroup, String pausedAt) {
        private static Paused of(Pause pause) {
            return new Paused(pause.queue(), pause.group(), TimeFormat.millis(pause.since()));
        }
    }

    /** All of them. */
    @RegisterForReflection
    record All(List<Paused> pauses) {}

    @GET
    public Uni<All> list(@Context RoutingContext context) {
        Caller caller = Caller.of(context);
        return pauses.list()
                .map(found -> new All(found.stream()
                        .filter(pause -> caller.has(Right.SEE, pause.queue()))
                        .map(Paused::of)
                        .toList()));
    }
}
