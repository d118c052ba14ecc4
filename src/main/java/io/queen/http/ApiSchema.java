package io.queen.http;

import java.util.List;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/** Request bodies as the OpenAPI document shows them. The server reads bodies as streams and never builds these. */
final class ApiSchema {
    private ApiSchema() {}

    record Push(@Schema(required = true) List<Item> items) {}

    record Item(
            @Schema(required = true, maxLength = 255) String queue,

            @Schema(defaultValue = "Default", maxLength = 255)
            String partition,

            @Schema(description = "Any JSON, given back byte for byte")
            Object payload,

            @Schema(description = "Deduplicates within the partition; made by the server when absent", maxLength = 255)
            String transactionId,

            @Schema(format = "uuid") String traceId) {}

    record Ack(
            @Schema(required = true) String transactionId,
            @Schema(required = true, format = "uuid") String partitionId,

            @Schema(
                    defaultValue = "completed",
                    enumeration = {"completed", "success", "failed", "dlq", "retry"})
            String status,

            @Schema(description = "Checked when given") String leaseId,
            @Schema(defaultValue = "__QUEUE_MODE__") String consumerGroup,

            @Schema(description = "Kept with the dead letter")
            String error) {}

    record AckBatch(
            @Schema(required = true) List<Ack> acknowledgments,
            @Schema(defaultValue = "__QUEUE_MODE__") String consumerGroup) {}

    record Transaction(@Schema(required = true) List<TransactionOperation> operations, List<String> requiredLeases) {}

    record TransactionOperation(
            @Schema(
                    required = true,
                    enumeration = {"push", "ack"})
            String type,

            @Schema(description = "For push: the items, or one item with its fields flat")
            List<Item> items,

            @Schema(description = "For ack") String transactionId,

            @Schema(description = "For ack", format = "uuid")
            String partitionId,

            @Schema(
                    description = "For ack",
                    defaultValue = "completed",
                    enumeration = {"completed", "success", "failed", "dlq"})
            String status) {}

    record Extend(
            @Schema(defaultValue = "60", minimum = "1") int seconds) {}

    record Configure(
            @Schema(required = true, maxLength = 255) String queue,
            String namespace,
            String task,
            io.queen.message.QueueOptions options) {}
}
