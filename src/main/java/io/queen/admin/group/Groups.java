package io.queen.admin.group;

import io.queen.admin.group.GroupStore.Deletion;
import io.queen.admin.group.GroupStore.PartitionSeek;
import io.queen.admin.group.GroupStore.Portion;
import io.queen.admin.group.GroupStore.Preview;
import io.queen.admin.group.GroupStore.ReleasedLease;
import io.queen.message.ErrorCode;
import io.queen.message.PartitionName;
import io.queen.message.QueenException;
import io.queen.pause.PauseKeeper;
import io.queen.pop.ready.PartitionNews;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.UUID;

/**
 * Changes where consumer groups stand, and tells the pops of all servers; the push log tells it too, for servers that do
 * not hear it.
 */
@Singleton
final class Groups {
    /** Partitions moved in one transaction: acks of the group wait for it, pushes and other groups don't. */
    private static final int PORTION = 2000;

    private final GroupStore store;
    private final PartitionNews news;
    private final PauseKeeper pauses;

    Groups(GroupStore store, PartitionNews news, PauseKeeper pauses) {
        this.store = store;
        this.news = news;
        this.pauses = pauses;
    }

    /** In one queue, or with null in all. */
    Uni<Deletion> delete(String group, String queue, boolean metadata) {
        return store.delete(group, queue, metadata)
                .call(pauses::lookAfterDeletion)
                .invoke(gone -> gone.queues().forEach(name -> news.groupMoved(name, group)));
    }

    /** Moves the group's cursors in all partitions of the queue, and tells how many. */
    Uni<Integer> seek(String group, String queue, Seek seek) {
        return portion(group, queue, seek, Portion.NONE, 0).onTermination().invoke(() -> news.groupMoved(queue, group));
    }

    private Uni<Integer> portion(String group, String queue, Seek seek, Portion before, int moved) {
        return store.seek(group, queue, seek, before, PORTION)
                .flatMap(done -> done.lastName() == null
                        ? Uni.createFrom().item(moved + done.moved())
                        : portion(group, queue, seek, done, moved + done.moved()));
    }

    /** What a seek of the group would do in all partitions of the queue. */
    Uni<Preview> preview(String group, String queue, Seek seek) {
        return previewAfter(group, queue, seek, Preview.NONE);
    }

    private Uni<Preview> previewAfter(String group, String queue, Seek seek, Preview before) {
        return store.preview(group, queue, null, seek, before, PORTION)
                .map(before::plus)
                .flatMap(all ->
                        all.lastName() == null ? Uni.createFrom().item(all) : previewAfter(group, queue, seek, all));
    }

    /** What a seek of the group would do in one partition. */
    Uni<Preview> previewPartition(String group, String queue, String partition, Seek seek) {
        return store.preview(group, queue, partition, seek, Preview.NONE, PORTION)
                .invoke(found -> {
                    if (!found.known()) {
                        throw partitionNotFound();
                    }
                });
    }

    /** Moves the group's cursor in one partition: as if its lease had ended with messages left. */
    Uni<PartitionSeek> seekPartition(String group, String queue, String partition, Seek seek) {
        return store.seekPartition(group, queue, partition, seek)
                .invoke(done -> announce(group, queue, partition, done.partitionId(), done.moved()));
    }

    /** Ends the lease of the group on one partition, whichever consumer holds it. */
    Uni<ReleasedLease> release(String group, String queue, String partition) {
        return store.release(group, queue, partition)
                .invoke(done -> announce(group, queue, partition, done.partitionId(), done.pending()));
    }

    /** There is no id when there is no such partition. */
    private void announce(String group, String queue, String partition, UUID partitionId, boolean pending) {
        if (partitionId == null) {
            throw partitionNotFound();
        }
        if (pending) {
            news.available(new PartitionName(queue, partition), partitionId, group);
        }
    }

    private static QueenException partitionNotFound() {
        return new QueenException(ErrorCode.PARTITION_NOT_FOUND, "Partition not found");
    }
}
