package io.queen.benchmark;

import io.queen.testing.Http;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Asks and measures. */
final class HttpLoad {
    private final Http http = new Http(Duration.ofSeconds(60));
    private final URI server;

    HttpLoad(URI server) {
        this.server = server;
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
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        for (String path : paths) {
            answers.add(http.getLater(server.resolve(path)).thenApply(answer -> {
                micros.add((System.nanoTime() - start) / 1000);
                return answer;
            }));
        }
        int filled = 0;
        for (CompletableFuture<HttpResponse<String>> answer : answers) {
            filled += answer.join().body().isEmpty() ? 0 : 1;
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
            String body = http.getLater(server.resolve(path)).join().body();
            micros.add((System.nanoTime() - start) / 1000);
            filled += body.isEmpty() ? 0 : 1;
        }
        Collections.sort(micros);
        return new Times(micros, filled, (System.nanoTime() - begin) / 1e6);
    }

    void post(String path, String body) {
        try {
            http.post(server.resolve(path), body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
