package io.queen.runtime;

import io.netty.channel.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** One of Vert.x' event loops, with a context of its own on it, which belongs to no request. */
public final class LoopExecutor implements Loop {
    private final Vertx vertx;
    private final EventLoop loop;
    private final Context context;

    private LoopExecutor(Vertx vertx, EventLoop loop, Context context) {
        this.vertx = vertx;
        this.loop = loop;
        this.context = context;
    }

    /** For the loop that the caller runs on. */
    public static LoopExecutor ofCaller(Vertx vertx) {
        EventLoop loop = VertxInternals.currentLoop();
        return new LoopExecutor(vertx, loop, VertxInternals.context(vertx, loop));
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
        try {
            context.runOnContext(ignored -> task.run());
        } catch (RejectedExecutionException e) {
            // The loop has ended, and with it all that the task was about: a timer came after the end of the server.
        }
    }

    @Override
    public void after(long millis, Runnable task) {
        vertx.setTimer(millis, ignored -> execute(task));
    }

    @Override
    public boolean onLoop() {
        return loop.inEventLoop();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Executor caller() {
        Context current = Vertx.currentContext();
        return task -> current.runOnContext(ignored -> task.run());
    }
}
