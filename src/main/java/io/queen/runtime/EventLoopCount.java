package io.queen.runtime;

import io.quarkus.vertx.VertxOptionsCustomizer;
import io.queen.config.QueenConfig;
import io.vertx.core.VertxOptions;
import jakarta.inject.Singleton;

/**
 * How many event loops there are when it is not configured: one for two cores. A loop keeps up with far more messages than
 * PostgreSQL stores, and the fewer they are, the more requests travel in one batch.
 */
@Singleton
final class EventLoopCount implements VertxOptionsCustomizer {
    private final QueenConfig config;

    EventLoopCount(QueenConfig config) {
        this.config = config;
    }

    @Override
    public void accept(VertxOptions options) {
        int cores = Runtime.getRuntime().availableProcessors();
        options.setEventLoopPoolSize(config.http().workers().orElse(Math.max(1, cores / 2)));
    }
}
