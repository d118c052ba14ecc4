package io.queen.security;

/** What a route needs and a role gives: each covers those before it. */
public enum Level {
    /** No token. */
    PUBLIC,
    READ_ONLY,
    READ_WRITE,
    ADMIN;

    public boolean covers(Level needed) {
        return compareTo(needed) >= 0;
    }
}
