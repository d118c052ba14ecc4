package io.queen.sidecar;

import io.queen.database.Connection;
import io.smallrye.mutiny.Uni;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What an operation does with a batch of requests.
 *
 * @param <Q> a request
 * @param <A> its answer
 */
public interface BatchOperation<Q, A> {
    Operation kind();

    /** Whether each request is a call of its own. */
    default boolean alone() {
        return false;
    }

    /** How many items a request has: it counts against the limit of a batch. */
    default int items(Q request) {
        return 1;
    }

    /** How many items an answered request had, for the metrics. */
    default int items(Q request, A answer) {
        return items(request);
    }

    /** About how many bytes a request has; without payloads an item has no more than this. */
    default long bytes(Q request) {
        return 256L * items(request);
    }

    /** What a request has to lock: known before it is sent, and asked for only while another transaction holds something. */
    Set<LockKey> locks(Q request);

    /** What to answer to a request that can't get a lock which {@link #locks} does not know; empty to try again. */
    default Optional<A> whileLocked(Q request) {
        return Optional.empty();
    }

    /**
     * Runs the batch and answers each request, in order. A failure is that of the whole call.
     *
     * @param again the batch was sent before and the connection died: it may have been applied
     */
    Uni<List<A>> run(Connection connection, List<Q> requests, boolean again);

    /**
     * Runs the statements of the operation once on a new connection, about things that do not exist: PostgreSQL compiles
     * functions and makes plans per connection, and the first request should not pay for that. Nothing is written.
     */
    default Uni<Void> warmUp(Connection connection) {
        return Uni.createFrom().voidItem();
    }
}
