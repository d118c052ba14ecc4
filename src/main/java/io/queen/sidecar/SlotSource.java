package io.queen.sidecar;

import io.queen.message.QueenException;

/** Where the batch engine gets its connections from. */
interface SlotSource {
    /** One with a connection that is not in use; null when there is none. */
    Slot free();

    /** What to tell callers while PostgreSQL is away; null while it is there. */
    QueenException unavailable();
}
