package io.queen.stream;

import io.queen.ack.Acks;
import io.queen.message.PushItem;
import io.queen.message.PushResult;
import io.queen.message.UuidV7;
import io.queen.metrics.MessageCounting;
import io.queen.pop.ready.PartitionNews;
import io.queen.sidecar.Sidecar;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Applies cycles and reads state, through the sidecar of the event loop that calls. */
@Singleton
final class Cycles {
    private final Sidecar sidecar;
    private final CycleOperation cycles;
    private final StateReadOperation reads;
    private final Acks acks;
    private final PartitionNews news;
    private final MessageCounting counting;
    private final StreamMetrics metrics;

    Cycles(
            Sidecar sidecar,
            CycleOperation cycles,
            StateReadOperation reads,
            Acks acks,
            PartitionNews news,
            MessageCounting counting,
            StreamMetrics metrics) {
        this.sidecar = sidecar;
        this.cycles = cycles;
        this.reads = reads;
        this.acks = acks;
        this.news = news;
        this.counting = counting;
        this.metrics = metrics;
    }

    UuidV7 ids() {
        return sidecar.ids();
    }

    /** Applies all of it or nothing. */
    Uni<CycleResult> apply(CycleReader.Read read) {
        Uni<CycleResult> result = read.refusal() == null
                ? sidecar.submit(cycles, read.cycle())
                : Uni.createFrom().item(CycleResult.refused(read.refusal(), null));
        return result.invoke(done -> {
            metrics.cycle(read.cycle(), done);
            if (done.error() == null) {
                announce(read.cycle(), done);
                counting.cycle(
                        read.cycle().pushes().items(),
                        done.pushes(),
                        done.ack(),
                        read.cycle().ackCount());
            }
        });
    }

    /** The state as a JSON array, empty when it has too many bytes for an answer. */
    Uni<Optional<String>> state(StateQuery query) {
        return sidecar.submit(reads, query);
    }

    private void announce(Cycle cycle, CycleResult result) {
        Set<UUID> told = new HashSet<>();
        List<PushItem> items = cycle.pushes().items();
        for (int i = 0; i < items.size(); i++) {
            UUID partitionId = result.pushes().get(i).partitionId();
            if (result.pushes().get(i).status() == PushResult.Status.QUEUED && told.add(partitionId)) {
                news.pushed(items.get(i).name(), partitionId);
            }
        }
        if (result.ack() != null) {
            acks.announce(cycle.ack(), result.ack());
        }
    }
}
