package io.queen.admin.message;

import io.queen.message.QueenException;
import io.queen.message.TimeRange;
import io.queen.web.QueryParams;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.jboss.resteasy.reactive.RestQuery;

/** Which messages are wanted. */
public final class MessageQuery {
    private static final Set<String> STATUSES = Set.of("pending", "processing", "completed", "dead_letter");

    @RestQuery
    String queue;

    @RestQuery
    @Parameter(description = "Name of the partition")
    String partition;

    @RestQuery
    @Parameter(description = "Namespace; `namespace` is the same")
    String ns;

    @RestQuery
    @Parameter(description = "Namespace")
    String namespace;

    @RestQuery
    String task;

    @RestQuery
    @Parameter(
            schema =
                    @Schema(
                            type = SchemaType.STRING,
                            enumeration = {"pending", "processing", "completed", "dead_letter"}))
    String status;

    @RestQuery
    @Parameter(description = "Whose status it is; without one that of `__QUEUE_MODE__`, or of all groups together")
    String consumerGroup;

    /** The filter; the end of the range is extended to the end of its minute. */
    MessageFilter filter(TimeRange range) {
        String space = QueryParams.name(ns, "ns");
        return new MessageFilter(
                QueryParams.name(queue, "queue"),
                QueryParams.name(partition, "partition"),
                space == null ? QueryParams.name(namespace, "namespace") : space,
                QueryParams.name(task, "task"),
                status(),
                QueryParams.name(consumerGroup, "consumerGroup"),
                range.from(),
                range.to().truncatedTo(ChronoUnit.MINUTES).plusMinutes(1));
    }

    private String status() {
        String given = QueryParams.given(status);
        if (given != null && !STATUSES.contains(given)) {
            throw QueenException.invalid("status", "must be pending, processing, completed or dead_letter");
        }
        return given;
    }
}
