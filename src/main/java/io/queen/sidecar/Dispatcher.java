package io.queen.sidecar;

import io.queen.message.QueenException;
import java.util.List;

/**
 * Gives free connections to waiting batches: in the order of {@link Operation}, but a queue that was passed over a few
 * times goes first, so that none starves. Touched by its own event loop only.
 */
final class Dispatcher {
    /** How often others may go first. */
    private static final int PATIENCE = 4;

    private final SlotSource slots;
    private final LockWatch watch;
    private final List<BatchQueue<?, ?>> queues;
    /** How often others went first although the queue could have used the connection. */
    private final int[] passedOver;

    /** @param queues in the order of their operations */
    Dispatcher(SlotSource slots, LockWatch watch, List<BatchQueue<?, ?>> queues) {
        this.slots = slots;
        this.watch = watch;
        this.queues = queues;
        this.passedOver = new int[queues.size()];
        queues.forEach(queue -> queue.attach(this));
        watch.attach(this::run);
    }

    /** Sends what can be sent now. Called whenever a batch or a connection has become available, or PostgreSQL has gone. */
    void run() {
        if (slots.unavailable() != null) {
            watch.forget();
            queues.forEach(queue -> queue.failWaiting(slots.unavailable()));
            return;
        }
        for (Slot slot = slots.free(); slot != null; slot = slots.free()) {
            if (watch.wantsSlot()) {
                slot.take();
                watch.ask(slot);
                continue;
            }
            BatchQueue<?, ?> next = next();
            if (next == null) {
                return;
            }
            slot.take();
            next.send(slot);
        }
    }

    boolean hasFreeSlot() {
        return slots.free() != null;
    }

    /** What to tell callers while PostgreSQL is away; null while it is there. */
    QueenException unavailable() {
        return slots.unavailable();
    }

    /** Which queue gets the next connection; null when none can use it. */
    private BatchQueue<?, ?> next() {
        int chosen = -1;
        for (int i = 0; i < passedOver.length; i++) {
            if (queues.get(i).canSend()) {
                chosen = chosen < 0 || passedOver[i] >= PATIENCE ? i : chosen;
                passedOver[i]++;
            }
        }
        if (chosen < 0) {
            return null;
        }
        passedOver[chosen] = 0;
        return queues.get(chosen);
    }
}
