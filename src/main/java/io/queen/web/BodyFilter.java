package io.queen.web;

import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.ext.Provider;
import java.io.ByteArrayInputStream;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestFilter;

/** Hands the body that {@link Arrivals} took in to the resources; its room is given back when the answer is made. */
@Provider
@PreMatching
final class BodyFilter implements ResteasyReactiveContainerRequestFilter {

    /** The whole body, whose bytes can be had as they are. */
    static final class Whole extends ByteArrayInputStream {
        Whole(byte[] bytes) {
            super(bytes);
        }

        byte[] bytes() {
            return buf;
        }
    }

    @Override
    public void filter(ResteasyReactiveContainerRequestContext request) {
        var context = (ResteasyReactiveRequestContext) request.getServerRequestContext();
        Arrival body = Arrival.takeFrom(context.unwrap(RoutingContext.class));
        if (body != null) {
            context.setInputStream(new Whole(body.bytes()));
            context.registerCompletionCallback(body);
        }
    }
}
