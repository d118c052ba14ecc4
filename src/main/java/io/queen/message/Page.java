package io.queen.message;

/** A part of a list: so many elements at most, after skipping so many. */
public record Page(int limit, int offset) {}
