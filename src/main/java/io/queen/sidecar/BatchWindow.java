package io.queen.sidecar;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.BackPressureStrategy;
import io.smallrye.mutiny.subscription.MultiEmitter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Gathers requests while others of their kind are on their way: a stream grouped into lists by number and by time. The window
 * is the ceiling of the wait; {@link #close} ends it early, because a connection must not idle while requests wait.
 *
 * <p>Mutiny's timer emits from a worker thread, so lists come back through the executor of the loop. Touched by its own
 * event loop only.
 */
final class BatchWindow<T> {
    private final int size;
    private final Duration window;
    private final Executor loop;
    private final Consumer<List<T>> sink;
    private MultiEmitter<? super T> open;

    BatchWindow(int size, Duration window, Executor loop, Consumer<List<T>> sink) {
        this.size = size;
        this.window = window;
        this.loop = loop;
        this.sink = sink;
    }

    void add(T item) {
        if (open == null) {
            open();
        }
        open.emit(item);
    }

    /** What has gathered goes to the sink before this returns. */
    void close() {
        if (open != null) {
            MultiEmitter<? super T> ending = open;
            open = null;
            ending.complete();
        }
    }

    private void open() {
        Multi.createFrom()
                .<T>emitter(emitter -> open = emitter, BackPressureStrategy.BUFFER)
                .group()
                .intoLists()
                .of(size, window)
                .subscribe()
                .with(list -> loop.execute(() -> sink.accept(list)));
    }
}
