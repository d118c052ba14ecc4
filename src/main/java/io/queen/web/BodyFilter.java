package io.queen.web;

import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.ext.Provider;
import java.io.ByteArrayInputStream;
import org.jboss.resteasy.reactive.server.core.ResteasyReactiveRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestContext;
import org.jboss.resteasy.reactive.server.spi.ResteasyReactiveContainerRequestFilter;

/** Hands the body that {@link BodyReceiver} took in to the resources; its memory is given back when the answer is made. */
@Provider
@PreMatching
public final class BodyFilter implements ResteasyReactiveContainerRequestFilter {
    private static final byte[] NONE = {};

    /** A body that is read at once, as all resources do, is handed over and not copied. */
    private static final class Body extends ByteArrayInputStream {
        Body(byte[] bytes) {
            super(bytes);
        }

        @Override
        public synchronized byte[] readAllBytes() {
            if (pos > 0) {
                return super.readAllBytes();
            }
            pos = count;
            return buf;
        }
    }

    /** The body once more, for what looks at it after the resource; empty when there was none. */
    public static byte[] again(ResteasyReactiveRequestContext context) {
        if (context.hasInputStream() && context.getInputStream() instanceof Body body) {
            body.reset();
            return body.readAllBytes();
        }
        return NONE;
    }

    @Override
    public void filter(ResteasyReactiveContainerRequestContext request) {
        var context = (ResteasyReactiveRequestContext) request.getServerRequestContext();
        IncomingBody body = IncomingBody.takeFrom(context.unwrap(RoutingContext.class));
        if (body != null) {
            context.setInputStream(new Body(body.bytes()));
            context.registerCompletionCallback(body);
        }
    }
}
