package io.queen.testing;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Ordinary requests, over connections that only this client uses: to servers that are processes of their own, or to one in
 * this JVM where REST Assured would be too slow. What no client would send goes over {@link RawHttp}.
 */
public final class Http {
    private final HttpClient client;
    private final Duration patience;

    /** A request fails when its answer takes longer than this. */
    public Http(Duration patience) {
        this.patience = patience;
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(patience)
                .build();
    }

    public HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
        return send(request(uri).GET());
    }

    /** The answer comes later; any number of such requests may be under way. */
    public CompletableFuture<HttpResponse<String>> getLater(URI uri) {
        return client.sendAsync(request(uri).GET().build(), BodyHandlers.ofString());
    }

    /** The body is JSON, an object of it or text. */
    public HttpResponse<String> post(URI uri, Object json) throws IOException, InterruptedException {
        return send(
                request(uri).header("Content-Type", "application/json").POST(BodyPublishers.ofString(json.toString())));
    }

    /** Without a content type. */
    public HttpResponse<String> post(URI uri, BodyPublisher body) throws IOException, InterruptedException {
        return send(request(uri).POST(body));
    }

    public HttpResponse<String> delete(URI uri) throws IOException, InterruptedException {
        return send(request(uri).DELETE());
    }

    /** With a token, or without one when it is null; the body is JSON, null for none. */
    public HttpResponse<String> send(String method, URI uri, String token, String body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request =
                request(uri).method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        return send(token == null ? request : request.header("Authorization", "Bearer " + token));
    }

    private HttpRequest.Builder request(URI uri) {
        return HttpRequest.newBuilder(uri).timeout(patience);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), BodyHandlers.ofString());
    }
}
