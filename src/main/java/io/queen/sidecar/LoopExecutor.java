package io.queen.sidecar;

import io.vertx.core.impl.ContextInternal;
import java.util.concurrent.Executor;

/** Runs tasks on one event loop: at once when called on it, else through the context of the loop. */
final class LoopExecutor implements Executor {
    private final ContextInternal context;

    LoopExecutor(ContextInternal context) {
        this.context = context;
    }

    @Override
    public void execute(Runnable task) {
        if (onLoop()) {
            task.run();
        } else {
            later(task);
        }
    }

    /** After what the loop is doing now: requests that arrived together are all there by then. */
    void later(Runnable task) {
        context.runOnContext(ignored -> task.run());
    }

    boolean onLoop() {
        return context.nettyEventLoop().inEventLoop();
    }
}
