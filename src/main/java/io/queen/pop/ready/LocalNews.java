package io.queen.pop.ready;

import io.queen.message.PartitionName;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

/** Tells the ready partitions and the waiting pops of this server what has changed. */
@Singleton
public final class LocalNews {
    private final ReadyIndex index;

    public LocalNews(ReadyIndex index) {
        this.index = index;
    }

    /** A push to the partition was committed: every group hears of it. */
    void pushed(PartitionName partition, UUID partitionId) {
        groups(partition.queue()).values().forEach(ready -> ready.pushed(partitionId));
        waiting(partition).values().forEach(WaitList::wakeOne);
        wakeFilters(partition.queue());
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
            wakeFilters(partition.queue());
        }
    }

    /** Something happened in the queue that this server can't tell in detail: waiting pops look for themselves. */
    public void wake(String queue) {
        groups(queue).values().forEach(ready -> ready.waitList().wakeOne());
        eachPartitionOf(queue, null, WaitList::wakeOne);
        wakeFilters(queue);
    }

    /** The cursors of the group in the queue were moved or removed: nothing that is remembered of them holds. */
    void groupMoved(String queue, String group) {
        ReadyPartitions ready = groups(queue).get(group);
        if (ready != null) {
            ready.restart();
        }
        eachPartitionOf(queue, group, WaitList::wakeAll);
        for (FilterWaiters waiters : index.filters()) {
            if (group.equals(waiters.group())) {
                waiters.waitList().wakeAll();
            }
        }
    }

    /** The queue was deleted: nothing that is remembered of it holds. */
    void queueDeleted(String queue) {
        index.queues().remove(queue);
    }

    /**
     * Pops of the queue get messages again, with a group those of that group. As many wake as may find something: one per
     * partition that is ready, and one to look; those of several queues all.
     */
    public void resumed(String queue, String group) {
        groups(queue).forEach((name, ready) -> {
            if (group == null || group.equals(name)) {
                WaitList waiting = ready.waitList();
                waiting.wakeOne();
                waiting.wakeForReady(ready.readyCount(waiting.timers().nanos()));
            }
        });
        eachPartitionOf(queue, group, WaitList::wakeOne);
        for (FilterWaiters waiters : index.filters()) {
            if (waiters.has(queue) && (group == null || group.equals(waiters.group()))) {
                waiters.waitList().wakeAll();
            }
        }
    }

    /** Every pop that waits tries again. */
    public void wakeAll() {
        for (Map<String, ReadyPartitions> groups : index.queues().values()) {
            groups.values().forEach(ready -> ready.waitList().wakeAll());
        }
        index.partitions().values().forEach(groups -> groups.values().forEach(WaitList::wakeAll));
        index.filters().forEach(waiters -> waiters.waitList().wakeAll());
    }

    private Map<String, ReadyPartitions> groups(String queue) {
        return index.queues().getOrDefault(queue, Map.of());
    }

    private Map<String, WaitList> waiting(PartitionName partition) {
        return index.partitions().getOrDefault(partition, Map.of());
    }

    private void eachPartitionOf(String queue, String group, Consumer<WaitList> action) {
        index.partitions().forEach((partition, groups) -> {
            if (partition.queue().equals(queue)) {
                groups.forEach((name, waitList) -> {
                    if (group == null || group.equals(name)) {
                        action.accept(waitList);
                    }
                });
            }
        });
    }

    private void wakeFilters(String queue) {
        index.filters().forEach(waiters -> waiters.news(queue));
    }
}
