package io.queen.admin.deadletter;

import io.queen.message.TimeRange;

/** Which dead letters are meant; null for any, {@code failed} has nulls for open ends. */
public record DeadLetterFilter(String queue, String partition, String consumerGroup, TimeRange failed) {}
