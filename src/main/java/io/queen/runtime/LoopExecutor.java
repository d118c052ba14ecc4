package io.queen.runtime;

import io.vertx.core.Vertx;
import io.vertx.core.impl.ContextInternal;
import io.vertx.core.impl.VertxInternal;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Runs tasks on one event loop: at once when called on it, else through the context of the loop. */
public final class LoopExecutor implements Executor {
    private final ContextInternal context;

    LoopExecutor(ContextInternal context) {
        this.context = context;
    }

    /** For the loop that calls this: on a context of its own, which belongs to no request. */
    public static LoopExecutor ofCurrentLoop(Vertx vertx) {
        ContextInternal current = (ContextInternal) Vertx.currentContext();
        return new LoopExecutor(((VertxInternal) vertx)
                .createEventLoopContext(
                        current.nettyEventLoop(), null, Thread.currentThread().getContextClassLoader()));
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
