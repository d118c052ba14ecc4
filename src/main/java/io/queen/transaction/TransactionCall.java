package io.queen.transaction;

import io.queen.ack.AckCall;
import io.queen.push.PushCall;
import java.util.UUID;

/** The arguments of {@code transaction_list_v1}; the operations are the places of pushes and acks among all, from 0. */
public record TransactionCall(
        PushCall push, Integer[] pushOperations, AckCall acks, Integer[] ackOperations, UUID[] requiredLeases) {}
