package io.queen.pop.ready;

import java.time.OffsetDateTime;

/**
 * Something that an operator holds back: pops of it get nothing.
 *
 * @param group null for the whole queue
 */
public record Pause(String queue, String group, OffsetDateTime since) {}
