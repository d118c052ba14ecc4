package io.queen.security;

import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.vertx.ext.web.RoutingContext;
import java.time.Instant;

/**
 * The sender of a request, as its token says. A resource takes the routing context as a parameter and asks {@link #of}.
 *
 * @param subject the token's {@code sub}, null when it has none or no token was asked for
 * @param level what the token's roles give; {@link Level#PUBLIC} when it has none that is known
 * @param rights on which queues
 * @param expiresAt the token's {@code exp}, null when it has none or no token was asked for
 */
public record Caller(String subject, Level level, Rights rights, Instant expiresAt) {
    /** Sends requests to a server that asks for no token, or to a path that asks for none: may do everything. */
    public static final Caller ANYONE = new Caller(null, Level.ADMIN, Rights.ALL, null);

    /** Has shown no token, on a path that is public. */
    public static final Caller UNKNOWN = new Caller(null, Level.PUBLIC, Rights.NONE, null);

    private static final String KEY = Caller.class.getName();

    /** That of the request. */
    public static Caller of(RoutingContext context) {
        Caller caller = context.get(KEY);
        return caller == null ? UNKNOWN : caller;
    }

    void attachTo(RoutingContext context) {
        context.put(KEY, this);
    }

    /** Refuses, whether the queue exists or not, when the token does not give the right on it. */
    public void require(Right right, String queue) {
        if (!rights.of(right).has(queue)) {
            throw forbidden("The token does not allow to " + right.words() + " the queue " + queue);
        }
    }

    /** For what names no queue and concerns all. */
    public void requireOnAll(Right right, String otherwise) {
        if (!hasOnAll(right)) {
            throw forbidden("The token allows to " + right.words() + " some queues only: " + otherwise);
        }
    }

    public boolean hasOnAll(Right right) {
        return rights.of(right).hasAll();
    }

    public boolean has(Right right, String queue) {
        return rights.of(right).has(queue);
    }

    /** The queues on which the token gives the right, as functions of the database take them; null for all. */
    public String[] queues(Right right) {
        return rights.of(right).forDatabase();
    }

    static QueenException forbidden(String reason) {
        return new QueenException(ErrorCode.QUEUE_FORBIDDEN, reason);
    }
}
