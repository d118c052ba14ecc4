package io.queen.store;

import java.util.UUID;

/**
 * The arguments of {@code push_list_v1}: arrays over lanes (partitions, ascending by id) and over items (in order of
 * arrival). {@code lane} and {@code nth} count from 1.
 */
public record PushCall(
        UUID[] laneIds,
        Integer[] laneCounts,
        Integer[] lane,
        Integer[] nth,
        String[] transactionIds,
        UUID[] messageIds,
        String[] payloads,
        UUID[] traceIds,
        Boolean[] encrypted,
        String[] producerSubs) {}
