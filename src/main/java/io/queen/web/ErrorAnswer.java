package io.queen.web;

import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.Json;

/** Sends the error body outside of resources; for those {@link ErrorMapper} does. */
final class ErrorAnswer {
    private static final CharSequence RETRY_AFTER = HttpHeaders.createOptimized("Retry-After");

    private ErrorAnswer() {}

    static Future<Void> send(HttpServerResponse response, Problem problem) {
        if (problem.code().retryable()) {
            response.putHeader(RETRY_AFTER, Problem.RETRY_AFTER_SECONDS);
        }
        return response.setStatusCode(problem.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, Problem.CONTENT_TYPE)
                .end(Json.encode(problem));
    }
}
