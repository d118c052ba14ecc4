package io.queen.pop.ready;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.queen.config.QueenConfig;
import io.queen.message.PartitionName;
import io.queen.message.PopTarget;
import io.vertx.core.Vertx;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * All rings of this server, and the places where pops of single partitions wait. What nobody asked for in a while is
 * forgotten: it is only a memory.
 */
@Singleton
public final class ReadyIndex {
    private static final Duration IDLE = Duration.ofMinutes(10);

    private final Vertx vertx;
    private final ProbeSchedule schedule;
    private final PopMetrics metrics;
    private final Pauses pauses;
    private final Cache<String, Map<String, ReadyPartitions>> queues =
            Caffeine.newBuilder().expireAfterAccess(IDLE).build();
    private final Cache<PartitionName, Map<String, WaitList>> lanes =
            Caffeine.newBuilder().expireAfterAccess(IDLE).build();

    private final Cache<MatchKey, FilterWaiters> matching =
            Caffeine.newBuilder().expireAfterAccess(IDLE).build();

    private record MatchKey(PopTarget.Matching target, String group) {}

    public ReadyIndex(Vertx vertx, QueenConfig config, PopMetrics metrics, Pauses pauses) {
        this.pauses = pauses;
        this.vertx = vertx;
        this.schedule = ProbeSchedule.of(config.pop());
        this.metrics = metrics;
    }

    public ReadyPartitions ring(String queue, String group) {
        return queues.get(queue, name -> new ConcurrentHashMap<>())
                .computeIfAbsent(group, name -> new ReadyPartitions(parking()));
    }

    /** Where pops of that partition wait. */
    public WaitList parking(PartitionName lane, String group) {
        return lanes.get(lane, key -> new ConcurrentHashMap<>()).computeIfAbsent(group, name -> parking());
    }

    /** Where pops of several queues wait. */
    public FilterWaiters matching(PopTarget.Matching target, String group) {
        return matching.get(
                new MatchKey(target, group),
                key -> new FilterWaiters(target, parking(), queue -> pauses.holds(queue, group)));
    }

    private WaitList parking() {
        return new WaitList(vertx, schedule, metrics);
    }

    /** A push to the partition was committed: every group hears of it. */
    public void pushed(PartitionName lane, UUID partitionId) {
        Map<String, ReadyPartitions> rings = queues.getIfPresent(lane.queue());
        if (rings != null) {
            rings.values().forEach(ring -> ring.news(partitionId));
        }
        Map<String, WaitList> parkings = lanes.getIfPresent(lane);
        if (parkings != null) {
            parkings.values().forEach(WaitList::wakeOne);
        }
        matching.asMap().values().forEach(place -> place.news(lane.queue()));
    }

    /** That lease of the group on the partition has ended; {@code pending} when messages are left. */
    public void leaseEnded(PartitionName lane, UUID partitionId, String group, UUID lease, boolean pending) {
        Map<String, ReadyPartitions> rings = queues.getIfPresent(lane.queue());
        ReadyPartitions ring = rings == null ? null : rings.get(group);
        if (ring != null && pending) {
            ring.freed(partitionId);
        } else if (ring != null) {
            ring.drained(partitionId, lease);
        }
        Map<String, WaitList> parkings = lanes.getIfPresent(lane);
        WaitList parking = parkings == null ? null : parkings.get(group);
        if (parking != null && pending) {
            parking.wakeOne();
        }
        if (pending) {
            matching.asMap().values().forEach(place -> place.news(lane.queue()));
        }
    }

    /** The rings whose last look is older than that, but can still be built on. */
    public List<ReadyIndexRefresher.Kept> aging(long millis, long now) {
        List<ReadyIndexRefresher.Kept> aging = new ArrayList<>();
        queues.asMap()
                .forEach((queue, groups) -> groups.forEach((group, ring) -> {
                    ReadyPartitions.Question question = ring.question(now);
                    if (question.mark() != null && ring.olderThan(millis, now)) {
                        aging.add(new ReadyIndexRefresher.Kept(queue, group, ring, question));
                    }
                }));
        return aging;
    }

    /** Something happened in the queue that this server can't tell in detail: waiting pops look for themselves. */
    public void stir(String queue) {
        Map<String, ReadyPartitions> rings = queues.getIfPresent(queue);
        if (rings != null) {
            rings.values().forEach(ring -> ring.parking().wakeOne());
        }
        lanes.asMap().forEach((lane, parkings) -> {
            if (lane.queue().equals(queue)) {
                parkings.values().forEach(WaitList::wakeOne);
            }
        });
        matching.asMap().values().forEach(place -> place.news(queue));
    }

    /** The cursors of the group in the queue were moved or removed: nothing that is remembered of them holds. */
    public void groupMoved(String queue, String group) {
        Map<String, ReadyPartitions> rings = queues.getIfPresent(queue);
        ReadyPartitions ring = rings == null ? null : rings.get(group);
        if (ring != null) {
            ring.restart();
        }
        lanes.asMap().forEach((lane, parkings) -> {
            WaitList parking = lane.queue().equals(queue) ? parkings.get(group) : null;
            if (parking != null) {
                parking.wakeAll();
            }
        });
        matching.asMap().forEach((key, place) -> {
            if (key.group().equals(group)) {
                place.parking().wakeAll();
            }
        });
    }

    /**
     * Pops of the queue get messages again, with a group those of that group. As many wake as may find something: one per
     * partition that is ready, and one to look; those of several queues all.
     */
    public void resumed(String queue, String group) {
        Map<String, ReadyPartitions> rings = queues.getIfPresent(queue);
        if (rings != null) {
            rings.forEach((name, ring) -> {
                if (group == null || group.equals(name)) {
                    ring.resume(System.nanoTime());
                }
            });
        }
        lanes.asMap().forEach((lane, parkings) -> {
            if (lane.queue().equals(queue)) {
                parkings.forEach((name, parking) -> {
                    if (group == null || group.equals(name)) {
                        parking.wakeOne();
                    }
                });
            }
        });
        matching.asMap().forEach((key, place) -> {
            if (place.has(queue) && (group == null || group.equals(key.group()))) {
                place.parking().wakeAll();
            }
        });
    }

    /** Every pop that waits tries again. */
    public void wakeAll() {
        queues.asMap()
                .values()
                .forEach(rings -> rings.values().forEach(ring -> ring.parking().wakeAll()));
        lanes.asMap().values().forEach(parkings -> parkings.values().forEach(WaitList::wakeAll));
        matching.asMap().values().forEach(place -> place.parking().wakeAll());
    }

    /** The queue was deleted: nothing that is remembered of it holds. */
    public void forget(String queue) {
        queues.invalidate(queue);
    }
}
