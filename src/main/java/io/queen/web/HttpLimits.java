package io.queen.web;

import io.quarkus.vertx.http.HttpServerOptionsCustomizer;
import io.queen.config.QueenConfig;
import io.vertx.core.http.HttpServerOptions;
import jakarta.inject.Singleton;
import java.util.concurrent.TimeUnit;

/**
 * Closes connections on which nothing moves; but a pop that waits as long as it may is not nothing. And HTTP/2 without
 * TLS only if it is configured: no client of ours needs it, and what is not there can't be attacked.
 */
@Singleton
final class HttpLimits implements HttpServerOptionsCustomizer {
    private static final int MARGIN_SECONDS = 10;

    private final int idleSeconds;
    private final boolean h2c;

    HttpLimits(QueenConfig config) {
        this.idleSeconds = idleSeconds(config.http().idleTimeout(), config.pop().maxTimeout());
        this.h2c = config.http().h2c();
    }

    static int idleSeconds(int configured, int longestPollMillis) {
        return Math.max(configured, longestPollMillis / 1000 + MARGIN_SECONDS);
    }

    @Override
    public void customizeHttpServer(HttpServerOptions options) {
        options.setIdleTimeoutUnit(TimeUnit.SECONDS).setIdleTimeout(idleSeconds);
        options.setHttp2ClearTextEnabled(h2c);
    }

    @Override
    public void customizeHttpsServer(HttpServerOptions options) {
        options.setIdleTimeoutUnit(TimeUnit.SECONDS).setIdleTimeout(idleSeconds);
    }
}
