package io.queen.pop;

import io.queen.ack.Acks;
import io.queen.consumer.Consumers;
import io.queen.message.Claim;
import io.queen.message.PopRequest;
import io.queen.message.PopResult;
import io.queen.message.PopTarget;
import io.queen.metrics.MessageCounting;
import io.queen.pop.ready.Pauses;
import io.queen.pop.ready.PopMetrics;
import io.queen.pop.ready.ReadyIndex;
import io.queen.runtime.EventLoopScoped;
import io.queen.runtime.LoopExecutor;
import io.queen.runtime.MaintenanceFlags;
import io.queen.sidecar.Sidecar;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * The pops of one event loop that may wait: tried at once, parked when there is nothing, tried again on news.
 */
@EventLoopScoped
public class LongPolls {
    private final Vertx vertx;
    private final LoopExecutor loop;
    private final ReadyIndex rings;
    private final PopMetrics metrics;
    private final MaintenanceFlags flags;
    private final Pauses pauses;
    private final Consumers consumers;
    private final Sidecar sidecar;
    private final PopOperation operation;
    private final Acks acks;
    private final MessageCounting counting;
    private final Set<LongPoll> parked = new HashSet<>();
    private boolean ending;

    LongPolls(
            Vertx vertx,
            ReadyIndex rings,
            PopMetrics metrics,
            MaintenanceFlags flags,
            Pauses pauses,
            Consumers consumers,
            Sidecar sidecar,
            PopOperation operation,
            Acks acks,
            MessageCounting counting) {
        this.vertx = vertx;
        this.loop = LoopExecutor.ofCaller(vertx);
        this.rings = rings;
        this.metrics = metrics;
        this.flags = flags;
        this.pauses = pauses;
        this.consumers = consumers;
        this.sidecar = sidecar;
        this.operation = operation;
        this.acks = acks;
        this.counting = counting;
    }

    /**
     * Messages for the request, after at most {@code waitMillis}; what it claims for a client that has left is given
     * back.
     */
    public Uni<PopResult> pop(PopRequest request, long waitMillis, ClientGone gone) {
        return poll(request.withLeaseId(sidecar.ids().next()), waitMillis, gone)
                .invoke(result -> counting.popped(request, result));
    }

    /** The answer, after at most {@code waitMillis}; 0 asks once. */
    private Uni<PopResult> poll(PopRequest request, long waitMillis, ClientGone departure) {
        Context caller = Vertx.currentContext();
        consumers.came(request);
        return Uni.createFrom().emitter(emitter -> {
            LongPoll poll = new LongPoll(
                    this,
                    request,
                    waitMillis,
                    result -> caller.runOnContext(ignored -> emitter.complete(result)),
                    failure -> caller.runOnContext(ignored -> emitter.fail(failure)));
            departure.then(poll::abandon);
            poll.start();
        });
    }

    /** The server stops: who waits is answered now, and nobody waits any more. On the event loop. */
    void end() {
        ending = true;
        List.copyOf(parked).forEach(LongPoll::expire);
    }

    boolean isEnding() {
        return ending;
    }

    void parked(LongPoll poll, PopRequest request) {
        parked.add(poll);
        metrics.parked(request.target(), 1);
        consumers.parked(request, 1);
    }

    void unparked(LongPoll poll, PopRequest request) {
        parked.remove(poll);
        metrics.parked(request.target(), -1);
        consumers.parked(request, -1);
    }

    Vertx vertx() {
        return vertx;
    }

    Executor loop() {
        return loop::later;
    }

    ReadyIndex rings() {
        return rings;
    }

    PopMetrics metrics() {
        return metrics;
    }

    boolean stopped() {
        return flags.pop();
    }

    /** Whether it need not be tried: nothing of what it names is given out. */
    boolean isPaused(PopRequest request) {
        return pauses.holds(request);
    }

    /** What was found, and when that is nothing because an operator holds it back, so. */
    PopResult explained(PopRequest request, PopResult result) {
        boolean paused = result.isEmpty()
                && !pauses.isEmpty()
                && (request.target() instanceof PopTarget.Matching target
                        ? rings.matching(target, request.consumerGroup()).isPaused()
                        : pauses.holds(request));
        return paused ? PopResult.absent(PopResult.Absence.PAUSED) : result;
    }

    Uni<PopResult> attempt(PopRequest request) {
        return sidecar.submit(operation, request);
    }

    void release(List<Claim> claims) {
        acks.release(claims);
    }
}
