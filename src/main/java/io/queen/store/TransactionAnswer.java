package io.queen.store;

/**
 * The answer of {@code transaction_list_v1}.
 *
 * @param missing a partition to push to is gone, nothing was done
 * @param deadLettered per ack
 */
public record TransactionAnswer(boolean missing, Boolean[] deadLettered) {}
