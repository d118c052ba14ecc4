package io.queen.runtime;

import io.vertx.core.impl.ContextInternal;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Runs tasks on one event loop: at once when called on it, else through the context of the loop. */
public final class LoopExecutor implements Executor {
    private final ContextInternal context;

    public LoopExecutor(ContextInternal context) {
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
    public void later(Runnable task) {
        try {
            context.runOnContext(ignored -> task.run());
        } catch (RejectedExecutionException e) {
            // The loop has ended, and with it all that the task was about: a timer came after the end of the server.
        }
    }

    public boolean onLoop() {
        return context.nettyEventLoop().inEventLoop();
    }
}
