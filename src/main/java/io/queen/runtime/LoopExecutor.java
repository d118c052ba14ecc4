package io.queen.runtime;

import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** Runs tasks on one event loop: at once when called on it, else through a context of the loop. */
public final class LoopExecutor implements Executor {
    private final EventLoop loop;
    private final Context context;

    private LoopExecutor(EventLoop loop, Context context) {
        this.loop = loop;
        this.context = context;
    }

    /** For the loop that the caller runs on. */
    public static LoopExecutor ofCaller(Vertx vertx) {
        EventLoop loop = VertxInternals.currentLoop();
        return new LoopExecutor(loop, VertxInternals.context(vertx, loop));
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
        return loop.inEventLoop();
    }
}
