/**
 * Streams: queries that keep state, and their cycles. A worker pops messages, reads the state of their partition, computes, and
 * commits one cycle: new state, results pushed into sinks, and the ack of what it popped, all or nothing.
 *
 * <p>A cycle goes the way of a transaction: {@code CycleReader} reads it, {@code Cycles} hands it to the sidecar, {@code
 * CycleOperation} makes one call of those that meet. {@code stream_partitions} has a row per query and partition, whose
 * lock makes their cycles go one after the other.
 */
package io.queen.stream;
