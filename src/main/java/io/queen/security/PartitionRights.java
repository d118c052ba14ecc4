package io.queen.security;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Rights of requests that name partitions by their ids, acks for example. Which queue an id belongs to is asked once and
 * never changes: an id is not given again. For a caller with all queues nothing is asked. An id of no partition passes, so
 * that the operation says in its own way that there is none.
 */
@Singleton
public final class PartitionRights {
    private static final int MAX_KNOWN = 100_000;

    private final PartitionQueueStore store;
    private final Cache<UUID, String> queues =
            Caffeine.newBuilder().maximumSize(MAX_KNOWN).build();

    PartitionRights(PartitionQueueStore store) {
        this.store = store;
    }

    /** Runs the operation when the caller has the right on the queue of the partition. */
    public <T> Uni<T> check(Caller caller, Right right, UUID partitionId, Supplier<Uni<T>> operation) {
        return check(caller, right, List.of(partitionId), Function.identity(), operation);
    }

    /** Runs the operation when the caller has the right on the queues of the partitions of all items. */
    public <I, T> Uni<T> check(
            Caller caller, Right right, List<I> items, Function<I, UUID> partitionId, Supplier<Uni<T>> operation) {
        if (caller.hasOnAll(right)) {
            return operation.get();
        }
        Set<UUID> unknown = new HashSet<>();
        for (I item : items) {
            UUID id = partitionId.apply(item);
            String queue = queues.getIfPresent(id);
            if (queue == null) {
                unknown.add(id);
            } else {
                caller.require(right, queue);
            }
        }
        return unknown.isEmpty()
                ? operation.get()
                : store.queues(unknown)
                        .invoke(found -> found.forEach(each -> queues.put(each.partitionId(), each.queue())))
                        .invoke(found -> found.forEach(each -> caller.require(right, each.queue())))
                        .flatMap(allowed -> operation.get());
    }
}
