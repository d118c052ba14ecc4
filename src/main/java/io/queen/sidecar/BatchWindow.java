package io.queen.sidecar;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.subscription.BackPressureStrategy;
import io.smallrye.mutiny.subscription.MultiEmitter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Gathers requests while others of their operation are in flight. A stream that Mutiny groups by time says when the window
 * ends; so many requests end it early, and so does {@link #take}, because a connection must not idle while requests wait.
 *
 * <p>Mutiny's timer runs on a worker thread. A group by number and time ({@code of(size, length)}) has two races with the
 * loop: the list that the timer holds in the moment in which the loop completes the stream is dropped, and a timer that
 * ends before the first item has been added never comes again. So what has gathered is kept here, and the timer runs from
 * the opening of the window on. Touched by its own event loop only.
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
        if (gathered.size() >= size) {
            onEnd.run();
        }
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
                .every(length, true)
                .subscribe()
                .with(list -> over(number), failure -> over(number));
    }

    /** It is over when the timer says so, or can't say so: it fails when it ends before the subscription is complete. */
    private void over(long number) {
        loop.execute(() -> {
            if (group != null && opened == number) {
                onEnd.run();
            }
        });
    }
}
