package io.queen.pop.ready;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.queen.config.QueenConfig;
import io.queen.message.PartitionName;
import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import io.queen.runtime.Timers;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The ready partitions of all queues and groups, and the places where pops wait. What no request asked for in a while is
 * forgotten: it is only a memory.
 */
@Singleton
public final class ReadyIndex {
    private static final Duration IDLE = Duration.ofMinutes(10);

    private record FilterKey(PopTarget.Filter filter, String group) {}

    private final Supplier<WaitList> newWaitList;
    private final Pauses pauses;
    private final Cache<String, Map<String, ReadyPartitions>> queues = cache();
    private final Cache<PartitionName, Map<String, WaitList>> partitions = cache();
    private final Cache<FilterKey, FilterWaiters> filters = cache();

    @Inject
    ReadyIndex(Vertx vertx, QueenConfig config, PopMetrics metrics, Pauses pauses) {
        this(() -> new WaitList(Timers.of(vertx), ProbeSchedule.of(config.pop()), metrics), pauses);
    }

    ReadyIndex(Supplier<WaitList> newWaitList, Pauses pauses) {
        this.newWaitList = newWaitList;
        this.pauses = pauses;
    }

    private static <K, V> Cache<K, V> cache() {
        return Caffeine.newBuilder().expireAfterAccess(IDLE).build();
    }

    public ReadyPartitions of(String queue, String group) {
        return queues.get(queue, name -> new ConcurrentHashMap<>())
                .computeIfAbsent(group, name -> new ReadyPartitions(queue, group, newWaitList.get()));
    }

    /** Where pops of several queues wait. */
    public FilterWaiters of(PopTarget.Filter filter, String group) {
        return filters.get(
                new FilterKey(filter, group),
                key -> new FilterWaiters(filter, group, newWaitList.get(), queue -> pauses.holds(queue, group)));
    }

    /** Of those queues that are not paused. */
    public List<ReadyPartitions> of(List<String> names, String group) {
        return names.stream()
                .filter(queue -> !pauses.holds(queue, group))
                .map(queue -> of(queue, group))
                .toList();
    }

    /** Whether the pop gets nothing because an operator holds back all that it may take from, as far as is known. */
    public boolean isPaused(PopRequest request) {
        return !pauses.isEmpty()
                && (request.target() instanceof PopTarget.Filter filter
                        ? of(filter, request.consumerGroup()).isPaused()
                        : pauses.holds(request));
    }

    /** Where pops like this wait. */
    public WaitList waitList(PopRequest request) {
        String group = request.consumerGroup();
        if (request.target() instanceof PopTarget.Queue queue) {
            return of(queue.queue(), group).waitList();
        }
        if (request.target() instanceof PopTarget.Filter filter) {
            return of(filter, group).waitList();
        }
        return partitions
                .get(((PopTarget.Partition) request.target()).name(), name -> new ConcurrentHashMap<>())
                .computeIfAbsent(group, name -> newWaitList.get());
    }

    /** Lets the pop wait, unless news came since they were {@code seen}. While it is paused, what is ready is not for it. */
    public boolean park(PopRequest request, boolean paused, Waiter waiter, long seen) {
        return (!paused && request.target() instanceof PopTarget.Queue queue)
                ? of(queue.queue(), request.consumerGroup()).park(waiter, seen, System.nanoTime())
                : waitList(request).park(waiter, seen);
    }

    /** By queue, then by group. */
    Map<String, Map<String, ReadyPartitions>> queues() {
        return queues.asMap();
    }

    /** Where pops of a named partition wait: by that, then by group. */
    Map<PartitionName, Map<String, WaitList>> partitions() {
        return partitions.asMap();
    }

    /** Where pops of several queues wait. */
    Collection<FilterWaiters> filters() {
        return filters.asMap().values();
    }
}
