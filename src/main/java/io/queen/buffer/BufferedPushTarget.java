package io.queen.buffer;

import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.smallrye.mutiny.Uni;
import java.util.List;

/** Where buffered messages are delivered to. Implemented by the package that stores pushes, which lies above this one. */
public interface BufferedPushTarget {
    /**
     * Stores messages that were answered {@code buffered} before: no limit of a queue refuses them. One result per item,
     * in order. May be called on any thread.
     */
    Uni<List<PushResult>> pushPromised(List<PushItem> items);
}
