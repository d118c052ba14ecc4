package io.queen.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.queen.message.ErrorCode;
import io.queen.message.QueenException;
import org.eclipse.microprofile.openapi.annotations.media.Schema;

/**
 * The body of every error answer: the fields of RFC 9457, the {@code error} text that published clients show, and the
 * stable {@code code}. Sent as application/json, because those clients look at the content type.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"success", "error", "code", "type", "title", "status", "detail", "instance", "field", "errorId"})
@RegisterForReflection
@Schema(name = "Error", description = "The body of every error answer: RFC 9457 plus error and code")
public record Problem(
        @Schema(description = "Always false: clients that look for it in any answer find it", required = true)
        boolean success,

        @Schema(description = "What is wrong, in a sentence that names the field", required = true)
        String error,

        @Schema(description = "What is wrong, for programs", required = true)
        ErrorCode code,

        @Schema(description = "The code as a URI", required = true, examples = "urn:queen:error:missing-field")
        String type,

        @Schema(description = "The code in words", required = true)
        String title,

        @Schema(description = "The HTTP status", required = true)
        int status,

        @Schema(description = "Same text as error", required = true)
        String detail,

        @Schema(description = "The path of the request", required = true)
        String instance,

        @Schema(description = "The field that is wrong, if it is about one")
        String field,

        @Schema(description = "Finds the occurrence in the server's log, for code INTERNAL_ERROR")
        String errorId) {

    static final String CONTENT_TYPE = "application/json";
    /** Long enough for a pool to drain or a database to fail over a little, short enough not to be noticed. */
    static final String RETRY_AFTER_SECONDS = "1";

    static Problem of(ErrorCode code, String detail, String path) {
        return of(code, detail, path, null, null);
    }

    static Problem of(QueenException failure, String path) {
        return of(failure.code(), failure.getMessage(), path, failure.field(), null);
    }

    /** What the client learns of a failure nobody foresaw: an id to ask about, and nothing of the program's inside. */
    static Problem internal(String errorId, String path) {
        String detail = "Something went wrong in the server; its log tells more under error id " + errorId;
        return of(ErrorCode.INTERNAL_ERROR, detail, path, null, errorId);
    }

    private static Problem of(ErrorCode code, String detail, String path, String field, String errorId) {
        return new Problem(false, detail, code, code.type(), code.title(), code.status(), detail, path, field, errorId);
    }
}
