package io.queen.store;

/** A partition by its names. */
public record Lane(String queue, String partition) {}
