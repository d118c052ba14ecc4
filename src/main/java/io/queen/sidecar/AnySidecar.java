package io.queen.sidecar;

import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.runtime.EventLoops;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;

/** A sidecar for who is not on an event loop. Always the same one, and answers come on its loop. */
@Singleton
public final class AnySidecar {
    private final EventLoops loops;
    private final Sidecar sidecar;

    AnySidecar(EventLoops loops, Sidecar sidecar) {
        this.loops = loops;
        this.sidecar = sidecar;
    }

    /** As {@link Sidecar#pushPromised}. */
    public Uni<List<PushResult>> pushPromised(List<PushItem> items) {
        return loops.on(loops.all().get(0), () -> sidecar.pushPromised(items));
    }
}
