package io.queen.security;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Names of queues, and beginnings of names ({@code orders.*}). Made once per token. A question costs a look into a set and a
 * search by halving, however many queues there are, and allocates nothing; so no answer is kept, and a caller that makes up
 * names fills no memory.
 */
final class QueuePatterns {
    static final QueuePatterns ALL = new QueuePatterns(List.of("*"));
    static final QueuePatterns NONE = new QueuePatterns(List.of());

    private final Set<String> names = new HashSet<>();
    /** In order, and none begins with another: so only the last that is not after a name can be its beginning. */
    private final String[] beginnings;

    private final String[] patterns;

    /** A star stands at the end of a pattern only. */
    QueuePatterns(Collection<String> patterns) {
        this.patterns = patterns.stream().distinct().sorted().toArray(String[]::new);
        TreeSet<String> starts = new TreeSet<>();
        for (String pattern : this.patterns) {
            if (pattern.endsWith("*")) {
                starts.add(pattern.substring(0, pattern.length() - 1));
            } else {
                names.add(pattern);
            }
        }
        List<String> kept = new ArrayList<>();
        for (String start : starts) {
            if (kept.isEmpty() || !start.startsWith(kept.get(kept.size() - 1))) {
                kept.add(start);
            }
        }
        this.beginnings = kept.toArray(String[]::new);
    }

    /** What any of them has. */
    static QueuePatterns union(QueuePatterns... several) {
        return new QueuePatterns(Arrays.stream(several)
                .flatMap(each -> Arrays.stream(each.patterns))
                .toList());
    }

    boolean has(String queue) {
        if (beginnings.length > 0) {
            int found = Arrays.binarySearch(beginnings, queue);
            int last = found >= 0 ? found : -found - 2;
            if (last >= 0 && queue.startsWith(beginnings[last])) {
                return true;
            }
        }
        return names.contains(queue);
    }

    boolean hasAll() {
        return beginnings.length > 0 && beginnings[0].isEmpty();
    }

    boolean isEmpty() {
        return patterns.length == 0;
    }

    /** As the token has them, in order. */
    List<String> texts() {
        return List.of(patterns);
    }

    /** As the functions of the database take them: null for all queues. */
    String[] forDatabase() {
        return hasAll() ? null : patterns.clone();
    }
}
