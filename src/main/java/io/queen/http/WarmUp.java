package io.queen.http;

import io.quarkus.runtime.ImageMode;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.vertx.http.runtime.VertxHttpRecorder;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
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
 * all of HTTP, on a loopback port of their own that is gone before the real one is there. Neither reaches a sidecar; those
 * warm up by themselves. A native image has nothing to load.
 */
@Singleton
final class WarmUp {
    private static final Logger LOG = Logger.getLogger(WarmUp.class);
    private static final int LIMIT_SECONDS = 3;
    private static final int ROUNDS = 3;

    /** After the schema (1) and the sidecars (2). */
    void start(@Observes @Priority(3) StartupEvent event) throws InterruptedException {
        if (ImageMode.current().isNativeImage()) {
            return;
        }
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1).setWorkerPoolSize(1));
        try {
            run(vertx);
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("The first requests will be slower", e);
        } finally {
            vertx.close();
        }
    }

    private static void run(Vertx vertx) throws InterruptedException, ExecutionException, TimeoutException {
        HttpServer server = await(vertx.createHttpServer(
                        new HttpServerOptions().setHost("127.0.0.1").setPort(0))
                .requestHandler(VertxHttpRecorder.getRootHandler())
                .listen());
        HttpClient client = vertx.createHttpClient();
        for (int i = 0; i < ROUNDS; i++) {
            ask(client, server.actualPort(), HttpMethod.GET, "/api/v1/pop", Buffer.buffer());
            ask(client, server.actualPort(), HttpMethod.POST, "/api/v1/push", Buffer.buffer("{\"items\":[]}"));
        }
    }

    private static void ask(HttpClient client, int port, HttpMethod method, String path, Buffer body)
            throws InterruptedException, ExecutionException, TimeoutException {
        await(client.request(method, port, "127.0.0.1", path)
                .compose(request -> request.send(body).compose(HttpClientResponse::body)));
    }

    private static <T> T await(Future<T> future) throws InterruptedException, ExecutionException, TimeoutException {
        return future.toCompletionStage().toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
}
