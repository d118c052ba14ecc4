package io.queen.store;

import java.util.UUID;

/**
 * The answer of {@code push_list_v1}.
 *
 * @param missing a partition is gone, nothing was stored
 * @param duplicates the items (from 1) that were stored before, and {@code storedIds} the ids they have
 */
public record PushAnswer(boolean missing, Integer[] duplicates, UUID[] storedIds) {}
