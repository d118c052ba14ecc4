package io.queen.pop;

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

/** Remembers the ids of partitions that pops name. A pop creates nothing: one that does not exist is asked for again. */
@Singleton
final class PartitionIds {
    private static final int MAX_KNOWN = 200_000;

    private final Cache<PartitionName, UUID> ids =
            Caffeine.newBuilder().maximumSize(MAX_KNOWN).build();

    /** The ids of those that exist. */
    Uni<Map<PartitionName, UUID>> find(Connection connection, Collection<PartitionName> lanes) {
        Map<PartitionName, UUID> found = new HashMap<>();
        List<PartitionName> unknown = new ArrayList<>();
        for (PartitionName lane : lanes) {
            UUID id = ids.getIfPresent(lane);
            if (id != null) {
                found.put(lane, id);
            } else {
                unknown.add(lane);
            }
        }
        return unknown.isEmpty()
                ? Uni.createFrom().item(found)
                : PopStore.find(connection, unknown).map(answer -> remember(found, unknown, answer));
    }

    private Map<PartitionName, UUID> remember(
            Map<PartitionName, UUID> found, List<PartitionName> asked, List<UUID> answer) {
        for (int i = 0; i < answer.size(); i++) {
            if (answer.get(i) != null) {
                found.put(asked.get(i), answer.get(i));
                ids.put(asked.get(i), answer.get(i));
            }
        }
        return found;
    }

    void forget(PartitionName lane) {
        ids.invalidate(lane);
    }
}
