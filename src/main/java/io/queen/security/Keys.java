package io.queen.security;

import io.queen.config.QueenConfig;
import io.queen.metrics.Complaints;
import io.queen.runtime.Backoff;
import io.queen.runtime.PeriodicTasks;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.function.Consumer;
import org.jboss.logging.Logger;
import org.jose4j.jwk.JsonWebKey;

/**
 * The keys of this server: those of the configuration, and those of the key server, which are fetched at the start, now
 * and then, and when a token names one that is not known. When the key server is away the known keys stay.
 */
final class Keys {
    private static final Logger LOG = Logger.getLogger(Keys.class);
    /** Between two fetches, however many tokens name keys that are not known. */
    static final long PAUSE_MS = 5000;

    private static final Backoff BACKOFF = Backoff.doubling(1000, 60_000);

    private final Consumer<KeyRing> changed;
    private final KeyServer server;
    private final long refreshMillis;
    private volatile KeyRing ring;
    private int failures;

    /** {@code changed} hears of new keys, on a worker thread. */
    Keys(Vertx vertx, QueenConfig.Jwt config, KeySettings settings, long pauseMillis, Consumer<KeyRing> changed) {
        this.ring = settings.ring();
        this.changed = changed;
        this.refreshMillis = config.jwksRefreshInterval() * 1000L;
        this.server = settings.asksKeyServer()
                ? new KeyServer(
                        vertx,
                        config.jwksUrl().orElseThrow(),
                        config.jwksTimeoutMs(),
                        Math.min(pauseMillis, refreshMillis),
                        this::publish)
                : null;
    }

    KeyRing ring() {
        return ring;
    }

    /** Asks the key server, if there is one and it was not asked just now. */
    Future<Void> refresh() {
        return server == null ? Future.succeededFuture() : server.fetch();
    }

    /** Keeps them fresh from now on; the start does not wait for the key server. */
    void keepFresh(PeriodicTasks tasks, Complaints complaints) {
        if (server != null) {
            tasks.paced(refreshMillis, "The keys for tokens are not fetched", () -> fetch(complaints))
                    .runNow();
        }
    }

    /** Gives the milliseconds until the next fetch. */
    Uni<Long> fetch(Complaints complaints) {
        return Uni.createFrom()
                .completionStage(() -> server.fetch().toCompletionStage())
                .map(done -> succeeded())
                .onFailure()
                .recoverWithItem(failure -> failed(complaints, failure));
    }

    private long failed(Complaints complaints, Throwable failure) {
        complaints.failed("The keys for tokens can't be fetched (JWT_JWKS_URL)", failure);
        return BACKOFF.millisAfter(++failures);
    }

    private long succeeded() {
        if (failures > 0) {
            LOG.info("The keys for tokens are fetched again");
            failures = 0;
        }
        return refreshMillis;
    }

    private void publish(List<JsonWebKey> published) {
        KeyRing next = ring.withPublished(published);
        if (next.published().isEmpty()) {
            throw new IllegalArgumentException("there is no RSA or Ed25519 key in its answer");
        }
        ring = next;
        changed.accept(next);
    }
}
