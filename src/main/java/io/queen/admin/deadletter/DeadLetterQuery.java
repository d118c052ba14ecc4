package io.queen.admin.deadletter;

import io.queen.message.QueenException;
import io.queen.message.TimeRange;
import io.queen.web.QueryParams;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.jboss.resteasy.reactive.RestQuery;

/** Which dead letters are meant. */
public final class DeadLetterQuery {
    @RestQuery
    String queue;

    @RestQuery
    @Parameter(description = "Name of the partition")
    String partition;

    @RestQuery
    @Parameter(description = "The group for which the message failed")
    String consumerGroup;

    DeadLetterFilter filter(TimeRange failed) {
        return new DeadLetterFilter(
                QueryParams.name(queue, "queue"),
                QueryParams.name(partition, "partition"),
                QueryParams.name(consumerGroup, "consumerGroup"),
                failed);
    }

    /** For what changes something: a slip of the pen must not change all queues. */
    DeadLetterFilter filterOfOneQueue(TimeRange failed) {
        if (QueryParams.given(queue) == null) {
            throw QueenException.missing("queue");
        }
        return filter(failed);
    }
}
