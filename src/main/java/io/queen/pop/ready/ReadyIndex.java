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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The ready partitions of all queues and groups, and the places where pops wait. What no request asked for in a while is
 * forgotten: it is only a memory.
 */
@Singleton
public final class ReadyIndex {
    private static final Duration IDLE = Duration.ofMinutes(10);

    private record FilterKey(PopTarget.Filter filter, String group) {}

    private final Timers timers;
    private final ProbeSchedule schedule;
    private final PopMetrics metrics;
    private final Pauses pauses;
    /** By queue, then by group. */
    private final Cache<String, Map<String, ReadyPartitions>> queues = cache();
    /** Of pops that name a partition: by that, then by group. */
    private final Cache<PartitionName, Map<String, WaitList>> partitions = cache();

    private final Cache<FilterKey, FilterWaiters> filters = cache();

    @Inject
    ReadyIndex(Vertx vertx, QueenConfig config, PopMetrics metrics, Pauses pauses) {
        this(Timers.of(vertx), ProbeSchedule.of(config.pop()), metrics, pauses);
    }

    ReadyIndex(Timers timers, ProbeSchedule schedule, PopMetrics metrics, Pauses pauses) {
        this.timers = timers;
        this.schedule = schedule;
        this.metrics = metrics;
        this.pauses = pauses;
    }

    private static <K, V> Cache<K, V> cache() {
        return Caffeine.newBuilder().expireAfterAccess(IDLE).build();
    }

    public ReadyPartitions of(String queue, String group) {
        return queues.get(queue, name -> new ConcurrentHashMap<>())
                .computeIfAbsent(group, name -> new ReadyPartitions(queue, group, newWaitList()));
    }

    /** Where pops of several queues wait. */
    public FilterWaiters of(PopTarget.Filter filter, String group) {
        return filters.get(
                new FilterKey(filter, group),
                key -> new FilterWaiters(filter, newWaitList(), queue -> pauses.holds(queue, group)));
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
                .computeIfAbsent(group, name -> newWaitList());
    }

    /**
     * Lets the pop wait, unless news came since they were {@code seen}. While it is paused, what is ready is not for it.
     */
    public boolean park(PopRequest request, boolean paused, Waiter waiter, long seen) {
        return (!paused && request.target() instanceof PopTarget.Queue queue)
                ? of(queue.queue(), request.consumerGroup()).park(waiter, seen, timers.nanos())
                : waitList(request).park(waiter, seen);
    }

    private WaitList newWaitList() {
        return new WaitList(timers, schedule, metrics);
    }

    /** A push to the partition was committed: every group hears of it. */
    void pushed(PartitionName partition, UUID partitionId) {
        groups(partition.queue()).values().forEach(ready -> ready.pushed(partitionId));
        waiting(partition).values().forEach(WaitList::wakeOne);
        filterNews(partition.queue());
    }

    /** That lease of the group on the partition has ended; {@code pending} when messages are left. */
    void leaseEnded(PartitionName partition, UUID partitionId, String group, UUID lease, boolean pending) {
        ReadyPartitions ready = groups(partition.queue()).get(group);
        if (ready != null && !pending) {
            ready.drained(partitionId, lease);
        } else if (ready != null) {
            ready.freed(partitionId);
        }
        if (pending) {
            WaitList waiting = waiting(partition).get(group);
            if (waiting != null) {
                waiting.wakeOne();
            }
            filterNews(partition.queue());
        }
    }

    /** Something happened in the queue that this server can't tell in detail: waiting pops look for themselves. */
    public void wake(String queue) {
        groups(queue).values().forEach(ready -> ready.waitList().wakeOne());
        eachPartitionOf(queue, null, WaitList::wakeOne);
        filterNews(queue);
    }

    /** The cursors of the group in the queue were moved or removed: nothing that is remembered of them holds. */
    void groupMoved(String queue, String group) {
        ReadyPartitions ready = groups(queue).get(group);
        if (ready != null) {
            ready.restart();
        }
        eachPartitionOf(queue, group, WaitList::wakeAll);
        filters.asMap().forEach((key, waiters) -> {
            if (key.group().equals(group)) {
                waiters.waitList().wakeAll();
            }
        });
    }

    /**
     * Pops of the queue get messages again, with a group those of that group. As many wake as may find something: one per
     * partition that is ready, and one to look; those of several queues all.
     */
    public void resumed(String queue, String group) {
        groups(queue).forEach((name, ready) -> {
            if (group == null || group.equals(name)) {
                ready.waitList().wakeOne();
                ready.waitList().wakeForReady(ready.readyCount(timers.nanos()));
            }
        });
        eachPartitionOf(queue, group, WaitList::wakeOne);
        filters.asMap().forEach((key, waiters) -> {
            if (waiters.has(queue) && (group == null || group.equals(key.group()))) {
                waiters.waitList().wakeAll();
            }
        });
    }

    /** Every pop that waits tries again. */
    public void wakeAll() {
        queues.asMap()
                .values()
                .forEach(groups ->
                        groups.values().forEach(ready -> ready.waitList().wakeAll()));
        partitions.asMap().values().forEach(groups -> groups.values().forEach(WaitList::wakeAll));
        filters.asMap().values().forEach(waiters -> waiters.waitList().wakeAll());
    }

    /** Those whose last question is older than that, but can still be built on. */
    List<ReadyPartitions> aging(long millis, long now) {
        List<ReadyPartitions> aging = new ArrayList<>();
        for (Map<String, ReadyPartitions> groups : queues.asMap().values()) {
            for (ReadyPartitions ready : groups.values()) {
                if (ready.question(now).mark() != null && ready.isOlderThan(millis, now)) {
                    aging.add(ready);
                }
            }
        }
        return aging;
    }

    /** The queue was deleted: nothing that is remembered of it holds. */
    void forget(String queue) {
        queues.invalidate(queue);
    }

    private Map<String, ReadyPartitions> groups(String queue) {
        Map<String, ReadyPartitions> groups = queues.getIfPresent(queue);
        return groups == null ? Map.of() : groups;
    }

    private Map<String, WaitList> waiting(PartitionName partition) {
        Map<String, WaitList> groups = partitions.getIfPresent(partition);
        return groups == null ? Map.of() : groups;
    }

    private void eachPartitionOf(String queue, String group, Consumer<WaitList> action) {
        partitions.asMap().forEach((partition, groups) -> {
            if (partition.queue().equals(queue)) {
                groups.forEach((name, waitList) -> {
                    if (group == null || group.equals(name)) {
                        action.accept(waitList);
                    }
                });
            }
        });
    }

    private void filterNews(String queue) {
        if (!filters.asMap().isEmpty()) {
            filters.asMap().values().forEach(waiters -> waiters.news(queue));
        }
    }
}
