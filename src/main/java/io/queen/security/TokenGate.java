package io.queen.security;

import io.quarkus.runtime.StartupEvent;
import io.queen.config.QueenConfig;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.queen.metrics.Complaints;
import io.queen.runtime.PeriodicTasks;
import io.queen.web.RequestGate;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;

/**
 * Asks for tokens, and compares what they allow with what the path needs: nothing else is known before the body is taken
 * in. {@link ResourceCheck} compares again. A token that was checked before costs no change of thread.
 */
@Singleton
final class TokenGate implements RequestGate {
    private static final CharSequence CHALLENGE = HttpHeaders.createOptimized("WWW-Authenticate");
    private static final String REALM = "Bearer realm=\"queen\"";
    private static final String BEARER = "Bearer ";

    private final AccessTable table;
    private final SkipPaths skipPaths;
    private final Map<Level, String> roles;
    private final PeriodicTasks tasks;
    private final Complaints complaints;
    private final Tokens tokens;

    TokenGate(AccessTable table, QueenConfig config, Vertx vertx, PeriodicTasks tasks, Complaints complaints) {
        this.table = table;
        this.skipPaths = new SkipPaths(config.jwt().skipPaths().orElse(""));
        this.roles = CallerReader.roles(config.jwt());
        this.tasks = tasks;
        this.complaints = complaints;
        this.tokens = config.jwt().enabled() ? new Tokens(vertx, config.jwt(), Keys.PAUSE_MS) : null;
    }

    void start(@Observes StartupEvent event) {
        if (tokens != null) {
            tokens.start(tasks, complaints);
        }
    }

    @Override
    public Optional<String> tokenOfThisServer() {
        return Optional.ofNullable(tokens).map(Tokens::ofThisServer);
    }

    @Override
    public void ask(RoutingContext context, Door door) {
        if (tokens == null) {
            admit(context, door, Caller.ANYONE);
            return;
        }
        String path = context.normalizedPath();
        Level needed = table.ofRequest(context.request().method(), path);
        if (needed == Level.PUBLIC) {
            admit(context, door, Caller.UNKNOWN);
        } else if (skipPaths.has(path)) {
            admit(context, door, Caller.ANYONE);
        } else {
            askForToken(context, door, needed);
        }
    }

    private void askForToken(RoutingContext context, Door door, Level needed) {
        String token = token(context.request().getHeader(HttpHeaders.AUTHORIZATION));
        if (token == null) {
            context.response().putHeader(CHALLENGE, REALM);
            door.refuse(
                    context,
                    new QueenException(ErrorCode.TOKEN_REQUIRED, "This needs a token: Authorization: Bearer <token>"));
            return;
        }
        CheckedTokens.Hash hash = tokens.hash(token);
        Caller known = tokens.remembered(hash);
        if (known != null) {
            decide(context, door, needed, known);
        } else {
            Context own = Vertx.currentContext();
            tokens.check(token, hash)
                    .onComplete(found -> own.runOnContext(back -> decide(context, door, needed, found)));
        }
    }

    /** What a header holds: with its scheme, or the token alone. Null when there is none, or it is of another scheme. */
    private static String token(String header) {
        if (header == null) {
            return null;
        }
        boolean scheme = header.regionMatches(true, 0, BEARER, 0, BEARER.length());
        String token = (scheme ? header.substring(BEARER.length()) : header).strip();
        return token.isEmpty() || token.indexOf(' ') >= 0 ? null : token;
    }

    private void decide(RoutingContext context, Door door, Level needed, AsyncResult<Caller> found) {
        if (context.response().closed()) {
            return; // the client has gone meanwhile
        }
        if (found.succeeded()) {
            decide(context, door, needed, found.result());
        } else {
            refuse(context, door, found.cause());
        }
    }

    private void decide(RoutingContext context, Door door, Level needed, Caller caller) {
        if (caller.level().covers(needed)) {
            admit(context, door, caller);
        } else {
            context.response().putHeader(CHALLENGE, REALM + ", error=\"insufficient_scope\"");
            door.refuse(context, tooLow(needed));
        }
    }

    private static void admit(RoutingContext context, Door door, Caller caller) {
        caller.attachTo(context);
        door.open(context);
    }

    private static void refuse(RoutingContext context, Door door, Throwable failure) {
        if (failure instanceof QueenException reason) {
            if (reason.code() == ErrorCode.INVALID_TOKEN) {
                context.response()
                        .putHeader(
                                CHALLENGE,
                                REALM + ", error=\"invalid_token\", error_description=\"" + reason.getMessage() + "\"");
            }
            door.refuse(context, reason);
        } else {
            context.fail(failure);
        }
    }

    private QueenException tooLow(Level needed) {
        String names = switch (needed) {
            case ADMIN -> roles.get(Level.ADMIN);
            case READ_WRITE -> roles.get(Level.READ_WRITE) + " or " + roles.get(Level.ADMIN);
            default ->
                roles.get(Level.READ_ONLY) + ", " + roles.get(Level.READ_WRITE) + " or " + roles.get(Level.ADMIN);
        };
        return new QueenException(ErrorCode.FORBIDDEN, "This needs the role " + names);
    }
}
