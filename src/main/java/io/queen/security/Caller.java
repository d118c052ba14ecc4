package io.queen.security;

import io.vertx.ext.web.RoutingContext;

/**
 * The sender of a request, as its token says. A resource takes the routing context as a parameter and asks {@link #of}.
 *
 * @param subject the token's {@code sub}, null when it has none or no token was asked for
 * @param level what the token's roles give; {@link Level#PUBLIC} when it has none that is known
 */
public record Caller(String subject, Level level) {
    /** Sends requests to a server that asks for no token, or to a path that asks for none: may do everything. */
    public static final Caller ANYONE = new Caller(null, Level.ADMIN);

    /** Has shown no token, on a path that is public. */
    public static final Caller UNKNOWN = new Caller(null, Level.PUBLIC);

    private static final String KEY = Caller.class.getName();

    /** That of the request. */
    public static Caller of(RoutingContext context) {
        Caller caller = context.get(KEY);
        return caller == null ? UNKNOWN : caller;
    }

    void attachTo(RoutingContext context) {
        context.put(KEY, this);
    }
}
