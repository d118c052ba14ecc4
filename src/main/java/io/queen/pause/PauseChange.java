package io.queen.pause;

import java.time.OffsetDateTime;

/**
 * What became of the wish to pause or to resume.
 *
 * @param known false when there is no such queue: nothing happened
 * @param full too many pauses are in force: nothing happened
 * @param changed whether it was different before
 * @param since since when it is paused, null when it is not
 */
public record PauseChange(boolean known, boolean full, boolean changed, OffsetDateTime since) {}
