package io.queen.push;

import io.queen.buffer.BufferedPushTarget;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.metrics.MessageCounting;
import io.queen.pop.ready.PartitionNews;
import io.queen.runtime.EventLoops;
import io.queen.sidecar.Sidecar;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** Stores messages, through the sidecar of the event loop that calls. */
@Singleton
public final class Pushes implements BufferedPushTarget {
    private final Sidecar sidecar;
    private final PushOperation operation;
    private final PartitionNews news;
    private final MessageCounting counting;
    private final EventLoops loops;

    Pushes(Sidecar sidecar, PushOperation operation, PartitionNews news, MessageCounting counting, EventLoops loops) {
        this.sidecar = sidecar;
        this.operation = operation;
        this.news = news;
        this.counting = counting;
        this.loops = loops;
    }

    /** Stores the items, all or none but for what a full queue refuses; one result per item, in order. */
    public Uni<List<PushResult>> push(List<PushItem> items) {
        return push(PushRequest.of(items, sidecar.ids()));
    }

    /**
     * Stores items that were answered before: no queue is too full for them. For a caller that is on no event loop; always
     * the same one serves it, and answers come there.
     */
    @Override
    public Uni<List<PushResult>> pushPromised(List<PushItem> items) {
        return loops.on(
                loops.all().get(0),
                () -> push(PushRequest.of(items, sidecar.ids()).asPromised()));
    }

    private Uni<List<PushResult>> push(PushRequest request) {
        return sidecar.submit(operation, request).invoke(results -> {
            announce(request.items(), results);
            counting.pushed(request.items(), results);
        });
    }

    /** One piece of news for each partition, however many messages it got. */
    private void announce(List<PushItem> items, List<PushResult> results) {
        Set<UUID> told = new HashSet<>();
        for (int i = 0; i < items.size(); i++) {
            UUID partitionId = results.get(i).partitionId();
            if (results.get(i).status() == PushResult.Status.QUEUED && told.add(partitionId)) {
                news.pushed(items.get(i).name(), partitionId);
            }
        }
    }
}
