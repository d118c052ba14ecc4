package io.queen.bench;

/**
 * One measurement of one scenario on one server.
 *
 * @param missed requests that were due and never sent, because the server did not keep up with the rate
 */
record Round(Counts counts, ResourceUsage spent, long missed) {}
