package io.queen.message;

/** Whoever keeps messages outside of the database tells here how many. */
public interface BufferReport {
    BufferFigures figures();
}
