package io.queen.security;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Paths for which the configuration asks for no token: some exact, and all below some that end with a slash. */
final class SkipPaths {
    private final Set<String> exact;
    private final List<String> prefixes;

    SkipPaths(String list) {
        List<String> paths = Arrays.stream(list.split(",", -1))
                .map(String::strip)
                .filter(path -> !path.isEmpty())
                .toList();
        this.prefixes = paths.stream().filter(SkipPaths::isPrefix).toList();
        this.exact = paths.stream().filter(path -> !isPrefix(path)).collect(Collectors.toUnmodifiableSet());
    }

    private static boolean isPrefix(String path) {
        return path.length() > 1 && path.endsWith("/");
    }

    /** Whether the path, which is normalized, is one of them. */
    boolean has(String path) {
        if (exact.contains(path)) {
            return true;
        }
        for (String prefix : prefixes) {
            if (path.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
