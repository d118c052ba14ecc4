package io.queen.http;

import static io.queen.message.QueueOptions.DEFAULTS;

import io.queen.message.QueueOptions;
import java.io.IOException;

/**
 * Reads the options of a queue. Those not given are the defaults; unknown ones are ignored. Retention seconds without
 * {@code retentionEnabled} switch retention on, because some clients have no way to send the flag.
 */
final class OptionsReader {
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
            if (!body.isNull()) {
                reader.option(body, name);
            }
        }
        return reader.options();
    }

    private void option(JsonBody body, String name) throws IOException {
        switch (name) {
            case "leaseTime" -> leaseTime = count(body, name);
            case "retryLimit" -> retryLimit = count(body, name);
            case "retryDelay" -> retryDelay = count(body, name);
            case "maxSize" -> maxSize = count(body, name);
            case "ttl" -> ttl = count(body, name);
            case "deadLetterQueue" -> deadLetterQueue = flag(body, name);
            case "dlqAfterMaxRetries" -> dlqAfterMaxRetries = flag(body, name);
            case "priority" -> priority = body.integer("options." + name, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case "delayedProcessing" -> delayedProcessing = count(body, name);
            case "windowBuffer" -> windowBuffer = count(body, name);
            case "retentionSeconds" -> retentionSeconds = count(body, name);
            case "completedRetentionSeconds" -> completedRetentionSeconds = count(body, name);
            case "retentionEnabled" -> retentionEnabled = flag(body, name);
            case "encryptionEnabled" -> encryptionEnabled = flag(body, name);
            case "maxWaitTimeSeconds" -> maxWaitTimeSeconds = count(body, name);
            default -> body.skip();
        }
    }

    private static int count(JsonBody body, String name) throws IOException {
        return body.integer("options." + name, 0, Integer.MAX_VALUE);
    }

    private static boolean flag(JsonBody body, String name) throws IOException {
        return body.bool("options." + name);
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
