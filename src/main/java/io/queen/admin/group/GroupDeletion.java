package io.queen.admin.group;

import java.util.List;

/**
 * What the deletion of a group removed.
 *
 * @param partitions cursors
 * @param metadata whether a subscription was among it
 * @param queues the queues in which something was removed
 */
public record GroupDeletion(int partitions, boolean metadata, List<String> queues) {}
