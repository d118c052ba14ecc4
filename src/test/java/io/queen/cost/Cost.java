package io.queen.cost;

/**
 * What one request costs. Each statement is one round trip: nothing is pipelined, and BEGIN and COMMIT count.
 *
 * @param walBytes log that the statements wrote, without that of the commit
 * @param buffers pages of tables and indexes looked at, found in memory or not
 * @param allocatedBytes Java memory taken by the event loop
 */
record Cost(long statements, double walBytes, double buffers, double allocatedBytes) {

    /** Figure by figure: what else happened meanwhile only ever adds. */
    Cost least(Cost other) {
        return new Cost(
                Math.min(statements, other.statements),
                Math.min(walBytes, other.walBytes),
                Math.min(buffers, other.buffers),
                Math.min(allocatedBytes, other.allocatedBytes));
    }
}
