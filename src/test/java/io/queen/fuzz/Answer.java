package io.queen.fuzz;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** What came back. */
record Answer(int status, Map<String, String> headers, String body) {
    /** Names of classes and methods, and lines of a stack trace. */
    private static final Pattern INSIDE = Pattern.compile(
            "\\b(?:[a-z][a-z0-9_]*\\.){2,}[A-Z]\\w+|\\b[A-Z]\\w+\\.\\w+\\(\\)|\\w+(?:Exception|Error)\\b|\\bat \\w[\\w.$]+\\(|\\.java:\\d");

    static Answer read(InputStream in, boolean headOnly) throws IOException {
        String[] first = line(in).split(" ", 3);
        if (first.length < 2 || !first[0].startsWith("HTTP/1.")) {
            throw new IOException("not an answer: " + String.join(" ", first));
        }
        Map<String, String> headers = new HashMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int status = Integer.parseInt(first[1]);
        return new Answer(status, headers, headOnly || status == 204 ? "" : body(in, headers));
    }

    /** Why it must not be, or null. */
    String fault(String path) {
        boolean notOffered = status == 501 && path.startsWith("/api/v1/migration/");
        if (status >= 500 && status != 503 && !notOffered) {
            return "status " + status;
        }
        // Figures have labels with the classes of failed connections: that is for operators.
        return path.startsWith("/metrics") ? null : leak(body);
    }

    static String leak(String text) {
        var found = INSIDE.matcher(text);
        return found.find() ? "tells of the inside: " + found.group() : null;
    }

    boolean last() {
        return "close".equalsIgnoreCase(headers.get("connection"));
    }

    private static String body(InputStream in, Map<String, String> headers) throws IOException {
        if (headers.containsKey("content-length")) {
            return new String(
                    in.readNBytes(Integer.parseInt(headers.get("content-length"))), StandardCharsets.ISO_8859_1);
        }
        StringBuilder body = new StringBuilder();
        if ("chunked".equals(headers.get("transfer-encoding"))) {
            for (int size = chunk(in); size > 0; size = chunk(in)) {
                body.append(new String(in.readNBytes(size), StandardCharsets.ISO_8859_1));
                line(in);
            }
            line(in);
        }
        return body.toString();
    }

    private static int chunk(InputStream in) throws IOException {
        return Integer.parseInt(line(in), 16);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("closed after \"" + line + "\"");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }
}
