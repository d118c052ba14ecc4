package io.queen.pop.ready;

import io.queen.message.PartitionName;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Tells what has changed for pops: the ready partitions of this server, and the other servers. A push, an ack, a redrive, a
 * seek and whatever else gives a group something to pop says so here, and nowhere else.
 */
@Singleton
public final class PartitionNews {
    private final LocalNews local;
    private final PeerNotifier peers;
    private final List<BiConsumer<String, String>> onGroupMoved = new CopyOnWriteArrayList<>();
    private final List<Consumer<String>> onQueueDeleted = new CopyOnWriteArrayList<>();
    private final List<Runnable> onPausesChanged = new CopyOnWriteArrayList<>();

    PartitionNews(LocalNews local, PeerNotifier peers) {
        this.local = local;
        this.peers = peers;
        peers.onEvent(this::heard);
    }

    /** A push to the partition was committed: every group hears of it. */
    public void pushed(PartitionName partition, UUID partitionId) {
        local.pushed(partition, partitionId);
        peers.publish(new PeerEvent(partition, partitionId, null));
    }

    /** That lease of the group on the partition has ended; {@code pending} when messages are left. */
    public void leaseEnded(PartitionName partition, UUID partitionId, String group, UUID lease, boolean pending) {
        local.leaseEnded(partition, partitionId, group, lease, pending);
        if (pending) {
            peers.publish(new PeerEvent(partition, partitionId, group));
        }
    }

    /** The group has messages there that it may not know of: as if a lease had ended and they were left. */
    public void available(PartitionName partition, UUID partitionId, String group) {
        leaseEnded(partition, partitionId, group, null, true);
    }

    /** The group's cursors in the queue were moved or removed. */
    public void groupMoved(String queue, String group) {
        moved(queue, group);
        peers.publish(PeerEvent.groupMoved(queue, group));
    }

    /** The queue was deleted through this server: nothing that is remembered of it holds. */
    public void queueDeleted(String queue) {
        local.queueDeleted(queue);
        onQueueDeleted.forEach(listener -> listener.accept(queue));
    }

    /** Something was paused or resumed here. */
    public void pausesChanged() {
        peers.publish(PeerEvent.pausesChanged());
    }

    /** Calls with queue and group when their cursors were moved, here or through another server. */
    public void onGroupMoved(BiConsumer<String, String> listener) {
        onGroupMoved.add(listener);
    }

    /** Calls with the queue when one was deleted here. */
    public void onQueueDeleted(Consumer<String> listener) {
        onQueueDeleted.add(listener);
    }

    /** Calls when something was paused or resumed through another server. */
    public void onPausesChanged(Runnable listener) {
        onPausesChanged.add(listener);
    }

    private void moved(String queue, String group) {
        onGroupMoved.forEach(listener -> listener.accept(queue, group));
        local.groupMoved(queue, group);
    }

    private void heard(PeerEvent event) {
        if (event.equals(PeerEvent.pausesChanged())) {
            onPausesChanged.forEach(Runnable::run);
        } else if (event.partitionId() == null && event.group() != null) {
            moved(event.partition().queue(), event.group());
        } else if (event.partitionId() == null) {
            local.wake(event.partition().queue());
        } else if (event.group() == null) {
            local.pushed(event.partition(), event.partitionId());
        } else {
            local.leaseEnded(event.partition(), event.partitionId(), event.group(), null, true);
        }
    }
}
