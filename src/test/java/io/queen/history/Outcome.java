package io.queen.history;

/** What the client was told. */
enum Outcome {
    /** Done. */
    APPLIED,
    /** A push that found its message stored. */
    DUPLICATE,
    /** A push that was written to the file buffer. */
    BUFFERED,
    /** A pop that found nothing. */
    EMPTY,
    /** Not done, and never will be. */
    REFUSED,
    /** No answer, or one that leaves it open. */
    UNKNOWN;

    /** The message is in the database, or will be. */
    boolean stored() {
        return this == APPLIED || this == DUPLICATE || this == BUFFERED;
    }

    boolean maybeApplied() {
        return this == APPLIED || this == UNKNOWN;
    }
}
