package io.queen.admin.queue;

import static io.queen.admin.queue.QueueOptions.DEFAULTS;
import static io.queen.admin.queue.QueueOptions.EXPONENTIAL;
import static io.queen.admin.queue.QueueOptions.FIXED;

import io.queen.message.QueenException;
import io.queen.web.FieldRules;
import io.queen.web.JsonBody;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Reads the options of a queue. Those not given are the defaults; each number has its range. Retention seconds without
 * {@code retentionEnabled} switch retention on, because some clients have no way to send the flag.
 */
final class OptionsReader {
    /** In seconds, as long as a lease can be extended to: more is a mistake in the unit. */
    private static final int A_YEAR = 31_536_000;

    private final Map<String, Object> given = new HashMap<>();

    private OptionsReader() {}

    /** The object at the current token. */
    static QueueOptions read(JsonBody body) throws IOException {
        OptionsReader reader = new OptionsReader();
        for (String name = body.nextField(); name != null; name = body.nextField()) {
            reader.given.put(name, value(body, name));
        }
        return reader.options();
    }

    /** The value of the option; null for none, and for a name that is not an option. */
    private static Object value(JsonBody body, String name) throws IOException {
        return switch (name) {
            case "leaseTime", "delayedProcessing", "windowBuffer" -> number(body, name, 0, A_YEAR);
            case "retryLimit",
                    "retryDelay",
                    "retryDelayMax",
                    "maxSize",
                    "ttl",
                    "retentionSeconds",
                    "completedRetentionSeconds",
                    "maxWaitTimeSeconds" -> number(body, name, 0, Integer.MAX_VALUE);
            case "retryJitter" -> number(body, name, 0, 100);
            case "retryBackoff" -> body.isNull() ? null : backoff(body.scalar());
            case "priority" -> number(body, name, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case "deadLetterQueue", "dlqAfterMaxRetries", "retentionEnabled", "encryptionEnabled" ->
                body.isNull() ? null : FieldRules.bool(body.scalar(), "options." + name);
            default -> {
                body.unknown("options.", name);
                yield null;
            }
        };
    }

    private static Integer number(JsonBody body, String name, int min, int max) throws IOException {
        return body.isNull() ? null : Integer.valueOf(FieldRules.integer(body.scalar(), "options." + name, min, max));
    }

    private static String backoff(String word) {
        if (!FIXED.equals(word) && !EXPONENTIAL.equals(word)) {
            throw QueenException.invalid("options.retryBackoff", "must be " + FIXED + " or " + EXPONENTIAL);
        }
        return word;
    }

    private int number(String name, int otherwise) {
        return given.get(name) instanceof Integer number ? number : otherwise;
    }

    private boolean flag(String name, boolean otherwise) {
        return given.get(name) instanceof Boolean flag ? flag : otherwise;
    }

    /** A wait that grows needs something to grow from, and a cap that is not below it. */
    private static void checkGrowth(int delay, int most) {
        if (delay == 0) {
            throw QueenException.invalid("options.retryBackoff", "exponential needs a retryDelay above 0");
        }
        if (most < delay) {
            throw QueenException.invalid("options.retryDelayMax", "must not be below retryDelay");
        }
    }

    private QueueOptions options() {
        int delay = number("retryDelay", DEFAULTS.retryDelay());
        int most = number("retryDelayMax", DEFAULTS.retryDelayMax());
        String backoff = given.get("retryBackoff") instanceof String word ? word : DEFAULTS.retryBackoff();
        if (backoff.equals(EXPONENTIAL)) {
            checkGrowth(delay, most);
        }
        int retention = number("retentionSeconds", DEFAULTS.retentionSeconds());
        int completed = number("completedRetentionSeconds", DEFAULTS.completedRetentionSeconds());
        return new QueueOptions(
                number("leaseTime", DEFAULTS.leaseTime()),
                number("retryLimit", DEFAULTS.retryLimit()),
                delay,
                backoff,
                most,
                number("retryJitter", DEFAULTS.retryJitter()),
                number("maxSize", DEFAULTS.maxSize()),
                number("ttl", DEFAULTS.ttl()),
                flag("deadLetterQueue", DEFAULTS.deadLetterQueue()),
                flag("dlqAfterMaxRetries", DEFAULTS.dlqAfterMaxRetries()),
                number("priority", DEFAULTS.priority()),
                number("delayedProcessing", DEFAULTS.delayedProcessing()),
                number("windowBuffer", DEFAULTS.windowBuffer()),
                retention,
                completed,
                flag("retentionEnabled", retention > 0 || completed > 0),
                flag("encryptionEnabled", DEFAULTS.encryptionEnabled()),
                number("maxWaitTimeSeconds", DEFAULTS.maxWaitTimeSeconds()));
    }
}
