package io.queen.sidecar;

import io.queen.message.QueenException;
import java.util.List;

/**
 * Gives free connections to waiting lists: in the order of the operations, but a list that was passed over a few times
 * goes first, so that none starves. Touched by its own event loop only.
 */
public final class Dispatcher {
    private static final int PATIENCE = 4;

    private final Slots links;
    private final LockWatch watch;
    private final List<BatchQueue<?, ?>> queues;
    private boolean quiet;

    Dispatcher(Slots links, LockWatch watch, List<BatchQueue<?, ?>> queues) {
        this.links = links;
        this.watch = watch;
        this.queues = queues;
        queues.forEach(queue -> queue.attach(this));
        watch.attach(this::run);
    }

    void run() {
        if (quiet) {
            return;
        }
        if (links.unavailable() != null) {
            watch.forget();
            queues.forEach(queue -> queue.failWaiting(links.unavailable()));
            return;
        }
        for (Slot link = links.free(); link != null; link = links.free()) {
            if (watch.wantsLink()) {
                link.take();
                watch.ask(link);
                continue;
            }
            BatchQueue<?, ?> next = next();
            if (next == null) {
                return;
            }
            link.take();
            next.send(link);
        }
    }

    /** Runs a task that would start the pump, without starting it: for who is in the middle of it. */
    void quietly(Runnable task) {
        boolean before = quiet;
        quiet = true;
        task.run();
        quiet = before;
    }

    boolean hasFreeLink() {
        return links.free() != null;
    }

    QueenException unavailable() {
        return links.unavailable();
    }

    private BatchQueue<?, ?> next() {
        BatchQueue<?, ?> chosen = null;
        for (BatchQueue<?, ?> queue : queues) {
            if (queue.mayStart() && queue.hasList() && (chosen == null || queue.passedOver() >= PATIENCE)) {
                chosen = queue;
            }
        }
        for (BatchQueue<?, ?> queue : queues) {
            if (chosen != null && queue != chosen && queue.mayStart() && queue.hasList()) {
                queue.passOver();
            }
        }
        return chosen;
    }
}
