package io.queen.push;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.queen.database.Connection;
import io.queen.message.PartitionName;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiFunction;

/**
 * Remembers the ids of partitions, for all event loops: requests name partitions by text, the database is asked by id. An
 * id never changes while the partition lives; when it is gone the database says so and the entry is forgotten.
 */
@Singleton
public final class PartitionIdCache {
    private static final int MAX_KNOWN = 200_000;

    private final Cache<PartitionName, UUID> ids =
            Caffeine.newBuilder().maximumSize(MAX_KNOWN).build();

    /** The ids of all; those not known are asked for, and created when they do not exist: for a push. */
    Uni<Map<PartitionName, UUID>> resolve(Connection connection, Collection<PartitionName> names) {
        return look(connection, names, PushTargetStore::resolve);
    }

    /** The ids of those that exist: a pop creates nothing. One that does not exist is asked for again by the next. */
    public Uni<Map<PartitionName, UUID>> find(Connection connection, Collection<PartitionName> names) {
        return look(connection, names, PushTargetStore::find);
    }

    private Uni<Map<PartitionName, UUID>> look(
            Connection connection,
            Collection<PartitionName> names,
            BiFunction<Connection, List<PartitionName>, Uni<UUID[]>> ask) {
        Map<PartitionName, UUID> known = new HashMap<>(ids.getAllPresent(names));
        List<PartitionName> unknown = names.stream()
                .filter(name -> !known.containsKey(name))
                .distinct()
                .toList();
        return unknown.isEmpty()
                ? Uni.createFrom().item(known)
                : ask.apply(connection, unknown).map(found -> remember(known, unknown, found));
    }

    private Map<PartitionName, UUID> remember(Map<PartitionName, UUID> known, List<PartitionName> asked, UUID[] found) {
        for (int i = 0; i < found.length; i++) {
            if (found[i] != null) {
                known.put(asked.get(i), found[i]);
                ids.put(asked.get(i), found[i]);
            }
        }
        return known;
    }

    public void forget(PartitionName name) {
        ids.invalidate(name);
    }

    void forget(Collection<PartitionName> names) {
        ids.invalidateAll(names);
    }
}
