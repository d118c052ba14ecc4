package io.queen.push;

import java.util.UUID;

/**
 * The arguments of {@code push_list_v1}: arrays over lanes (partitions, ascending by id) and over items (in order of
 * arrival). {@code lane} and {@code nth} count from 1, and so do the items in {@code promised}, which {@code
 * push_limited_v1} never refuses.
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
        String[] producerSubs,
        Integer[] promised) {}
