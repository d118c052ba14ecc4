package io.queen.security;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.config.QueenConfig;
import io.queen.web.TimeFormat;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;

/** Who the caller is, as the server understands its token. */
@Path("/api/v1/me")
@Produces("application/json")
final class MeResource {
    private final boolean tokens;

    MeResource(QueenConfig config) {
        this.tokens = config.jwt().enabled();
    }

    /**
     * The answer.
     *
     * @param tokens whether the server asks for tokens
     * @param queues null when the token is for all queues
     */
    @RegisterForReflection
    record Me(boolean tokens, String subject, String level, Queues queues, String expiresAt) {}

    /** Names of queues, and beginnings of names with a star at the end, as the token has them. */
    @RegisterForReflection
    record Queues(List<String> produce, List<String> consume, List<String> manage) {

        private static Queues of(Rights rights) {
            return new Queues(
                    rights.of(Right.PRODUCE).texts(),
                    rights.of(Right.CONSUME).texts(),
                    rights.of(Right.MANAGE).texts());
        }
    }

    @GET
    public Me me(@Context RoutingContext context) {
        Caller caller = Caller.of(context);
        return new Me(
                tokens,
                caller.subject(),
                caller.level().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                caller.rights() == Rights.ALL ? null : Queues.of(caller.rights()),
                caller.expiresAt() == null
                        ? null
                        : TimeFormat.millis(caller.expiresAt().atOffset(ZoneOffset.UTC)));
    }
}
