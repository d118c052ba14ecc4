package io.queen.message;

/** A partition by its names. */
public record PartitionName(String queue, String partition) {}
