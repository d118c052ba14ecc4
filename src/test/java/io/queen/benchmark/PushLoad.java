package io.queen.benchmark;

import io.queen.Partitions;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** So many connections, each pushing one message after the other for so many seconds. */
final class PushLoad {
    private final HttpClient client;
    private final int port;
    private final int connections;
    private final String queue = Partitions.name("load");
    private final List<Long> micros = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch done;
    private volatile long end;
    private volatile boolean measuring;

    private PushLoad(HttpClient client, int port, int connections) {
        this.client = client;
        this.port = port;
        this.connections = connections;
        this.done = new CountDownLatch(connections);
    }

    /** Prints throughput and latency; the first seconds do not count. */
    static void run(String title, int port, int connections, int warmUp, int seconds) throws Exception {
        Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
        try {
            PushLoad load = new PushLoad(
                    vertx.createHttpClient(new HttpClientOptions(), new PoolOptions().setHttp1MaxSize(connections)),
                    port,
                    connections);
            load.run(warmUp, seconds);
            load.print(title, seconds);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().get(10, TimeUnit.SECONDS);
        }
    }

    private void run(int warmUp, int seconds) throws Exception {
        long start = System.nanoTime();
        end = start + TimeUnit.SECONDS.toNanos(warmUp + seconds);
        for (int i = 0; i < connections; i++) {
            send(i);
        }
        boolean tooEarly = done.await(warmUp, TimeUnit.SECONDS);
        measuring = true;
        if (tooEarly || !done.await(seconds + 30L, TimeUnit.SECONDS)) {
            throw new IllegalStateException("no end");
        }
    }

    private void send(int lane) {
        long start = System.nanoTime();
        if (start > end) {
            done.countDown();
            return;
        }
        Buffer body = Buffer.buffer("{\"items\":[{\"queue\":\"" + queue + "\",\"partition\":\"p" + lane
                + "\",\"payload\":{\"n\":\"" + "x".repeat(100) + "\"}}]}");
        client.request(HttpMethod.POST, port, "localhost", "/api/v1/push")
                .compose(request -> request.send(body))
                .compose(HttpClientResponse::body)
                .onComplete(answer -> answered(lane, start, answer.succeeded()));
    }

    private void answered(int lane, long start, boolean succeeded) {
        if (measuring && succeeded) {
            micros.add((System.nanoTime() - start) / 1000);
        }
        send(lane);
    }

    private void print(String title, int seconds) {
        List<Long> sorted = new ArrayList<>(micros);
        Collections.sort(sorted);
        System.out.printf(
                "%s, %d connection(s): %d pushes/s, p50 %.2f ms, p99 %.2f ms%n",
                title, connections, sorted.size() / seconds, at(sorted, 0.5), at(sorted, 0.99));
    }

    private static double at(List<Long> sorted, double part) {
        return sorted.get((int) (sorted.size() * part)) / 1000.0;
    }
}
