package io.queen.benchmark;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A client on one event loop that asks and measures. */
final class HttpLoad implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 60;

    private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
    private final HttpClient client;
    private final int port;

    HttpLoad(int port, int connections) {
        this.port = port;
        this.client = vertx.createHttpClient(
                new HttpClientOptions(),
                new PoolOptions().setHttp1MaxSize(connections).setMaxWaitQueueSize(-1));
    }

    /** The times of requests, in microseconds, sorted; and how many were answered with a body. */
    record Times(List<Long> micros, int filled, double wallMillis) {
        double at(double part) {
            return micros.get((int) (micros.size() * part)) / 1000.0;
        }
    }

    /** All at once. */
    Times together(List<String> paths) {
        List<Long> micros = Collections.synchronizedList(new ArrayList<>());
        long start = System.nanoTime();
        List<CompletableFuture<Buffer>> answers = new ArrayList<>();
        for (String path : paths) {
            answers.add(ask(HttpMethod.GET, path, null).thenApply(body -> {
                micros.add((System.nanoTime() - start) / 1000);
                return body;
            }));
        }
        int filled = 0;
        for (CompletableFuture<Buffer> answer : answers) {
            filled += answer.join().length() > 0 ? 1 : 0;
        }
        double wall = (System.nanoTime() - start) / 1e6;
        Collections.sort(micros);
        return new Times(micros, filled, wall);
    }

    /** One after the other; {@code before} runs before each and does not count. */
    Times inTurn(int count, String path, Runnable before) {
        List<Long> micros = new ArrayList<>();
        int filled = 0;
        long begin = System.nanoTime();
        for (int i = 0; i < count; i++) {
            before.run();
            long start = System.nanoTime();
            Buffer body = ask(HttpMethod.GET, path, null).join();
            micros.add((System.nanoTime() - start) / 1000);
            filled += body.length() > 0 ? 1 : 0;
        }
        Collections.sort(micros);
        return new Times(micros, filled, (System.nanoTime() - begin) / 1e6);
    }

    void post(String path, String body) {
        ask(HttpMethod.POST, path, Buffer.buffer(body)).join();
    }

    private CompletableFuture<Buffer> ask(HttpMethod method, String path, Buffer body) {
        // The body is asked for on the event loop, before the answer can end.
        return client.request(method, port, "localhost", path)
                .compose(request ->
                        (body == null ? request.send() : request.send(body)).compose(HttpClientResponse::body))
                .toCompletionStage()
                .toCompletableFuture()
                .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }
}
