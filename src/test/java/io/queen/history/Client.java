package io.queen.history;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Speaks HTTP to a server that may be dying: there is an answer, or there is none. */
public final class Client {
    /** Shorter than the longest freeze, longer than anything that is alive takes. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(PATIENCE)
            .build();
    private final Installation installation;

    Client(Installation installation) {
        this.installation = installation;
    }

    /** Status 0 is none. */
    record Answer(long start, long end, int status, String body) {
        /** Whether it can be relied on: of what failed in the server nobody knows what it did before. */
        boolean definite() {
            return status > 0 && status < 500;
        }

        JsonObject object() {
            return new JsonObject(body);
        }

        JsonArray array() {
            return new JsonArray(body);
        }
    }

    Answer get(int server, String path) {
        return send(HttpRequest.newBuilder(installation.uri(server, path)).GET());
    }

    Answer post(int server, String path, JsonObject body) {
        return send(HttpRequest.newBuilder(installation.uri(server, path))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body.encode())));
    }

    private Answer send(HttpRequest.Builder builder) {
        HttpRequest request = builder.timeout(PATIENCE).build();
        long start = System.nanoTime();
        try {
            var response = http.send(request, BodyHandlers.ofString());
            return new Answer(start, System.nanoTime(), response.statusCode(), response.body());
        } catch (IOException e) {
            return new Answer(start, System.nanoTime(), 0, "");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer(start, System.nanoTime(), 0, "");
        }
    }
}
