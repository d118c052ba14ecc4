package io.queen.sidecar;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a sidecar knows to be held by other transactions, and for how long. Times are milliseconds of any clock that does
 * not jump. A key leaves when it is free, or when another transaction holds it than before: then the lock goes from hand
 * to hand, and a request that queues for it in PostgreSQL gets it sooner than one that looks now and then.
 */
final class HeldLocks {
    /** How many are remembered; one that is forgotten is met again. */
    static final int MAX_KNOWN = 10_000;
    /** How many are asked about at once, those first that were not asked about for longest. */
    static final int MAX_ASKED = 1000;

    /** One that is held. */
    record Held(LockKey key, String holder, long since) {}

    private final Map<LockKey, Held> known = new LinkedHashMap<>();

    boolean isEmpty() {
        return known.isEmpty();
    }

    /** The first of the keys that is held, null when none is. */
    LockKey firstOf(Collection<LockKey> keys) {
        for (LockKey key : keys) {
            if (known.containsKey(key)) {
                return key;
            }
        }
        return null;
    }

    /** A batch could not get its locks: these are held. */
    void found(Map<LockKey, String> held, long now) {
        held.forEach((key, holder) -> known.putIfAbsent(key, new Held(key, holder, now)));
        List<LockKey> eldest = known.keySet().stream()
                .limit(Math.max(0, known.size() - MAX_KNOWN))
                .toList();
        eldest.forEach(known::remove);
    }

    /** What to ask about next. */
    List<LockKey> next() {
        return known.keySet().stream().limit(MAX_ASKED).toList();
    }

    /** PostgreSQL was asked about these, and told which transaction holds which. Gives those that are held as before. */
    List<Held> asked(List<LockKey> keys, Map<LockKey, String> held) {
        List<Held> stay = new ArrayList<>();
        for (LockKey key : keys) {
            Held before = known.remove(key);
            String holder = held.get(key);
            if (before != null && before.holder().equals(holder)) {
                known.put(key, before);
                stay.add(before);
            }
        }
        return stay;
    }

    /** Nothing of it counts any more. */
    void clear() {
        known.clear();
    }
}
