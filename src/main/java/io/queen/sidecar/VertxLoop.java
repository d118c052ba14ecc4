package io.queen.sidecar;

import io.queen.runtime.LoopExecutor;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.concurrent.Executor;

/** The event loop that makes it, on a context of its own, which belongs to no request. */
final class VertxLoop implements Loop {
    private final Vertx vertx;
    private final LoopExecutor executor;

    VertxLoop(Vertx vertx) {
        this.vertx = vertx;
        this.executor = LoopExecutor.ofCaller(vertx);
    }

    @Override
    public void execute(Runnable task) {
        executor.execute(task);
    }

    @Override
    public void nextTurn(Runnable task) {
        executor.later(task);
    }

    @Override
    public void after(long millis, Runnable task) {
        vertx.setTimer(millis, ignored -> executor.execute(task));
    }

    @Override
    public boolean isCurrent() {
        return executor.onLoop();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Executor caller() {
        Context context = Vertx.currentContext();
        return task -> context.runOnContext(ignored -> task.run());
    }
}
