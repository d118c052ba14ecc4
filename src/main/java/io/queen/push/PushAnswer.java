package io.queen.push;

import java.util.UUID;

/**
 * The answer of {@code push_list_v1} and {@code push_limited_v1}. Items count from 1; arrays are null for none.
 *
 * @param missing a partition is gone, nothing was stored
 * @param duplicates the items that were stored before, and {@code storedIds} the ids they have
 * @param refused the items that were not stored, and {@code refusals} why
 */
public record PushAnswer(
        boolean missing, Integer[] duplicates, UUID[] storedIds, Integer[] refused, String[] refusals) {}
