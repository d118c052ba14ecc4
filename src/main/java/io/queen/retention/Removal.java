package io.queen.retention;

import io.queen.message.QueenException;
import io.queen.retention.RetentionStore.Due;
import io.queen.retention.RetentionStore.Removed;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * One run that removes what is old, for one reason: queue by queue, partition by partition, in portions of their own
 * transaction with a pause between them. Partitions that are being written to are passed over at first; when only such
 * are left they are waited for, one by one. It ends early when another server is at it, or when its allowance is used up.
 */
final class Removal {
    private static final Logger LOG = Logger.getLogger(Removal.class);
    private static final Duration PAUSE = Duration.ofMillis(10);
    /** Partitions that one look walks over. */
    private static final int STEP = 1000;

    private final RetentionStore store;
    private final Expiry expiry;
    private final int portion;
    private final OffsetDateTime started = OffsetDateTime.now(ZoneOffset.UTC);
    private long allowance;
    private long removed;

    /** @param allowance messages that may be removed in all */
    Removal(RetentionStore store, Expiry expiry, int portion, long allowance) {
        this.store = store;
        this.expiry = expiry;
        this.portion = portion;
        this.allowance = allowance;
    }

    /** Messages removed. */
    Uni<Long> run() {
        return store.queues(expiry)
                .flatMap(queues -> next(queues.iterator()))
                .map(done -> removed)
                .invoke(count -> LOG.debugf("Removed %d messages (%s)", count, expiry.kind()));
    }

    private Uni<Void> next(Iterator<UUID> queues) {
        return allowance <= 0 || !queues.hasNext() ? end() : queue(queues.next(), null, queues);
    }

    private Uni<Void> queue(UUID queue, String after, Iterator<UUID> queues) {
        return store.due(expiry, queue, after, STEP)
                .flatMap(due -> remove(due.partitions(), false).flatMap(done -> goOn(queue, due, queues)));
    }

    private Uni<Void> goOn(UUID queue, Due due, Iterator<UUID> queues) {
        return due.lastName() == null || allowance <= 0 ? next(queues) : queue(queue, due.lastName(), queues);
    }

    private Uni<Void> remove(List<UUID> partitions, boolean wait) {
        if (partitions.isEmpty() || allowance <= 0) {
            return end();
        }
        List<UUID> tried = wait ? partitions.subList(0, 1) : partitions;
        List<UUID> others = partitions.subList(tried.size(), partitions.size());
        return store.remove(expiry, started, tried, (int) Math.min(portion, allowance), wait)
                .onItem()
                .delayIt()
                .by(PAUSE)
                .onFailure(failure -> wait && failure instanceof QueenException)
                .recoverWithItem(failure -> putOff(tried.get(0), failure))
                .flatMap(answer -> removed(answer, others));
    }

    /** A partition that is locked for longer than a statement waits: the next run sees to it. */
    private static Removed putOff(UUID partition, Throwable failure) {
        LOG.debugf("Partition %s is left for the next run: %s", partition, failure.getMessage());
        return new Removed(0L, List.of());
    }

    private Uni<Void> removed(Removed answer, List<UUID> others) {
        if (answer.count() == null) {
            allowance = 0;
            return end();
        }
        removed += answer.count();
        allowance -= answer.count();
        List<UUID> left = new ArrayList<>(answer.remaining());
        left.addAll(others);
        return remove(left, answer.count() == 0);
    }

    private static Uni<Void> end() {
        return Uni.createFrom().voidItem();
    }
}
