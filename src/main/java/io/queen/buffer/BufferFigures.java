package io.queen.buffer;

/**
 * What the file buffer holds.
 *
 * @param pending messages that wait for the database
 * @param failedFiles records that were set aside, each a file, and {@code failedBytes} their size
 * @param healthy whether the disk took what was written last
 * @param databaseHealthy whether PostgreSQL could be reached when it was last tried
 */
public record BufferFigures(
        long pending, long failedFiles, long failedBytes, boolean healthy, boolean databaseHealthy) {}
