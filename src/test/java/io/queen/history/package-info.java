/**
 * The test that nothing is lost. {@link io.queen.history.Workload} lets many producers and consumers loose on an
 * {@link io.queen.history.Installation} of two servers and a PostgreSQL, {@link io.queen.history.Faults} break it, and
 * {@link io.queen.history.History} keeps every operation with its answer. When all is healed and consumed,
 * {@link io.queen.history.Checker} holds the promises of the design against that history and against the tables.
 *
 * <p>What was not answered may have happened or not: the rules know, for every operation, from when it can have had its
 * effect (its start) and from when it must have had it (the end of an answer), and say nothing about the time between.
 */
package io.queen.history;
