package io.queen.admin.queue;

import static io.queen.admin.queue.QueueOptions.DEFAULTS;

import io.queen.web.JsonBody;
import java.io.IOException;

/**
 * Reads the options of a queue. Those not given are the defaults; each number has its range. Retention seconds without
 * {@code retentionEnabled} switch retention on, because some clients have no way to send the flag.
 */
public final class OptionsReader {
    /** In seconds, as long as a lease can be extended to: more is a mistake in the unit. */
    private static final int A_YEAR = 31_536_000;

    private int leaseTime = DEFAULTS.leaseTime();
    private int retryLimit = DEFAULTS.retryLimit();
    private int retryDelay = DEFAULTS.retryDelay();
    private int maxSize = DEFAULTS.maxSize();
    private int ttl = DEFAULTS.ttl();
    private boolean deadLetterQueue = DEFAULTS.deadLetterQueue();
    private boolean dlqAfterMaxRetries = DEFAULTS.dlqAfterMaxRetries();
    private int priority = DEFAULTS.priority();
    private int delayedProcessing = DEFAULTS.delayedProcessing();
    private int windowBuffer = DEFAULTS.windowBuffer();
    private int retentionSeconds = DEFAULTS.retentionSeconds();
    private int completedRetentionSeconds = DEFAULTS.completedRetentionSeconds();
    private Boolean retentionEnabled;
    private boolean encryptionEnabled = DEFAULTS.encryptionEnabled();
    private int maxWaitTimeSeconds = DEFAULTS.maxWaitTimeSeconds();

    private OptionsReader() {}

    /** The object at the current token. */
    static QueueOptions read(JsonBody body) throws IOException {
        OptionsReader reader = new OptionsReader();
        for (String name = body.nextField(); name != null; name = body.nextField()) {
            reader.option(body, name);
        }
        return reader.options();
    }

    private void option(JsonBody body, String name) throws IOException {
        switch (name) {
            case "leaseTime" -> leaseTime = upToAYear(body, name, DEFAULTS.leaseTime());
            case "retryLimit" -> retryLimit = count(body, name, DEFAULTS.retryLimit());
            case "retryDelay" -> retryDelay = count(body, name, DEFAULTS.retryDelay());
            case "maxSize" -> maxSize = count(body, name, DEFAULTS.maxSize());
            case "ttl" -> ttl = count(body, name, DEFAULTS.ttl());
            case "deadLetterQueue" -> deadLetterQueue = flag(body, name, DEFAULTS.deadLetterQueue());
            case "dlqAfterMaxRetries" -> dlqAfterMaxRetries = flag(body, name, DEFAULTS.dlqAfterMaxRetries());
            case "priority" -> priority = number(body, name, Integer.MIN_VALUE, Integer.MAX_VALUE, DEFAULTS.priority());
            case "delayedProcessing" -> delayedProcessing = upToAYear(body, name, DEFAULTS.delayedProcessing());
            case "windowBuffer" -> windowBuffer = upToAYear(body, name, DEFAULTS.windowBuffer());
            case "retentionSeconds" -> retentionSeconds = count(body, name, DEFAULTS.retentionSeconds());
            case "completedRetentionSeconds" ->
                completedRetentionSeconds = count(body, name, DEFAULTS.completedRetentionSeconds());
            case "retentionEnabled" -> retentionEnabled = body.isNull() ? null : body.bool("options." + name);
            case "encryptionEnabled" -> encryptionEnabled = flag(body, name, DEFAULTS.encryptionEnabled());
            case "maxWaitTimeSeconds" -> maxWaitTimeSeconds = count(body, name, DEFAULTS.maxWaitTimeSeconds());
            default -> body.unknown("options.", name);
        }
    }

    private static int count(JsonBody body, String name, int otherwise) throws IOException {
        return number(body, name, 0, Integer.MAX_VALUE, otherwise);
    }

    /** For what holds messages back. */
    private static int upToAYear(JsonBody body, String name, int otherwise) throws IOException {
        return number(body, name, 0, A_YEAR, otherwise);
    }

    private static int number(JsonBody body, String name, int min, int max, int otherwise) throws IOException {
        return body.isNull() ? otherwise : body.integer("options." + name, min, max);
    }

    private static boolean flag(JsonBody body, String name, boolean otherwise) throws IOException {
        return body.isNull() ? otherwise : body.bool("options." + name);
    }

    private QueueOptions options() {
        boolean retention =
                retentionEnabled == null ? retentionSeconds > 0 || completedRetentionSeconds > 0 : retentionEnabled;
        return new QueueOptions(
                leaseTime,
                retryLimit,
                retryDelay,
                maxSize,
                ttl,
                deadLetterQueue,
                dlqAfterMaxRetries,
                priority,
                delayedProcessing,
                windowBuffer,
                retentionSeconds,
                completedRetentionSeconds,
                retention,
                encryptionEnabled,
                maxWaitTimeSeconds);
    }
}
