package io.queen.fuzz;

import io.queen.testing.RawHttp.Answer;
import java.util.regex.Pattern;

/** What an answer must not be. */
final class Verdict {
    /** Names of classes and methods, and lines of a stack trace. */
    private static final Pattern INSIDE = Pattern.compile(
            "\\b(?:[a-z][a-z0-9_]*\\.){2,}[A-Z]\\w+|\\b[A-Z]\\w+\\.\\w+\\(\\)|\\w+(?:Exception|Error)\\b|\\bat \\w[\\w.$]+\\(|\\.java:\\d");

    private Verdict() {}

    /** Why it must not be, or null. */
    static String fault(String path, Answer answer) {
        boolean notOffered = answer.status() == 501 && path.startsWith("/api/v1/migration/");
        if (answer.status() == 0) {
            return "the connection was closed without an answer";
        }
        if (answer.status() >= 500 && answer.status() != 503 && !notOffered) {
            return "status " + answer.status();
        }
        // Figures have labels with the classes of failed connections: that is for operators.
        return path.startsWith("/metrics") ? null : leak(answer.body());
    }

    static String leak(String text) {
        var found = INSIDE.matcher(text);
        return found.find() ? "tells of the inside: " + found.group() : null;
    }
}
