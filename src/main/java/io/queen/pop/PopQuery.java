package io.queen.pop;

import io.queen.config.QueenConfig;
import io.queen.message.Ack;
import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import io.queen.web.FieldRules;
import io.queen.web.QueryParams;
import io.queen.web.TimeParser;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.jboss.resteasy.reactive.RestHeader;
import org.jboss.resteasy.reactive.RestQuery;

/** The query of a pop. */
public final class PopQuery {
    @RestQuery
    @Parameter(
            description = "Messages at most, over all partitions",
            schema = @Schema(type = SchemaType.INTEGER, defaultValue = "1"))
    String batch;

    @RestQuery
    @Parameter(
            description = "Partitions at most, under one lease",
            schema = @Schema(type = SchemaType.INTEGER, defaultValue = "1"))
    String partitions;

    @RestQuery
    @Parameter(
            description = "Wait until there is something",
            schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "false"))
    String wait;

    @RestQuery
    @Parameter(
            description = "How long to wait, in milliseconds",
            schema = @Schema(type = SchemaType.INTEGER, defaultValue = "30000"))
    String timeout;

    @RestQuery
    @Parameter(
            description = "Every group gets every message",
            schema = @Schema(type = SchemaType.STRING, defaultValue = "__QUEUE_MODE__"))
    String consumerGroup;

    @RestQuery
    @Parameter(
            description = "Acknowledge with the pop, without a lease",
            schema = @Schema(type = SchemaType.BOOLEAN, defaultValue = "false"))
    String autoAck;

    @RestQuery
    @Parameter(
            description = "At the first pop of a group: `new` skips what is there",
            schema = @Schema(type = SchemaType.STRING, defaultValue = "all"))
    String subscriptionMode;

    @RestQuery
    @Parameter(description = "At the first pop of a group: where it starts; `now`, a time, or `5m ago`")
    String subscriptionFrom;

    @RestHeader(Holder.HEADER)
    @Parameter(
            description = "What the consumer calls itself, for people who look who holds a lease: up to 100 printable"
                    + " ASCII characters")
    String consumer;

    PopRequest request(PopTarget target, QueenConfig.Pop config) {
        int messages =
                QueryParams.between(1, QueryParams.number(batch, "batch", config.defaultBatch()), config.maxBatch());
        long asked = QueryParams.number(partitions, "partitions", 1);
        boolean one = target instanceof PopTarget.Partition;
        String group = QueryParams.given(consumerGroup);
        return new PopRequest(
                target,
                group == null ? Ack.QUEUE_MODE : FieldRules.name(group, "consumerGroup"),
                messages,
                one ? 1 : QueryParams.between(1, asked, messages),
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
