package io.queen.bench;

/** Called once per request, on the event loop of the connection. */
interface Reply {
    void answered(Answer answer);
}
