package io.queen.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.Json;

/**
 * The body of every error answer: the fields of RFC 9457, the {@code error} text that published clients show, and the
 * stable {@code code}. Sent as application/json, because those clients look at the content type.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"success", "error", "code", "type", "title", "status", "detail", "instance", "field", "errorId"})
@RegisterForReflection
public record Problem(
        boolean success,
        String error,
        ErrorCode code,
        String type,
        String title,
        int status,
        String detail,
        String instance,
        String field,
        String errorId) {

    static final String CONTENT_TYPE = "application/json";
    /** Long enough for a pool to drain or a database to fail over a little, short enough not to be noticed. */
    static final String RETRY_AFTER_SECONDS = "1";

    private static final CharSequence RETRY_AFTER = HttpHeaders.createOptimized("Retry-After");

    static Problem of(ErrorCode code, String detail, String path) {
        return of(code, detail, path, null, null);
    }

    static Problem of(QueenException failure, String path) {
        return of(failure.code(), failure.getMessage(), path, failure.field(), null);
    }

    /** What the client learns of a failure that was not foreseen: an id to ask about, and nothing of the program's inside. */
    static Problem internal(String errorId, String path) {
        String detail = "Something went wrong in the server; its log tells more under error id " + errorId;
        return of(ErrorCode.INTERNAL_ERROR, detail, path, null, errorId);
    }

    private static Problem of(ErrorCode code, String detail, String path, String field, String errorId) {
        return new Problem(false, detail, code, code.type(), code.title(), code.status(), detail, path, field, errorId);
    }

    /** Answers with it outside of resources; for those {@link ErrorMapper} does. */
    Future<Void> send(HttpServerResponse response) {
        if (code.retryable()) {
            response.putHeader(RETRY_AFTER, RETRY_AFTER_SECONDS);
        }
        return response.setStatusCode(status)
                .putHeader(HttpHeaders.CONTENT_TYPE, CONTENT_TYPE)
                .end(Json.encode(this));
    }
}
