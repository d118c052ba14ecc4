package io.queen.runtime;

import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.Dependent;
import jakarta.enterprise.inject.Typed;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * One of Vert.x' event loops, with a context of its own on it, which belongs to no request. A bean of an event loop that
 * asks for a {@link Loop} gets its own.
 */
@Dependent
@Typed(Loop.class)
public final class LoopExecutor implements Loop {
    private final Timers timers;
    private final EventLoop loop;
    private final Context context;

    /** For the loop that the caller runs on. */
    LoopExecutor(Vertx vertx) {
        timers = Timers.of(vertx);
        loop = VertxInternals.currentLoop();
        context = VertxInternals.context(vertx, loop);
    }

    @Override
    public void execute(Runnable task) {
        if (onLoop()) {
            task.run();
        } else {
            later(task);
        }
    }

    @Override
    public void later(Runnable task) {
        later(context, task);
    }

    private static void later(Context context, Runnable task) {
        try {
            context.runOnContext(ignored -> task.run());
        } catch (RejectedExecutionException e) {
            // The loop has ended, and with it all that the task was about: a timer came after the end of the server.
        }
    }

    @Override
    public Runnable after(long millis, Runnable task) {
        return timers.after(millis, () -> execute(task));
    }

    @Override
    public boolean onLoop() {
        return loop.inEventLoop();
    }

    @Override
    public Executor caller() {
        Context current = Vertx.currentContext();
        return task -> later(current, task);
    }
}
