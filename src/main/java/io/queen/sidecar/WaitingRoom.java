package io.queen.sidecar;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Where requests of one operation wait for locks that somebody outside holds, in the order in which they arrived. A request
 * waits while any of its keys is held, and counts for the first of them: so many for one key, so many in all, and so many
 * bytes, but one alone always fits. Requests whose keys are free never come here, so no bound of this room refuses them.
 */
final class WaitingRoom<T> {

    /**
     * One that waits.
     *
     * @param keys all that it has to lock
     * @param waitsFor the one of them that is held
     * @param arrived when it came to this server, and its place in the order
     */
    record Guest<T>(T item, Set<LockKey> keys, LockKey waitsFor, long bytes, long arrived) {
        Guest<T> waitingFor(LockKey held) {
            return new Guest<>(item, keys, held, bytes, arrived);
        }
    }

    private final int maxPerKey;
    private final int max;
    private final long maxBytes;
    private final Map<LockKey, Integer> perKey = new HashMap<>();
    private List<Guest<T>> guests = new ArrayList<>();
    private long bytes;

    WaitingRoom(int maxPerKey, int max, long maxBytes) {
        this.maxPerKey = maxPerKey;
        this.max = max;
        this.maxBytes = maxBytes;
    }

    /** False when there is no room for it. */
    boolean admit(Guest<T> guest) {
        if (guests.size() >= max
                || (!guests.isEmpty() && bytes + guest.bytes() > maxBytes)
                || perKey.getOrDefault(guest.waitsFor(), 0) >= maxPerKey) {
            return false;
        }
        enter(guest, placeOf(guest));
        return true;
    }

    /** Those leave, in order, of whose keys {@code firstHeld} knows none; who waits for another key now counts for that. */
    List<T> free(Function<Collection<LockKey>, LockKey> firstHeld) {
        List<T> free = new ArrayList<>();
        List<Guest<T>> before = guests;
        guests = new ArrayList<>();
        perKey.clear();
        bytes = 0;
        for (Guest<T> guest : before) {
            LockKey held = firstHeld.apply(guest.keys());
            if (held == null) {
                free.add(guest.item());
            } else {
                enter(guest.waitingFor(held), guests.size());
            }
        }
        return free;
    }

    /** Those leave that arrived before then. */
    List<Guest<T>> arrivedBefore(long time) {
        int late = 0;
        while (late < guests.size() && guests.get(late).arrived() - time < 0) {
            left(guests.get(late++));
        }
        List<Guest<T>> first = guests.subList(0, late);
        List<Guest<T>> gone = List.copyOf(first);
        first.clear();
        return gone;
    }

    /** All leave. */
    List<T> clear() {
        List<T> all = guests.stream().map(Guest::item).toList();
        guests.clear();
        perKey.clear();
        bytes = 0;
        return all;
    }

    int size() {
        return guests.size();
    }

    /** Behind all that arrived before it: nearly always the end. */
    private int placeOf(Guest<T> guest) {
        int place = guests.size();
        while (place > 0 && guests.get(place - 1).arrived() - guest.arrived() > 0) {
            place--;
        }
        return place;
    }

    private void enter(Guest<T> guest, int place) {
        guests.add(place, guest);
        perKey.merge(guest.waitsFor(), 1, Integer::sum);
        bytes += guest.bytes();
    }

    private void left(Guest<T> guest) {
        perKey.computeIfPresent(guest.waitsFor(), (key, count) -> count == 1 ? null : count - 1);
        bytes -= guest.bytes();
    }
}
