package io.queen.web;

import io.quarkus.runtime.ImageMode;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.runtime.VertxHttpRecorder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerOptions;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jboss.logging.Logger;

/**
 * Lets a JVM load what a request needs before the port opens: a pop without a target and a push without items go through
 * all of HTTP, on a loopback port of their own that is gone before the real one is there. It happens beside the start,
 * while that waits for the database: on a machine with a second core nothing waits for it. Neither request reaches a sidecar;
 * those warm up by themselves. A native image has nothing to load.
 */
@Singleton
final class HttpWarmUp {
    private static final Logger LOG = Logger.getLogger(HttpWarmUp.class);
    private static final int LIMIT_SECONDS = 3;
    private static final int ROUNDS = 3;

    private final RequestGate gate;
    private Vertx vertx;
    private String token;
    private Future<Void> done;

    HttpWarmUp(RequestGate gate) {
        this.gate = gate;
    }

    /** Before the schema (1) and the sidecars (2). */
    void begin(@Observes @Priority(0) StartupEvent event) {
        if (ImageMode.current().isNativeImage()) {
            return;
        }
        vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1));
        HttpClient client = vertx.createHttpClient();
        token = gate.tokenOfThisServer().orElse(null);
        done = vertx.createHttpServer(
                        new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                .requestHandler(VertxHttpRecorder.getRootHandler())
                .listen()
                .compose(server -> rounds(client, server.actualPort(), ROUNDS));
    }

    /** After them. */
    void end(@Observes @Priority(5) StartupEvent event) throws InterruptedException {
        if (done == null) {
            return;
        }
        try {
            done.toCompletionStage().toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("The first requests will be slower", e);
        } finally {
            vertx.close();
        }
    }

    private Future<Void> rounds(HttpClient client, int port, int left) {
        return left == 0
                ? Future.succeededFuture()
                : ask(client, port, HttpMethod.GET, "/api/v1/pop", Buffer.buffer())
                        .compose(ok ->
                                ask(client, port, HttpMethod.POST, "/api/v1/push", Buffer.buffer("{\"items\":[]}")))
                        .compose(ok -> rounds(client, port, left - 1));
    }

    private Future<Buffer> ask(HttpClient client, int port, HttpMethod method, String path, Buffer body) {
        return client.request(method, port, "127.0.0.1", path)
                .map(request -> token == null ? request : request.putHeader(HttpHeaders.AUTHORIZATION, token))
                .compose(request -> request.send(body).compose(HttpClientResponse::body));
    }
}
