package io.queen.message;

import java.util.UUID;

/** What became of one pushed item; for a duplicate the message id is that of the message stored first. */
public record PushResult(UUID messageId, UUID partitionId, boolean duplicate) {}
