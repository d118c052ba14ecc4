package io.queen.history;

import io.vertx.core.json.JsonObject;

/**
 * What the stream of the test counts: the messages of each key in each window, both told by the number of the message. Every
 * count that changes is emitted, with a number that rises by one: so the sink tells whether a cycle was applied twice, by
 * half, or in another order.
 */
final class Counting {
    /** The state that holds how many counts were emitted for the partition. */
    static final String EMITTED = "emitted";

    private static final int KEYS = 4;
    private static final int WINDOW = 50;

    private Counting() {}

    /** The key and window of a message, by its transaction id: {@code events-123}. */
    static String key(String transactionId) {
        int number = Integer.parseInt(transactionId.substring(transactionId.lastIndexOf('-') + 1));
        return "key-" + number % KEYS + "\u001f" + number / WINDOW;
    }

    static JsonObject value(long count) {
        return new JsonObject().put("count", count);
    }

    static long count(String value) {
        return new JsonObject(value).getLong("count");
    }

    /** What a sink message tells; as JSON it is that in quotes. */
    static String emission(long number, String key, long count) {
        return number + "|" + shown(key) + "|" + count;
    }

    /** A key as sink messages show it. */
    static String shown(String key) {
        return key.replace('\u001f', '/');
    }
}
