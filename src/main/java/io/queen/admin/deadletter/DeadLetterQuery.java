package io.queen.admin.deadletter;

import io.queen.message.QueenException;
import io.queen.message.TimeRange;
import io.queen.web.QueryParams;
import org.jboss.resteasy.reactive.RestQuery;

/** Which dead letters are meant. */
public final class DeadLetterQuery {
    @RestQuery
    String queue;

    @RestQuery
    String partition;

    @RestQuery
    String consumerGroup;

    @RestQuery
    String error;

    DeadLetterStore.Filter filter(TimeRange failed) {
        return new DeadLetterStore.Filter(
                QueryParams.name(queue, "queue"),
                QueryParams.name(partition, "partition"),
                QueryParams.name(consumerGroup, "consumerGroup"),
                failed,
                QueryParams.given(error));
    }

    /** For what changes something: a slip of the pen must not change all queues. */
    DeadLetterStore.Filter filterOfOneQueue(TimeRange failed) {
        if (QueryParams.given(queue) == null) {
            throw QueenException.missing("queue");
        }
        return filter(failed);
    }
}
