package io.queen.admin.queue;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Answers of inspection as the OpenAPI document shows them. PostgreSQL writes them, the server never builds these. */
public final class InspectionSchema {
    private InspectionSchema() {}

    public record Counters(
            @Schema(description = "Messages stored") long total,

            @Schema(
                    description = "Neither consumed nor delivered: after the cursor of `__QUEUE_MODE__`, or without"
                            + " one after that of the slowest group")
            long pending,

            @Schema(description = "Delivered under a live lease, not yet acknowledged")
            long processing,

            @Schema(description = "total - pending - processing; dead letters are among them")
            long completed,

            @Schema(description = "Always 0: a failed message is pending again, or a dead letter")
            long failed,

            @Schema(description = "Messages that are dead letters of any group")
            long deadLetter,

            @Schema(
                    description = "Whether pending may be too high: where single messages were deleted from a partition"
                            + " with more than 100,000 messages on both sides of the cursor")
            boolean estimated) {}

    public record Pagination(int limit, int offset) {}

    public record Queue(
            @Schema(format = "uuid") String id,
            String name,
            String namespace,
            String task,
            @Schema(format = "date-time") String createdAt,
            long partitions,
            long partitionCount,
            Counters messages,
            int priority,
            int leaseTime,
            int retryLimit,
            int maxSize,
            boolean encryptionEnabled,

            @Schema(description = "Whether its pops get nothing")
            boolean paused) {}

    public record Queues(
            List<Queue> queues,
            @Schema(description = "All that match") long total,
            Pagination pagination) {}

    public record Consumed(long totalConsumed, long batchesConsumed) {}

    public record Partition(
            @Schema(format = "uuid") String id,
            String name,
            String queue,
            @Schema(format = "date-time") String createdAt,
            Counters stats,
            @Schema(description = "The same as stats") Counters messages,

            @Schema(description = "What all groups together consumed")
            Consumed cursor,

            @Schema(description = "The last push or pop", format = "date-time")
            String lastActivity,

            @Schema(format = "date-time") String oldestMessage,
            @Schema(format = "date-time") String newestMessage) {}

    public record Partitions(List<Partition> partitions, long total, Pagination pagination) {}

    public record QueueDetail(
            @Schema(format = "uuid") String id,
            String name,
            String namespace,
            String task,
            @Schema(format = "date-time") String createdAt,
            int priority,
            int leaseTime,
            int retryLimit,
            int maxSize,
            boolean encryptionEnabled,

            @Schema(description = "Whether its pops get nothing")
            boolean paused,

            long partitionCount,
            @Schema(description = "A page of them, by name") List<Partition> partitions,
            @Schema(description = "Of the whole queue") Counters totals,
            @Schema(description = "All partitions") long total,
            Pagination pagination) {}

    public record QueueConfig(
            int leaseTime, int retryLimit, int retryDelay, int ttl, int maxQueueSize, boolean deadLetterQueue) {}

    public record ConfiguredQueue(
            @Schema(format = "uuid") String id,
            String name,
            String namespace,
            String task,
            int priority,
            @Schema(format = "date-time") String createdAt,

            @Schema(description = "Whether its pops get nothing")
            boolean paused,

            QueueConfig config) {}

    public record Totals(
            Counters messages,
            long total,
            long pending,
            long processing,
            long completed,
            long failed,
            long deadLetter,
            boolean estimated) {}

    public record QueueStatus(
            ConfiguredQueue queue,
            @Schema(description = "A page of them, by name") List<Partition> partitions,
            Totals totals,
            @Schema(description = "All partitions") long total,
            Pagination pagination) {}

    public record LabelCounters(long total, long pending, boolean estimated) {}

    public record Namespace(
            String namespace, String name, long queues, long queueCount, long partitions, LabelCounters messages) {}

    public record Namespaces(List<Namespace> namespaces, long total, Pagination pagination) {}

    public record Task(
            String task, String name, long queues, long queueCount, long partitions, LabelCounters messages) {}

    public record Tasks(List<Task> tasks, long total, Pagination pagination) {}

    public record Spread(double avg, double median, double min, double max) {}

    public record Lag(
            @Schema(description = "Seconds since the last push, over the partitions that are not consumed to the end")
            Spread time,

            @Schema(description = "Messages not consumed, over these partitions")
            Spread offset) {}

    public record Throughput(double ingestedPerSecond, double processedPerSecond) {}

    public record Overview(
            long queues,
            long partitions,
            long namespaces,
            long tasks,
            Counters messages,
            Lag lag,
            Throughput throughput,
            @Schema(format = "date-time") String timestamp,

            @Schema(description = "Seconds; always 0, nothing is kept")
            long statsAge) {}
}
