package io.queen.config;

/** Settings that can't be met; the message is a sentence for the person who starts the server. */
public final class SettingsException extends RuntimeException {
    public SettingsException(String message) {
        super(message);
    }
}
