package io.queen.pop;

import io.queen.consumer.Consumers;
import io.queen.message.Claim;
import io.queen.message.PopRequest;
import io.queen.message.PopResult;
import io.queen.pause.Pauses;
import io.queen.pop.ready.PopMetrics;
import io.queen.pop.ready.ReadyIndex;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/** Makes the {@link LongPolls} of each event loop, with what all of them share. */
@Singleton
public final class LongPolling {
    private final Vertx vertx;
    private final ReadyIndex rings;
    private final PopMetrics metrics;
    private final Pauses pauses;
    private final Consumers consumers;

    LongPolling(Vertx vertx, ReadyIndex rings, PopMetrics metrics, Pauses pauses, Consumers consumers) {
        this.vertx = vertx;
        this.rings = rings;
        this.metrics = metrics;
        this.pauses = pauses;
        this.consumers = consumers;
    }

    public LongPolls open(
            Executor loop,
            BooleanSupplier stopped,
            Function<PopRequest, Uni<PopResult>> attempt,
            Consumer<List<Claim>> release) {
        return new LongPolls(vertx, loop, rings, metrics, stopped, pauses, consumers, attempt, release);
    }
}
