package io.queen.admin.message;

import io.queen.message.QueenException;
import io.queen.message.TimeRange;
import io.queen.web.QueryParams;
import java.time.temporal.ChronoUnit;
import java.util.Set;
import org.jboss.resteasy.reactive.RestQuery;

/** Which messages are wanted. */
public final class MessageQuery {
    private static final Set<String> STATUSES = Set.of("pending", "processing", "completed", "dead_letter");

    @RestQuery
    String queue;

    @RestQuery
    String partition;

    @RestQuery
    String ns;

    @RestQuery
    String namespace;

    @RestQuery
    String task;

    @RestQuery
    String status;

    @RestQuery
    String consumerGroup;

    /** The filter; the end of the range is extended to the end of its minute. */
    MessageStore.Filter filter(TimeRange range) {
        String space = QueryParams.name(ns, "ns");
        return new MessageStore.Filter(
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
