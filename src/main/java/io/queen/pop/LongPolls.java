package io.queen.pop;

import io.queen.ack.Acks;
import io.queen.consumer.Consumers;
import io.queen.message.Claim;
import io.queen.message.PopRequest;
import io.queen.message.PopResult;
import io.queen.metrics.MessageCounting;
import io.queen.pop.ready.Pauses;
import io.queen.pop.ready.PopMetrics;
import io.queen.pop.ready.ReadyIndex;
import io.queen.pop.ready.Timers;
import io.queen.runtime.EventLoopScoped;
import io.queen.runtime.LoopExecutor;
import io.queen.runtime.MaintenanceFlags;
import io.queen.sidecar.Sidecar;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The pops of one event loop: tried at once through the sidecar, and those that may wait tried again on news. Touched by
 * its own event loop only.
 */
@EventLoopScoped
public class LongPolls {
    private final Function<PopRequest, Uni<PopResult>> attempts;
    private final Consumer<List<Claim>> releases;
    private final ReadyIndex index;
    private final Pauses pauses;
    private final MaintenanceFlags flags;
    private final PopMetrics metrics;
    private final Consumers consumers;
    private final MessageCounting counting;
    private final Timers timers;
    private final Executor loop;
    private final Set<LongPoll> waiting = new HashSet<>();
    private boolean ending;

    @Inject
    LongPolls(
            Sidecar sidecar,
            PopOperation operation,
            Acks acks,
            ReadyIndex index,
            Pauses pauses,
            MaintenanceFlags flags,
            PopMetrics metrics,
            Consumers consumers,
            MessageCounting counting,
            Vertx vertx) {
        this(
                request -> sidecar.submit(
                        operation, request.withLeaseId(sidecar.ids().next())),
                acks::release,
                index,
                pauses,
                flags,
                metrics,
                consumers,
                counting,
                Timers.of(vertx),
                LoopExecutor.ofCaller(vertx)::later);
    }

    /**
     * @param attempts tries a pop once
     * @param releases gives back what was claimed for a client that has left
     * @param loop runs a task on the event loop, after what it is doing now
     */
    LongPolls(
            Function<PopRequest, Uni<PopResult>> attempts,
            Consumer<List<Claim>> releases,
            ReadyIndex index,
            Pauses pauses,
            MaintenanceFlags flags,
            PopMetrics metrics,
            Consumers consumers,
            MessageCounting counting,
            Timers timers,
            Executor loop) {
        this.attempts = attempts;
        this.releases = releases;
        this.index = index;
        this.pauses = pauses;
        this.flags = flags;
        this.metrics = metrics;
        this.consumers = consumers;
        this.counting = counting;
        this.timers = timers;
        this.loop = loop;
    }

    /**
     * Messages for the request, after at most {@code waitMillis}, 0 to try once; what it claims for a client that has left
     * is given back. The answer comes on the context of the caller.
     */
    public Uni<PopResult> pop(PopRequest request, long waitMillis, ClientGone gone) {
        Context caller = Vertx.currentContext();
        consumers.came(request);
        return Uni.createFrom()
                .<PopResult>emitter(emitter -> {
                    LongPoll poll = new LongPoll(
                            this,
                            index,
                            timers,
                            request,
                            waitMillis,
                            result -> caller.runOnContext(ignored -> emitter.complete(result)),
                            failure -> caller.runOnContext(ignored -> emitter.fail(failure)));
                    gone.then(poll::abandon);
                    poll.start();
                })
                .invoke(result -> counting.popped(request, result));
    }

    /** The server stops: pops that wait are answered now, and none waits any more. */
    void end() {
        ending = true;
        List.copyOf(waiting).forEach(LongPoll::expire);
    }

    /** Pops answer at once, without a try. */
    boolean inMaintenance() {
        return flags.pop();
    }

    /** Tries the pop, unless nothing of what it names is given out. */
    Uni<PopResult> attempt(PopRequest request) {
        return pauses.holds(request)
                ? Uni.createFrom().item(PopResult.absent(PopResult.Absence.PAUSED))
                : attempts.apply(request);
    }

    void release(List<Claim> claims) {
        releases.accept(claims);
    }

    boolean isEnding() {
        return ending;
    }

    /** Counts the try of a pop that had waited. */
    void retried(boolean found) {
        metrics.retried(found);
    }

    void joined(LongPoll poll, PopRequest request) {
        waiting.add(poll);
        count(request, 1);
    }

    void left(LongPoll poll, PopRequest request) {
        waiting.remove(poll);
        count(request, -1);
    }

    private void count(PopRequest request, int change) {
        metrics.parked(request.target(), change);
        consumers.parked(request, change);
    }

    void later(Runnable task) {
        loop.execute(task);
    }

    /** What was found, and when that is nothing because an operator holds it back, so. */
    PopResult explained(PopRequest request, PopResult result) {
        return result.isEmpty() && index.isPaused(request) ? PopResult.absent(PopResult.Absence.PAUSED) : result;
    }
}
