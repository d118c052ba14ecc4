package io.queen.message;

import java.util.UUID;

/**
 * A failure that the client is told about: every package throws this one, {@code http} alone turns it into an answer.
 * The message is the sentence the client reads. Without a stack trace, because it tells about the request and not about
 * the program, and a flood of bad requests must stay cheap.
 */
public final class QueenException extends RuntimeException {
    private final ErrorCode code;
    private final String field;

    public QueenException(ErrorCode code, String detail) {
        this(code, detail, null, null);
    }

    /** With what caused it, for the log: the client sees nothing of the cause. */
    public QueenException(ErrorCode code, String detail, Throwable cause) {
        this(code, detail, null, cause);
    }

    private QueenException(ErrorCode code, String detail, String field, Throwable cause) {
        super(detail, cause, false, false);
        this.code = code;
        this.field = field;
    }

    /** A required field is not there; {@code field} as the client spells it, with its index: {@code items[3].queue}. */
    public static QueenException missing(String field) {
        return new QueenException(ErrorCode.MISSING_FIELD, field + " is required", field, null);
    }

    /** A field is there and wrong; {@code rule} continues the sentence: "must be a number". */
    public static QueenException invalid(String field, String rule) {
        return new QueenException(ErrorCode.INVALID_FIELD, field + " " + rule, field, null);
    }

    /** A field or parameter is unknown, and the server is told to refuse those. */
    public static QueenException unknown(String field) {
        return new QueenException(ErrorCode.UNKNOWN_FIELD, field + " is not known here", field, null);
    }

    /** The body is not JSON; {@code field} is where that was noticed, null when it was at no field. */
    public static QueenException invalidJson(String what, String field) {
        String place = field == null ? "" : " in " + field;
        return new QueenException(ErrorCode.INVALID_JSON, "Invalid JSON: " + what + place, field, null);
    }

    public static QueenException queueNotFound(String queue) {
        return new QueenException(ErrorCode.QUEUE_NOT_FOUND, "Queue not found: " + queue);
    }

    public static QueenException messageNotFound(UUID partitionId, String transactionId) {
        return new QueenException(
                ErrorCode.MESSAGE_NOT_FOUND, "Message not found: " + transactionId + " in partition " + partitionId);
    }

    public ErrorCode code() {
        return code;
    }

    /** The field that is wrong, or null when the failure is not about one. */
    public String field() {
        return field;
    }
}
