package io.queen.pop;

/** Tells when the client of a pop has gone away. */
public interface ClientGone {
    /** For clients whose leaving is not watched. */
    ClientGone NEVER = action -> {};

    /** Runs the action when the client leaves, on the event loop of its connection. */
    void then(Runnable action);
}
