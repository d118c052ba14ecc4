package io.queen.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The messages in the answer to a pop. */
public record Popped(List<Message> messages) {
    static final JsonFactory JSON = new JsonFactory();

    /** What it takes to acknowledge a message; {@code number} is what its payload says, or -1. */
    record Message(String transactionId, String partitionId, String leaseId, long number) {}

    boolean isEmpty() {
        return messages.isEmpty();
    }

    int size() {
        return messages.size();
    }

    static Popped read(byte[] body) throws IOException {
        List<Message> messages = new ArrayList<>();
        if (body.length > 0) {
            try (JsonParser parser = JSON.createParser(body)) {
                readTop(parser, messages);
            }
        }
        return new Popped(messages);
    }

    private static void readTop(JsonParser parser, List<Message> messages) throws IOException {
        parser.nextToken();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean found = parser.currentName().equals("messages");
            if (parser.nextToken() == JsonToken.START_ARRAY && found) {
                while (parser.nextToken() == JsonToken.START_OBJECT) {
                    messages.add(message(parser));
                }
            } else {
                parser.skipChildren();
            }
        }
    }

    private static Message message(JsonParser parser) throws IOException {
        String transactionId = null;
        String partitionId = null;
        String leaseId = null;
        long number = -1;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            parser.nextToken();
            switch (field) {
                case "transactionId" -> transactionId = parser.getText();
                case "partitionId" -> partitionId = parser.getText();
                case "leaseId" -> leaseId = parser.getText();
                case "data" -> number = number(parser);
                default -> parser.skipChildren();
            }
        }
        return new Message(transactionId, partitionId, leaseId, number);
    }

    private static long number(JsonParser parser) throws IOException {
        long number = -1;
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            parser.skipChildren();
            return number;
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            boolean found = parser.currentName().equals("n");
            parser.nextToken();
            if (found) {
                number = parser.getLongValue();
            } else {
                parser.skipChildren();
            }
        }
        return number;
    }
}
