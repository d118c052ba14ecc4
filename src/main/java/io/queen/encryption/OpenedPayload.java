package io.queen.encryption;

/**
 * What became of a payload that was to be decrypted.
 *
 * @param payload the JSON text that was pushed; null when it could not be decrypted
 * @param problem why not, as the end of a sentence; free of quotes, so that it fits into JSON as it is
 */
public record OpenedPayload(String payload, String problem) {
    static OpenedPayload failed(String problem) {
        return new OpenedPayload(null, problem);
    }

    public boolean failed() {
        return payload == null;
    }

    /** The whole sentence. */
    public String sentence() {
        return "The payload can't be decrypted: " + problem;
    }
}
