package io.queen.push;

import io.queen.buffer.PushBuffer;
import io.queen.message.ErrorCode;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.message.QueenException;
import io.queen.runtime.MaintenanceFlags;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Collections;
import java.util.List;

/**
 * Where every push comes in: to the database, or to the file buffer while the database can't or must not take it, or has
 * not taken yet what was pushed to the same partition before.
 *
 * <p>With nothing buffered and no maintenance it costs two volatile reads.
 */
@Singleton
final class PushRouter {
    private final MaintenanceFlags flags;
    private final PushBuffer buffer;
    private final Pushes pushes;

    PushRouter(MaintenanceFlags flags, PushBuffer buffer, Pushes pushes) {
        this.flags = flags;
        this.buffer = buffer;
        this.pushes = pushes;
    }

    /** Stores or buffers the items, all or none; one result per item, in order. */
    Uni<List<PushResult>> push(List<PushItem> items) {
        if (flags.push()) {
            return buffer(items);
        }
        return buffer.isEmpty()
                ? store(items)
                : buffer.awaitDrained(items).flatMap(drained -> drained ? store(items) : buffer(items));
    }

    /** A push that was cut off in flight is buffered too: if it had arrived after all, it is a duplicate later. */
    private Uni<List<PushResult>> store(List<PushItem> items) {
        return pushes.push(items).onFailure(PushRouter::isAway).recoverWithUni(() -> buffer(items));
    }

    private Uni<List<PushResult>> buffer(List<PushItem> items) {
        return buffer.append(items).replaceWith(() -> Collections.nCopies(items.size(), PushResult.buffered()));
    }

    private static boolean isAway(Throwable failure) {
        return failure instanceof QueenException known && known.code() == ErrorCode.DATABASE_UNAVAILABLE;
    }
}
