package io.queen.push;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.queen.database.Connection;
import io.queen.message.PartitionName;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Remembers the ids of partitions, for all event loops: a push names its partitions by text, the database is asked by
 * id. An id never changes while the partition lives; when it is gone the store says so and the entry is forgotten.
 */
@Singleton
public final class PartitionIdCache {
    private static final int MAX_LANES = 200_000;

    private final Cache<PartitionName, UUID> ids =
            Caffeine.newBuilder().maximumSize(MAX_LANES).build();

    /** The ids of all lanes; those not known are asked for, and created when they do not exist. */
    Uni<Map<PartitionName, UUID>> resolve(Connection connection, Collection<PartitionName> lanes) {
        Map<PartitionName, UUID> known = new HashMap<>();
        List<PartitionName> unknown = new ArrayList<>();
        for (PartitionName lane : lanes) {
            UUID id = ids.getIfPresent(lane);
            if (id != null) {
                known.put(lane, id);
            } else if (!known.containsKey(lane)) {
                known.put(lane, null);
                unknown.add(lane);
            }
        }
        return unknown.isEmpty()
                ? Uni.createFrom().item(known)
                : WriteStore.resolve(connection, unknown).map(found -> remember(known, unknown, found));
    }

    private Map<PartitionName, UUID> remember(
            Map<PartitionName, UUID> known, List<PartitionName> unknown, UUID[] found) {
        for (int i = 0; i < found.length; i++) {
            known.put(unknown.get(i), found[i]);
            ids.put(unknown.get(i), found[i]);
        }
        return known;
    }

    void forget(Collection<PartitionName> lanes) {
        ids.invalidateAll(lanes);
    }
}
