package io.queen.transaction;

import io.queen.message.AckResult;
import java.util.List;

/**
 * The answer of {@code transaction_list_v1}.
 *
 * @param missing a partition to push to is gone, nothing was done
 * @param acks what became of each ack
 */
public record TransactionAnswer(boolean missing, List<AckResult> acks) {}
