package io.queen.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The messages that a group got by a pop. Read as a stream: the generator's work takes time from the server. */
record Popped(String group, List<Message> messages) {
    private static final JsonFactory JSON = new JsonFactory();

    /** What it takes to acknowledge a message; {@code number} is what its payload says, or -1. */
    record Message(String transactionId, String partitionId, String leaseId, long number) {}

    boolean isEmpty() {
        return messages.isEmpty();
    }

    int size() {
        return messages.size();
    }

    static Popped read(String group, byte[] body) throws IOException {
        List<Message> messages = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(body)) {
            parser.nextToken();
            while (toNextField(parser)) {
                if (parser.currentName().equals("messages") && parser.isExpectedStartArrayToken()) {
                    while (parser.nextToken() == JsonToken.START_OBJECT) {
                        messages.add(message(parser));
                    }
                }
                parser.skipChildren();
            }
        }
        return new Popped(group, messages);
    }

    /** To the value of the next field, if the object has one. */
    private static boolean toNextField(JsonParser parser) throws IOException {
        boolean found = parser.nextToken() == JsonToken.FIELD_NAME;
        if (found) {
            parser.nextToken();
        }
        return found;
    }

    private static Message message(JsonParser parser) throws IOException {
        String transactionId = null;
        String partitionId = null;
        String leaseId = null;
        long number = -1;
        while (toNextField(parser)) {
            switch (parser.currentName()) {
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
        if (!parser.isExpectedStartObjectToken()) {
            parser.skipChildren();
            return number;
        }
        while (toNextField(parser)) {
            if (parser.currentName().equals("n")) {
                number = parser.getLongValue();
            }
            parser.skipChildren();
        }
        return number;
    }
}
