package io.queen.pop;

import io.vertx.ext.web.RoutingContext;

/** Tells when the client of a pop has gone away. */
public interface ClientGone {
    /** For clients whose leaving is not watched. */
    ClientGone NEVER = action -> {};

    /** For the client that sent the request: gone when its answer did not get through. */
    static ClientGone of(RoutingContext context) {
        return action -> context.addEndHandler(ended -> {
            if (ended.failed()) {
                action.run();
            }
        });
    }

    /** Runs the action when the client leaves, on the event loop of its connection. */
    void then(Runnable action);
}
