package io.queen.web;

import io.queen.message.QueenException;
import io.vertx.ext.web.RoutingContext;
import java.util.Optional;

/** Decides whether a request may go on, from its head alone: a request that is refused has its body not taken in. */
public interface RequestGate {
    /** Calls one of the door's methods, at once or later, on the event loop of the request. */
    void ask(RoutingContext context, Door door);

    /** For requests of this server to itself while it starts: a token that opens all for a moment; empty when none is asked for. */
    Optional<String> tokenOfThisServer();

    /** What comes behind the gate. */
    interface Door {
        void open(RoutingContext context);

        /** What the answer needs beside its body, a challenge for example, is set in the response before. */
        void refuse(RoutingContext context, QueenException reason);
    }
}
