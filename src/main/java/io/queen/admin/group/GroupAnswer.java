package io.queen.admin.group;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.web.TimeFormat;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** The answers about groups, field by field as published clients read them; those that SQL writes are only shown. */
@RegisterForReflection
final class GroupAnswer {
    private GroupAnswer() {}

    record Deleted(boolean success, String consumerGroup, int deletedPartitions, boolean metadataDeleted) {}

    record DeletedInQueue(
            boolean success, String consumerGroup, String queueName, int deletedPartitions, boolean metadataDeleted) {}

    record Subscription(
            @Schema(required = true, format = "date-time") String subscriptionTimestamp) {}

    record Subscribed(boolean success, String consumerGroup, String newTimestamp, int rowsUpdated) {}

    record SeekTo(
            @Schema(description = "After the newest message")
            boolean toEnd,

            @Schema(description = "Before the oldest message")
            boolean toBeginning,

            @Schema(description = "After the last message that is not younger", format = "date-time")
            String timestamp) {}

    record Sought(
            boolean success,
            String consumerGroup,
            String queueName,
            boolean seekToEnd,
            boolean seekToBeginning,
            String targetTimestamp,
            int partitionsUpdated) {

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

            @Schema(description = "False for a group that never popped from the queue")
            boolean updated,

            @Schema(description = "When the message at the cursor was pushed", format = "date-time")
            String cursorMovedTo) {

        static SoughtPartition of(String group, String queue, String partition, PartitionSeek done) {
            String time = done.cursorTime() == null ? null : TimeFormat.millis(done.cursorTime());
            return new SoughtPartition(true, group, queue, partition, done.moved(), time);
        }
    }

    record Holder(
            @Schema(description = "Of its connection") String address,

            @Schema(description = "As it gave it with X-Queen-Consumer", nullable = true)
            String name) {

        /** An address, and after a space the name; null for nobody. */
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

            @Schema(description = "False when nobody held it")
            boolean released,

            @Schema(format = "uuid", nullable = true) String leaseId,
            @Schema(nullable = true) Holder holder,

            @Schema(description = "When it would have ended by itself", format = "date-time", nullable = true)
            String expiresAt,

            @Schema(nullable = true) Long remainingMillis) {

        static Released of(String group, String queue, String partition, ReleasedLease done) {
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

    record Listed(
            String name,
            List<String> topics,
            String queueName,
            String queue,

            @Schema(description = "Partitions with a cursor of the group")
            long members,

            @Schema(description = "Partitions of the queue") long partitions,
            long partitionsWithLag,

            @Schema(description = "Always null, see lagMessages")
            Long totalLag,

            @Schema(
                    description =
                            "Unread messages, as head - cursor: too high by messages that were removed one by one."
                                    + " A partition that was pushed to before and after the start of a subscription, and that"
                                    + " the group has not popped from, counts as one")
            long lagMessages,

            @Schema(description = "Seconds since the last push to the partition that was left unread longest")
            long maxTimeLag,

            @Schema(description = "The same") long lagSeconds,

            @Schema(
                    enumeration = {"Stable", "Lagging", "Dead"},
                    description = "`Dead`: nothing was ever consumed, no lease is held and no pop waits")
            String state,

            @Schema(enumeration = {"active", "idle", "lagging", "stuck", "paused"})
            String health,

            @Schema(description = "The group, or the whole queue")
            boolean paused,

            @Schema(description = "Held now") long leases,

            @Schema(description = "Pops that wait now, on all servers")
            long waiting,

            @Schema(description = "Different ones seen lately, on all servers")
            int consumers,

            String subscriptionMode,
            @Schema(format = "date-time") String subscriptionTimestamp,
            @Schema(format = "date-time") String subscriptionCreatedAt) {}

    record Described(
            @Schema(description = "Partitions of the queue") long total,

            @Schema(enumeration = {"Stable", "Lagging", "Dead"})
            String state,

            @Schema(enumeration = {"active", "idle", "lagging", "stuck", "paused"})
            String health,

            boolean paused,
            @Schema(description = "Held now") long leases,

            @Schema(description = "Pops that wait now, on all servers")
            long waiting,

            @Schema(description = "Seen lately, on all servers")
            List<Holder> consumers,

            List<DescribedPartition> partitions) {}

    record DescribedPartition(
            String partition,
            @Schema(format = "uuid") String partitionId,

            @Schema(description = "The name of who holds the lease, else its address", nullable = true)
            String workerId,

            @Schema(format = "date-time") String lastConsumedAt,
            long totalConsumed,

            @Schema(description = "Null where the group has none yet")
            Long cursor,

            @Schema(
                    description =
                            "Unread messages, as head - cursor: too high by messages that were removed one by one")
            long offsetLag,

            @Schema(description = "Age of the oldest unread message")
            long timeLagSeconds,

            boolean leaseActive,
            @Schema(format = "date-time") String leaseExpiresAt,
            @Schema(nullable = true) Long leaseRemainingMillis,
            @Schema(nullable = true) Holder leaseHolder) {}

    record Lagging(
            String consumer_group,
            String queue_name,
            String partition_name,
            @Schema(format = "uuid") String partition_id,
            @Schema(description = "Always null") String worker_id,

            @Schema(description = "As offsetLag of the group")
            long offset_lag,

            long time_lag_seconds,
            double lag_hours,
            @Schema(format = "date-time") String oldest_unconsumed_at,
            @Schema(format = "date-time") String last_consumed_at) {}
}
