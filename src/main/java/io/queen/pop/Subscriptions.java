package io.queen.pop;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.queen.database.Connection;
import io.queen.database.Database;
import io.queen.message.PopRequest;
import io.queen.message.PopTarget;
import io.queen.pop.ready.PartitionNews;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

/**
 * Fixes where a group starts, at its first pop, whatever that finds. The record is asked for again after a while, because
 * a group can be deleted through another server.
 *
 * <p>A record can be for a queue that does not exist yet. Retention removes those that are not asked for; a caller who makes
 * up names is faster than that, so after as many as may be kept they are removed from here.
 */
@Singleton
final class Subscriptions {
    private static final Logger LOG = Logger.getLogger(Subscriptions.class);
    private static final Duration TRUSTED = Duration.ofSeconds(2);
    private static final int MAX_KNOWN = 100_000;

    private record Key(String queue, String group, String partition) {}

    private final Cache<Key, Boolean> known = Caffeine.newBuilder()
            .expireAfterWrite(TRUSTED)
            .maximumSize(MAX_KNOWN)
            .build();
    private final Database database;
    private final AtomicInteger early = new AtomicInteger();

    Subscriptions(Database database, PartitionNews news) {
        this.database = database;
        news.onGroupMoved(this::forget);
        news.onQueueDeleted(this::forget);
    }

    /** For pops of one queue or partition. */
    Uni<Void> record(Connection connection, List<PopRequest> requests) {
        Uni<Void> all = Uni.createFrom().voidItem();
        for (PopRequest request : requests) {
            Key key = request.subscribes() ? key(request) : null;
            all = key == null ? all : then(all, connection, key, request);
        }
        return all;
    }

    private static Key key(PopRequest request) {
        if (request.target() instanceof PopTarget.Partition one) {
            return new Key(one.queue(), request.consumerGroup(), one.partition());
        }
        return request.target() instanceof PopTarget.Queue queue
                ? new Key(queue.queue(), request.consumerGroup(), "")
                : null;
    }

    /** For a pop of several queues, once it is known which. */
    Uni<Void> record(Connection connection, PopRequest request, List<String> queues) {
        Uni<Void> all = Uni.createFrom().voidItem();
        for (String queue : request.subscribes() ? queues : List.<String>of()) {
            all = then(all, connection, new Key(queue, request.consumerGroup(), ""), request);
        }
        return all;
    }

    private Uni<Void> then(Uni<Void> before, Connection connection, Key key, PopRequest request) {
        if (known.getIfPresent(key) != null) {
            return before;
        }
        PopRequest.Subscription subscription = request.subscription();
        return before.flatMap(done -> SubscriptionStore.subscribe(
                        connection,
                        key.queue(),
                        key.group(),
                        key.partition(),
                        subscription.isNew(),
                        subscription.time()))
                .invoke(isEarly -> {
                    known.put(key, true);
                    if (isEarly && early.incrementAndGet() % SubscriptionStore.KEPT == 0) {
                        removeIdle();
                    }
                })
                .replaceWithVoid();
    }

    private void removeIdle() {
        SubscriptionStore.removeIdle(database)
                .subscribe()
                .with(done -> {}, failure -> LOG.warnf("Idle subscriptions not removed: %s", failure.getMessage()));
    }

    private void forget(String queue, String group) {
        known.asMap()
                .keySet()
                .removeIf(key -> key.queue().equals(queue) && key.group().equals(group));
    }

    private void forget(String queue) {
        known.asMap().keySet().removeIf(key -> key.queue().equals(queue));
    }
}
