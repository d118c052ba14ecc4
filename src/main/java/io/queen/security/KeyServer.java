package io.queen.security;

import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.lang.JoseException;

/**
 * Fetches the public keys of the issuer. One fetch at a time, and none sooner than a moment after the one before, however
 * many tokens name keys that are not known.
 */
final class KeyServer {
    private static final int OK = 200;
    /** The largest answer that is read. */
    private static final int MAX_BYTES = 1 << 20;

    private final Vertx vertx;
    private final String url;
    private final long timeoutMillis;
    private final long pauseNanos;
    private final Consumer<List<JsonWebKey>> keys;
    private Future<Void> last;
    private long lastBegan;

    /** {@code keys} takes what each fetch brings, on a worker thread. */
    KeyServer(Vertx vertx, String url, long timeoutMillis, long pauseMillis, Consumer<List<JsonWebKey>> keys) {
        this.vertx = vertx;
        this.url = url;
        this.timeoutMillis = timeoutMillis;
        this.pauseNanos = TimeUnit.MILLISECONDS.toNanos(pauseMillis);
        this.keys = keys;
    }

    /** Completes when the keys are those that are there now, or were a moment ago; on any thread. */
    synchronized Future<Void> fetch() {
        long now = System.nanoTime();
        if (last == null || (last.isComplete() && now - lastBegan >= pauseNanos)) {
            lastBegan = now;
            last = ask();
        }
        return last;
    }

    /** With a client of its own: when that is closed nothing is left of an answer that does not end. */
    private Future<Void> ask() {
        HttpClient client = vertx.createHttpClient();
        RequestOptions request = new RequestOptions()
                .setMethod(HttpMethod.GET)
                .setAbsoluteURI(url)
                .setConnectTimeout(timeoutMillis);
        return client.request(request)
                .compose(HttpClientRequest::send)
                .compose(KeyServer::body)
                .timeout(timeoutMillis, TimeUnit.MILLISECONDS)
                .onComplete(done -> client.close())
                .compose(body -> vertx.<Void>executeBlocking(() -> take(body), false));
    }

    private static Future<Buffer> body(HttpClientResponse response) {
        if (response.statusCode() != OK) {
            return Future.failedFuture("it answers with status " + response.statusCode());
        }
        Promise<Buffer> whole = Promise.promise();
        Buffer read = Buffer.buffer();
        response.exceptionHandler(whole::tryFail);
        response.endHandler(end -> whole.tryComplete(read));
        response.handler(part -> {
            if (read.length() + part.length() > MAX_BYTES) {
                whole.tryFail("its answer is larger than " + MAX_BYTES + " bytes");
            } else {
                read.appendBuffer(part);
            }
        });
        return whole.future();
    }

    private Void take(Buffer body) throws JoseException {
        keys.accept(new JsonWebKeySet(body.toString()).getJsonWebKeys());
        return null;
    }
}
