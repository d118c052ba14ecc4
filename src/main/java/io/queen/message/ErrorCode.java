package io.queen.message;

import java.util.Locale;

/**
 * What can go wrong, by name. Codes and their statuses are part of the contract: a client may decide on them, so one is
 * never renamed or given a new meaning. docs/errors.md lists them, a test compares.
 */
public enum ErrorCode {
    BAD_REQUEST(400, "The request is not valid"),
    EMPTY_BODY(400, "The request has no body"),
    INVALID_JSON(400, "The body is not valid JSON"),
    MISSING_FIELD(400, "A required field is missing"),
    INVALID_FIELD(400, "A field has a value that is not allowed"),
    UNKNOWN_FIELD(400, "A field or parameter is not known"),
    TOKEN_REQUIRED(401, "The request has no token"),
    INVALID_TOKEN(401, "The token is not valid"),
    FORBIDDEN(403, "This is not allowed"),
    QUEUE_FORBIDDEN(403, "The token does not give the right on the queue"),
    FOREIGN_ORIGIN(403, "A web page of another origin may not call this server"),
    NOT_FOUND(404, "There is nothing at this path"),
    QUEUE_NOT_FOUND(404, "There is no such queue"),
    PARTITION_NOT_FOUND(404, "There is no such partition"),
    MESSAGE_NOT_FOUND(404, "There is no such message"),
    SCHEDULE_NOT_FOUND(404, "There is no such schedule"),
    QUERY_NOT_FOUND(404, "There is no such streaming query"),
    LEASE_NOT_FOUND(404, "There is no such lease"),
    METHOD_NOT_ALLOWED(405, "The path does not take this method"),
    NOT_ACCEPTABLE(406, "The answer can't be given in an accepted content type"),
    BODY_TIMEOUT(408, "The body did not arrive in time"),
    CONFLICT(409, "The request contradicts the current state"),
    LEASE_EXPIRED(410, "The lease has expired"),
    BODY_TOO_LARGE(413, "The body is larger than the server accepts"),
    URI_TOO_LONG(414, "The request line is longer than the server accepts"),
    UNSUPPORTED_MEDIA_TYPE(415, "The body has a content type that is not supported"),
    HEADERS_TOO_LARGE(431, "The headers are larger than the server accepts"),
    INTERNAL_ERROR(500, "Something went wrong in the server"),
    PAYLOAD_UNREADABLE(500, "A payload can't be decrypted with the key that the server has"),
    KEYS_UNAVAILABLE(500, "The key that signed the token is not known, and the key server can't be reached"),
    NOT_IMPLEMENTED(501, "The server does not offer this"),
    STOPPING(503, "The server is stopping"),
    OVERLOADED(503, "The server has too much to do"),
    DATABASE_UNAVAILABLE(503, "PostgreSQL can't be reached"),
    SCHEMA_REFUSED(503, "The schema in the database is not one that this server can use"),
    BUFFER_UNAVAILABLE(503, "The message can't go to the database now, and can't be kept on disk");

    private final int status;
    private final String title;

    ErrorCode(int status, String title) {
        this.status = status;
        this.title = title;
    }

    /** The HTTP status that goes with the code. */
    public int status() {
        return status;
    }

    /** One short sentence, the same for every occurrence. */
    public String title() {
        return title;
    }

    /** The {@code type} of RFC 9457: an identifier, not an address. */
    public String type() {
        return "urn:queen:error:" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether the same request may succeed a little later; the answer then carries {@code Retry-After}. */
    public boolean retryable() {
        return status == 503;
    }
}
