package io.queen.history;

import java.util.List;

/**
 * What a pop brought.
 *
 * @param said what the server told about itself, null when it told nothing
 */
record Catch(List<Batch> batches, Outcome outcome, String said) {}
