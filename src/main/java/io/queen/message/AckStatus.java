package io.queen.message;

/** What a consumer says of a message. */
public enum AckStatus {
    /** Done: the cursor moves to it. */
    COMPLETED("completed"),
    /** Not done: delivered again, or dead-lettered when no retries are left. */
    FAILED("failed"),
    /** Never to be done: dead-lettered now. */
    DLQ("dlq"),
    /** Not now: delivered again, no retry counted. */
    RETRY("retry");

    private final String text;

    AckStatus(String text) {
        this.text = text;
    }

    /** As the database and the protocol spell it. */
    public String text() {
        return text;
    }

    /** The status of that name, {@code success} being an alias of {@code completed}; null when there is none. */
    public static AckStatus of(String text) {
        return switch (text) {
            case "completed", "success" -> COMPLETED;
            case "failed" -> FAILED;
            case "dlq" -> DLQ;
            case "retry" -> RETRY;
            default -> null;
        };
    }
}
