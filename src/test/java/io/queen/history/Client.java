package io.queen.history;

import io.queen.testing.Http;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Speaks HTTP to a server that may be dying: there is an answer, or there is none. */
public final class Client {
    /** Shorter than the longest freeze, longer than anything that is alive takes. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final Http http = new Http(PATIENCE);
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
        return timed(() -> http.get(installation.uri(server, path)));
    }

    Answer post(int server, String path, JsonObject body) {
        return timed(() -> http.post(installation.uri(server, path), body));
    }

    private interface Request {
        HttpResponse<String> send() throws IOException, InterruptedException;
    }

    private static Answer timed(Request request) {
        long start = System.nanoTime();
        try {
            HttpResponse<String> response = request.send();
            return new Answer(start, System.nanoTime(), response.statusCode(), response.body());
        } catch (IOException e) {
            return new Answer(start, System.nanoTime(), 0, "");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer(start, System.nanoTime(), 0, "");
        }
    }
}
