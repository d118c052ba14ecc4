package io.queen.admin.message;

import io.queen.admin.queue.InspectionSchema;
import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Answers about single messages and dead letters as the OpenAPI document shows them. */
public final class MessageSchema {
    private MessageSchema() {}

    public record BusStatus(
            @Schema(description = "Named groups that have passed it")
            long consumedBy,

            @Schema(description = "Named groups with a cursor here")
            long totalGroups) {}

    public record ListedMessage(
            @Schema(format = "uuid") String id,
            String transactionId,
            @Schema(format = "uuid") String partitionId,
            String queuePath,
            String queue,
            String partition,
            String namespace,
            String task,

            @Schema(enumeration = {"pending", "processing", "completed", "dead_letter"})
            String status,

            @Schema(
                    description = "The same for `__QUEUE_MODE__` alone",
                    enumeration = {"pending", "processing", "completed", "dead_letter"})
            String queueStatus,

            BusStatus busStatus,
            @Schema(format = "uuid") String traceId,
            String producerSub,
            int queuePriority,
            @Schema(format = "date-time") String createdAt,
            @Schema(format = "date-time") String leaseExpiresAt) {}

    public record Mode(
            boolean hasQueueMode,
            long busGroupsCount,

            @Schema(enumeration = {"none", "queue", "bus", "hybrid"})
            String type) {}

    public record Messages(
            List<ListedMessage> messages,
            @Schema(description = "All that match") long total,

            @Schema(
                    description = "Whether total may be too high: in a window that begins in the middle of more than"
                            + " 1,000 partitions the others count whole")
            boolean totalEstimated,

            Mode mode,
            InspectionSchema.Pagination pagination) {}

    public record MessageConfig(int leaseTime, int retryLimit, int retryDelay, int ttl, int priority) {}

    public record DetailMode(
            boolean hasQueueMode,
            long busGroupsCount,
            long consumedByGroups,

            @Schema(enumeration = {"none", "queue", "bus", "hybrid"})
            String type) {}

    public record Group(
            String name,
            boolean consumed,
            @Schema(format = "date-time") String leaseExpiresAt) {}

    public record MessageDetail(
            @Schema(format = "uuid") String id,
            String transactionId,
            @Schema(format = "uuid") String partitionId,
            String queuePath,
            String queue,
            String partition,
            String namespace,
            String task,
            String status,
            String queueStatus,
            BusStatus busStatus,
            boolean isEncrypted,
            @Schema(format = "uuid") String traceId,
            String producerSub,
            @Schema(format = "date-time") String createdAt,

            @Schema(description = "Of its last dead letter") String errorMessage,

            @Schema(description = "Of its last dead letter") Integer retryCount,

            @Schema(format = "date-time") String leaseExpiresAt,
            MessageConfig queueConfig,
            DetailMode mode,
            List<Group> consumerGroups,

            @Schema(description = "Decrypted; null when the server has not the key")
            Object payload,

            @Schema(description = "Why the payload is not shown; absent when it is")
            String payloadError) {}

    public record Removed(
            boolean success, @Schema(format = "uuid") String partitionId, String transactionId, String message) {}

    public record Retried(
            boolean success, @Schema(format = "uuid") String messageId) {}

    public record Buried(
            boolean success, @Schema(format = "uuid") String partitionId) {}

    public record Cleared(boolean cleared, String queue, long deleted) {}

    public record DeadLetter(
            @Schema(format = "uuid", description = "Of the message")
            String id,

            String transactionId,
            @Schema(format = "uuid") String partitionId,
            String queue,
            String partition,
            String consumerGroup,
            String errorMessage,
            int retryCount,
            @Schema(format = "uuid") String traceId,
            String producerSub,
            @Schema(format = "date-time") String createdAt,
            @Schema(format = "date-time") String failedAt,

            @Schema(
                    description =
                            "The payload, decrypted; null when the message is gone, or the server has not the key")
            Object data,

            @Schema(description = "Why the payload is not shown; absent when it is")
            String dataError) {}

    public record DeadLetters(
            List<DeadLetter> messages,
            @Schema(description = "All that match") long total,
            InspectionSchema.Pagination pagination) {}

    public record Forgotten(long deleted) {}

    public record Redriven(
            boolean success,
            long redriven,

            @Schema(description = "Dead letters whose message was removed meanwhile")
            long gone) {}
}
