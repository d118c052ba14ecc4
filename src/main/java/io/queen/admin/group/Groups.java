package io.queen.admin.group;

import io.queen.database.Database;
import io.queen.message.Page;
import io.queen.message.PartitionName;
import io.queen.pause.PauseKeeper;
import io.queen.pop.ready.PeerNotifier;
import io.queen.pop.ready.ReadyIndex;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.OffsetDateTime;
import java.util.UUID;

/**
 * Consumer groups: where they stand, moving them, and their end. What changes where a group stands is told to the pops of
 * all servers; the push log tells it too, for those that can't hear.
 */
@Singleton
public final class Groups {
    /** Partitions moved in one transaction: acks of the group wait for it, pushes and other groups don't. */
    private static final int PORTION = 2000;

    private final Database database;
    private final ReadyIndex rings;
    private final PeerNotifier signals;
    private final PauseKeeper pauses;

    Groups(Database database, ReadyIndex rings, PeerNotifier signals, PauseKeeper pauses) {
        this.database = database;
        this.rings = rings;
        this.signals = signals;
        this.pauses = pauses;
    }

    /** JSON: an array with one element per group and queue. */
    public Uni<String> list(Page page) {
        return GroupStore.list(database.general(), page);
    }

    /** JSON: an object with the group's partitions by queue. */
    public Uni<String> describe(String group, Page page) {
        return GroupStore.describe(database.general(), group, page);
    }

    /** JSON: an array of the partitions whose oldest unread message is older than that. */
    public Uni<String> lagging(long seconds, Page page) {
        return GroupStore.lagging(database.general(), seconds, page);
    }

    /** Removes cursors, leases and pauses, in one queue or with null in all; with {@code metadata} subscriptions too. */
    public Uni<GroupDeletion> delete(String group, String queue, boolean metadata) {
        return GroupStore.delete(database.general(), group, queue, metadata)
                .call(pauses::lookAfterDeletion)
                .invoke(gone -> gone.queues().forEach(name -> signals.groupMoved(name, group)));
    }

    /** The number of recorded subscriptions that begin at that time from now on. */
    public Uni<Integer> subscribe(String group, OffsetDateTime time) {
        return GroupStore.subscribe(database.general(), group, time);
    }

    /** Moves the group's cursors in all partitions of the queue, and tells how many. */
    public Uni<Integer> seek(String group, String queue, Seek seek) {
        return portion(group, queue, seek, GroupStore.Portion.NONE, 0)
                .onTermination()
                .invoke(() -> signals.groupMoved(queue, group));
    }

    private Uni<Integer> portion(String group, String queue, Seek seek, GroupStore.Portion before, int moved) {
        return GroupStore.seek(database.general(), group, queue, seek, before, PORTION)
                .flatMap(done -> done.lastName() == null
                        ? Uni.createFrom().item(moved + done.moved())
                        : portion(group, queue, seek, done, moved + done.moved()));
    }

    /** Ends the lease of the group on one partition, whoever holds it. */
    public Uni<ReleasedLease> release(String group, String queue, String partition) {
        return GroupStore.release(database.general(), group, queue, partition).invoke(done -> {
            if (done.pending()) {
                freed(new PartitionName(queue, partition), done.partitionId(), group);
            }
        });
    }

    private void freed(PartitionName lane, UUID partitionId, String group) {
        rings.leaseEnded(lane, partitionId, group, null, true);
        signals.leaseEnded(lane, partitionId, group);
    }

    /** Moves the group's cursor in one partition: as if its lease had ended with messages left. */
    public Uni<PartitionSeek> seekPartition(String group, String queue, String partition, Seek seek) {
        return GroupStore.seekPartition(database.general(), group, queue, partition, seek)
                .invoke(done -> {
                    if (done.moved()) {
                        freed(new PartitionName(queue, partition), done.partitionId(), group);
                    }
                });
    }
}
