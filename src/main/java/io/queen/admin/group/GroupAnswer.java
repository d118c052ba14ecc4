package io.queen.admin.group;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.web.NothingDone;
import io.queen.web.TimeFormat;

/** The answers about groups, field by field as published clients read them. */
@RegisterForReflection
final class GroupAnswer {
    private GroupAnswer() {}

    record Deleted(boolean success, String consumerGroup, int deletedPartitions, boolean metadataDeleted) {}

    record DeletedInQueue(
            boolean success, String consumerGroup, String queueName, int deletedPartitions, boolean metadataDeleted) {}

    record Subscribed(boolean success, String consumerGroup, String newTimestamp, int rowsUpdated) {}

    /** What a seek did, or would do. */
    sealed interface Seeking {}

    /** What a seek would do: nothing was moved. */
    record Previewed(boolean dryRun, long partitions, long redelivered, long skipped) implements Seeking, NothingDone {
        static Previewed of(GroupStore.Preview preview) {
            return new Previewed(true, preview.partitions(), preview.redelivered(), preview.skipped());
        }
    }

    record Sought(
            boolean success,
            String consumerGroup,
            String queueName,
            boolean seekToEnd,
            boolean seekToBeginning,
            String targetTimestamp,
            int partitionsUpdated)
            implements Seeking {

        static Sought of(String group, String queue, Seek seek, int partitions) {
            return new Sought(
                    true,
                    group,
                    queue,
                    seek.to() == Seek.To.END,
                    seek.to() == Seek.To.BEGINNING,
                    seek.time() == null ? null : TimeFormat.millis(seek.time()),
                    partitions);
        }
    }

    record SoughtPartition(
            boolean success,
            String consumerGroup,
            String queueName,
            String partitionName,
            boolean updated,
            String cursorMovedTo)
            implements Seeking {

        static SoughtPartition of(String group, String queue, String partition, GroupStore.PartitionSeek done) {
            String time = done.cursorTime() == null ? null : TimeFormat.millis(done.cursorTime());
            return new SoughtPartition(true, group, queue, partition, done.moved(), time);
        }
    }

    record Holder(String address, String name) {

        /** An address, and after a space the name; null for none. */
        static Holder of(String text) {
            if (text == null) {
                return null;
            }
            int space = text.indexOf(' ');
            return space < 0 ? new Holder(text, null) : new Holder(text.substring(0, space), text.substring(space + 1));
        }
    }

    record Released(
            boolean success,
            String consumerGroup,
            String queueName,
            String partitionName,
            boolean released,
            String leaseId,
            Holder holder,
            String expiresAt,
            Long remainingMillis) {

        static Released of(String group, String queue, String partition, GroupStore.ReleasedLease done) {
            return new Released(
                    true,
                    group,
                    queue,
                    partition,
                    done.released(),
                    done.leaseId() == null ? null : done.leaseId().toString(),
                    Holder.of(done.holder()),
                    done.expiresAt() == null ? null : TimeFormat.millis(done.expiresAt()),
                    done.remainingMillis());
        }
    }
}
