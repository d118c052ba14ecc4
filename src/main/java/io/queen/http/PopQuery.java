package io.queen.http;

import io.queen.config.QueenConfig;
import io.queen.message.Ack;
import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.microprofile.openapi.annotations.enums.SchemaType;
import org.eclipse.microprofile.openapi.annotations.media.Schema;
import org.eclipse.microprofile.openapi.annotations.parameters.Parameter;
import org.jboss.resteasy.reactive.RestQuery;

/** The query of a pop. What is absent or empty has its default; numbers are read as far as they are numbers. */
public final class PopQuery {
    private static final Pattern LEADING_NUMBER = Pattern.compile("\\s*([+-]?\\d{1,10}).*", Pattern.DOTALL);

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

    PopRequest request(PopTarget target, QueenConfig.Pop config) {
        int messages = between(1, number(batch, config.defaultBatch()), config.maxBatch());
        boolean one = target instanceof PopTarget.Partition;
        String group = given(consumerGroup);
        return new PopRequest(
                target,
                group == null ? Ack.QUEUE_MODE : Text.name(group, "consumerGroup"),
                messages,
                one ? 1 : between(1, number(partitions, 1), messages),
                flag(autoAck),
                subscription(config),
                null);
    }

    /** Milliseconds to wait; 0 for a pop that does not. */
    long waitMillis(QueenConfig.Pop config) {
        return flag(wait) ? between(0, number(timeout, config.defaultTimeout()), config.maxTimeout()) : 0;
    }

    private PopRequest.Subscription subscription(QueenConfig.Pop config) {
        String from = given(subscriptionFrom);
        if (from != null) {
            return new PopRequest.Subscription(from.equals("now") ? null : Instants.parse(from, "subscriptionFrom"));
        }
        String mode = given(subscriptionMode);
        String effective = mode == null ? config.defaultSubscriptionMode() : mode;
        return effective.equals("new") || effective.equals("new-only") ? new PopRequest.Subscription(null) : null;
    }

    /** The value, null when absent or empty. */
    static String given(String value) {
        return value == null || value.isEmpty() ? null : value;
    }

    private static boolean flag(String value) {
        return "true".equals(value) || "1".equals(value);
    }

    private static long number(String value, int otherwise) {
        Matcher matcher = LEADING_NUMBER.matcher(value == null ? "" : value);
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : otherwise;
    }

    private static int between(int min, long value, int max) {
        return (int) Math.max(min, Math.min(value, max));
    }
}
