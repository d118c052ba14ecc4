package io.queen.bench;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;

/**
 * What came back for a request. Whether all that it asked for was done is not told by the status: an answer may be 200 and
 * say of an item that it failed.
 *
 * @param status 0 when nothing came
 * @param failure why nothing came, else null
 */
record Answer(int status, byte[] body, String failure) {
    static final String NOT_JSON = "an answer that is not JSON";
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
        String error = json().path("error").asText("");
        String reason = error.length() > LONGEST_REASON ? error.substring(0, LONGEST_REASON) + "…" : error;
        return "HTTP " + status + (reason.isEmpty() ? "" : ": " + reason);
    }

    /** The body, which has no fields when it is not JSON. */
    JsonNode json() {
        try {
            return JSON.readTree(body);
        } catch (IOException e) {
            return MissingNode.getInstance();
        }
    }

    /** Null when each of so many items was stored, else what is wrong. */
    String pushProblem(int items) {
        return itemProblem("status", "queued", items);
    }

    /** Null when each of so many acks was applied, else what is wrong. */
    String ackProblem(int items) {
        return itemProblem("success", "true", items);
    }

    /** Null when the transaction was applied, else what is wrong. */
    String transactionProblem() {
        if (!succeeded()) {
            return problem();
        }
        return json().path("success").asBoolean() ? null : "transaction undone: " + problem();
    }

    private String itemProblem(String field, String value, int items) {
        if (!succeeded()) {
            return problem();
        }
        try {
            int good = count(field, value);
            return good == items ? null : (items - good) + " of " + items + " items without " + field + " " + value;
        } catch (IOException e) {
            return NOT_JSON;
        }
    }

    private int count(String field, String value) throws IOException {
        int found = 0;
        try (JsonParser parser = JSON.createParser(body)) {
            while (parser.nextToken() != null) {
                if (parser.currentToken() == JsonToken.FIELD_NAME
                        && parser.currentName().equals(field)) {
                    parser.nextToken();
                    found += value.equals(parser.getText()) ? 1 : 0;
                }
            }
        }
        return found;
    }
}
