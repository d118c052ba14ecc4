package io.queen.message;

/**
 * What the file buffer holds.
 *
 * @param pending messages that wait for the database
 * @param failed messages that the database refused, set aside
 * @param failedFiles files that hold those, and {@code failedBytes} their size
 * @param healthy false while the database can't take what waits
 */
public record BufferFigures(long pending, long failed, long failedFiles, long failedBytes, boolean healthy) {
    /** Nothing waits, nothing failed. */
    public static final BufferFigures EMPTY = new BufferFigures(0, 0, 0, 0, true);
}
