package io.queen.push;

import io.queen.buffer.BufferedPushTarget;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.sidecar.AnySidecar;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;

/** Stores what the file buffer delivers. */
@Singleton
final class BufferedPushes implements BufferedPushTarget {
    private final AnySidecar sidecar;

    BufferedPushes(AnySidecar sidecar) {
        this.sidecar = sidecar;
    }

    @Override
    public Uni<List<PushResult>> push(List<PushItem> items) {
        return sidecar.pushPromised(items);
    }
}
