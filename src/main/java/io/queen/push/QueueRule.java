package io.queen.push;

/**
 * What a push must know of a queue.
 *
 * @param encrypted payloads are to be encrypted
 * @param limited it has a {@code maxSize}
 */
public record QueueRule(boolean encrypted, boolean limited) {}
