package io.queen.pop;

import io.queen.consumer.Consumers;
import io.queen.message.Claim;
import io.queen.message.PopRequest;
import io.queen.message.PopResult;
import io.queen.message.PopTarget;
import io.queen.pause.Pauses;
import io.queen.pop.ready.PopMetrics;
import io.queen.pop.ready.ReadyIndex;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/** The pops of one event loop that may wait: tried at once, parked when there is nothing, tried again on news. */
public final class LongPolls {
    private final Vertx vertx;
    private final Executor loop;
    private final ReadyIndex rings;
    private final PopMetrics metrics;
    private final BooleanSupplier stopped;
    private final Pauses pauses;
    private final Consumers consumers;
    private final Function<PopRequest, Uni<PopResult>> attempt;
    private final Consumer<List<Claim>> release;
    private final Set<LongPoll> parked = new HashSet<>();
    private boolean ending;

    /**
     * @param loop runs a task on the event loop, later and on a context that belongs to no request
     * @param stopped while true, pops are answered empty at once
     * @param pauses pops of what is paused wait as if there were nothing
     * @param consumers is told who pops, and who waits
     * @param attempt one try of a pop
     * @param release gives claims back that nobody is there for any more
     */
    LongPolls(
            Vertx vertx,
            Executor loop,
            ReadyIndex rings,
            PopMetrics metrics,
            BooleanSupplier stopped,
            Pauses pauses,
            Consumers consumers,
            Function<PopRequest, Uni<PopResult>> attempt,
            Consumer<List<Claim>> release) {
        this.vertx = vertx;
        this.loop = loop;
        this.rings = rings;
        this.metrics = metrics;
        this.stopped = stopped;
        this.pauses = pauses;
        this.consumers = consumers;
        this.attempt = attempt;
        this.release = release;
    }

    /** The answer, after at most {@code waitMillis}; 0 asks once. */
    public Uni<PopResult> pop(PopRequest request, long waitMillis, ClientGone departure) {
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
    public void end() {
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
        return loop;
    }

    ReadyIndex rings() {
        return rings;
    }

    PopMetrics metrics() {
        return metrics;
    }

    boolean stopped() {
        return stopped.getAsBoolean();
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
        return attempt.apply(request);
    }

    void release(List<Claim> claims) {
        release.accept(claims);
    }
}
