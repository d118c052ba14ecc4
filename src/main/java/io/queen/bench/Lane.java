package io.queen.bench;

/** What one connection does, turn after turn. Each connection has its own; called on its event loop only. */
interface Lane {
    /** What must have happened before the turn and is not measured; then calls {@code ready}, or fails the turn. */
    default void prepare(Wire wire, Turn turn, Runnable ready) {
        ready.run();
    }

    /** What is measured; tells the turn how it ended, once. */
    void run(Wire wire, Turn turn);
}
