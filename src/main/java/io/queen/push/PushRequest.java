package io.queen.push;

import io.queen.message.PushItem;
import io.queen.message.UuidV7;
import java.util.List;
import java.util.UUID;

/**
 * The items of one HTTP request, with the ids their messages get: fixed here, so that a list can be sent twice.
 *
 * @param promised they were accepted before, when their number could not be checked: no limit of a queue refuses them
 */
public record PushRequest(List<PushItem> items, UUID[] messageIds, long bytes, boolean promised) {
    /** What an item costs beside its payload and headers: names, ids, array elements. */
    private static final int OVERHEAD = 128;

    public static PushRequest of(List<PushItem> items, UuidV7 ids) {
        UUID[] messageIds = new UUID[items.size()];
        long bytes = 0;
        for (int i = 0; i < messageIds.length; i++) {
            messageIds[i] = ids.next();
            PushItem item = items.get(i);
            bytes += item.payload().length()
                    + (item.headers() == null ? 0 : item.headers().length())
                    + OVERHEAD;
        }
        return new PushRequest(items, messageIds, bytes, false);
    }

    public PushRequest asPromised() {
        return new PushRequest(items, messageIds, bytes, true);
    }
}
