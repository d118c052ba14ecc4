package io.queen.soak;

import io.queen.testing.Http;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** What one client of the mixed load asks the server, in short words; each answer is counted. */
final class Caller {
    private final Http http = new Http(Duration.ofSeconds(30));
    private final URI server;
    private final Tally tally;
    private final Random random;

    Caller(URI server, Tally tally, Random random) {
        this.server = server;
        this.tally = tally;
        this.random = random;
    }

    Random random() {
        return random;
    }

    /** One of {@code count} numbers. */
    int any(int count) {
        return random.nextInt(count);
    }

    HttpResponse<String> get(String what, String path) {
        return count(what, () -> http.get(server.resolve(path)));
    }

    HttpResponse<String> post(String what, String path, Object body) {
        return count(what, () -> http.post(server.resolve(path), body));
    }

    HttpResponse<String> delete(String what, String path) {
        return count(what, () -> http.delete(server.resolve(path)));
    }

    void push(JsonArray items) {
        post("push", "/api/v1/push", new JsonObject().put("items", items).encode());
    }

    /** The messages of a pop, none when it found none. */
    List<JsonObject> pop(String what, String target, String query) {
        HttpResponse<String> answer = get(what, "/api/v1/pop/queue/" + target + "?" + query);
        if (answer == null || answer.statusCode() != 200) {
            return List.of();
        }
        return new JsonObject(answer.body())
                .getJsonArray("messages").stream().map(JsonObject.class::cast).toList();
    }

    private interface Request {
        HttpResponse<String> send() throws IOException, InterruptedException;
    }

    /** Null when no answer came. */
    private HttpResponse<String> count(String what, Request request) {
        try {
            HttpResponse<String> answer = request.send();
            tally.count(what, answer.statusCode(), answer.body());
            return answer;
        } catch (IOException e) {
            tally.count(what, 0, e.toString());
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
