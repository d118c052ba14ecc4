package io.queen.http;

import io.queen.message.DeadLetterFilter;
import io.queen.message.QueenException;
import io.queen.message.TimeRange;
import org.jboss.resteasy.reactive.RestQuery;

/** Which dead letters are meant. */
public final class DeadLetterQuery {
    @RestQuery
    String queue;

    @RestQuery
    String partition;

    @RestQuery
    String consumerGroup;

    DeadLetterFilter filter(TimeRange failed) {
        return new DeadLetterFilter(
                Parameters.name(queue, "queue"),
                Parameters.name(partition, "partition"),
                Parameters.name(consumerGroup, "consumerGroup"),
                failed);
    }

    /** For what changes something: a slip of the pen must not change all queues. */
    DeadLetterFilter filterOfOneQueue(TimeRange failed) {
        if (Parameters.given(queue) == null) {
            throw QueenException.missing("queue");
        }
        return filter(failed);
    }
}
