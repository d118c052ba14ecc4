package io.queen.web;

/** An answer to an {@link Audited} request that only asked what would happen: there is no act to write down. */
public interface NothingDone {}
