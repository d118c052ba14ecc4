package io.queen.pop;

import io.queen.config.QueenConfig;
import io.queen.message.Ack;
import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import io.queen.web.FieldRules;
import io.queen.web.QueryParams;
import io.queen.web.TimeParser;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestQuery;

/** The query of a pop. */
public final class PopQuery {
    @RestQuery
    String batch;

    @RestQuery
    String partitions;

    @RestQuery
    String wait;

    @RestQuery
    String timeout;

    @RestQuery
    String consumerGroup;

    @RestQuery
    String autoAck;

    @RestQuery
    String subscriptionMode;

    @RestQuery
    String subscriptionFrom;

    @RestHeader(Holder.HEADER)
    String consumer;

    PopRequest request(PopTarget target, QueenConfig.Pop config) {
        int messages =
                QueryParams.between(1, QueryParams.number(batch, "batch", config.defaultBatch()), config.maxBatch());
        long asked = QueryParams.number(partitions, "partitions", 1);
        String group = QueryParams.given(consumerGroup);
        return new PopRequest(
                target,
                group == null ? Ack.QUEUE_MODE : FieldRules.name(group, "consumerGroup"),
                messages,
                target instanceof PopTarget.Partition ? 1 : QueryParams.between(1, asked, messages),
                QueryParams.flag(autoAck, "autoAck", false),
                subscription(config),
                null,
                null);
    }

    /** Milliseconds to wait; 0 for a pop that does not. */
    long waitMillis(QueenConfig.Pop config) {
        long millis = QueryParams.number(timeout, "timeout", config.defaultTimeout());
        return QueryParams.flag(wait, "wait", false) ? QueryParams.between(0, millis, config.maxTimeout()) : 0;
    }

    private PopRequest.Subscription subscription(QueenConfig.Pop config) {
        String from = QueryParams.given(subscriptionFrom);
        if (from != null) {
            return new PopRequest.Subscription(from.equals("now") ? null : TimeParser.parse(from, "subscriptionFrom"));
        }
        String mode = QueryParams.given(subscriptionMode);
        String effective = mode == null ? config.defaultSubscriptionMode() : mode;
        return effective.equals("new") || effective.equals("new-only") ? new PopRequest.Subscription(null) : null;
    }
}
