package io.queen.bench;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** Whether all that a request asked for was done: an answer may be 200 and say of an item that it failed. */
final class Outcomes {
    private Outcomes() {}

    /** Null when each of so many items was stored, else what is wrong. */
    static String ofPush(Answer answer, int items) {
        return ofItems(answer, "status", "queued", items);
    }

    /** Null when each of so many acks was applied, else what is wrong. */
    static String ofAck(Answer answer, int items) {
        return ofItems(answer, "success", "true", items);
    }

    /** Null when the transaction was applied, else what is wrong. */
    static String ofTransaction(Answer answer) {
        if (!answer.succeeded()) {
            return answer.problem();
        }
        return answer.json().path("success").asBoolean() ? null : "transaction undone: " + answer.problem();
    }

    private static String ofItems(Answer answer, String field, String value, int items) {
        if (!answer.succeeded()) {
            return answer.problem();
        }
        try {
            int good = count(answer.body(), field, value);
            return good == items ? null : (items - good) + " of " + items + " items without " + field + " " + value;
        } catch (IOException e) {
            return "an answer that is not JSON";
        }
    }

    private static int count(byte[] body, String field, String value) throws IOException {
        int found = 0;
        try (JsonParser parser = Popped.JSON.createParser(body)) {
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
