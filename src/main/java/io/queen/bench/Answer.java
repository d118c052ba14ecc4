package io.queen.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;

/**
 * What came back for a request.
 *
 * @param status 0 when nothing came
 * @param failure why nothing came, else null
 */
record Answer(int status, byte[] body, String failure) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST_REASON = 160;

    static Answer failed(String failure) {
        return new Answer(0, new byte[0], failure);
    }

    boolean succeeded() {
        return status >= 200 && status < 300;
    }

    /** Why it did not succeed, in few words: these are counted, so they name no ids. */
    String problem() {
        if (failure != null) {
            return failure;
        }
        String error = error();
        return "HTTP " + status + (error.isEmpty() ? "" : ": " + error);
    }

    private String error() {
        try {
            JsonNode error = JSON.readTree(body).path("error");
            String text = error.asText("");
            return text.length() > LONGEST_REASON ? text.substring(0, LONGEST_REASON) + "…" : text;
        } catch (IOException e) {
            return "";
        }
    }

    JsonNode json() {
        try {
            return JSON.readTree(body);
        } catch (IOException e) {
            throw new BenchException("The server answered something that is not JSON: " + e.getMessage());
        }
    }
}
