package io.queen.sidecar;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.BackPressureStrategy;
import io.smallrye.mutiny.subscription.MultiEmitter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Gathers requests while others of their operation are in flight. A stream that Mutiny groups by number and by time says
 * when the window ends; {@link #take} ends it early, because a connection must not idle while requests wait.
 *
 * <p>What has gathered is kept here and not taken from the group: its timer runs on a worker thread, and the list that it
 * holds in the moment in which the loop completes the stream would be dropped. Touched by its own event loop only.
 */
final class BatchWindow<T> {
    private final int size;
    private final Duration length;
    private final Executor loop;
    private final Runnable onEnd;
    private List<T> gathered = new ArrayList<>();
    private MultiEmitter<? super T> group;
    private long opened;

    /** @param onEnd runs on the loop when so many have gathered, or the first has waited so long */
    BatchWindow(int size, Duration length, Executor loop, Runnable onEnd) {
        this.size = size;
        this.length = length;
        this.loop = loop;
        this.onEnd = onEnd;
    }

    void add(T item) {
        if (group == null) {
            open(++opened);
        }
        gathered.add(item);
        group.emit(item);
    }

    boolean isEmpty() {
        return gathered.isEmpty();
    }

    /** All that has gathered, in order. The next one opens a window of its own. */
    List<T> take() {
        List<T> taken = gathered;
        gathered = new ArrayList<>();
        if (group != null) {
            MultiEmitter<? super T> ending = group;
            group = null;
            ending.complete();
        }
        return taken;
    }

    private void open(long number) {
        Multi.createFrom()
                .<T>emitter(emitter -> group = emitter, BackPressureStrategy.BUFFER)
                .group()
                .intoLists()
                .of(size, length)
                .subscribe()
                .with(full -> loop.execute(() -> ended(number)));
    }

    private void ended(long number) {
        if (group != null && opened == number) {
            onEnd.run();
        }
    }
}
