package io.queen.admin.message;

import io.queen.encryption.PayloadCipher;
import io.queen.message.ErrorCode;
import java.util.Optional;

/**
 * Puts the payload into the object that describes its message: decrypted, and else as it came in. One that can't be
 * decrypted is null, and a field of that name with {@code Error} tells why.
 */
public final class PayloadJson {
    /** Instead of a payload that the key does not open. */
    public static final String UNREADABLE = ErrorCode.PAYLOAD_UNREADABLE.title();

    private PayloadJson() {}

    public static String with(DescribedMessage message, String field, PayloadCipher cipher) {
        String json = message.json();
        Optional<String> clear = clear(message.payload(), message.encrypted(), cipher);
        return json.substring(0, json.lastIndexOf('}'))
                + ", \"" + field + "\": " + clear.orElse("null")
                + (clear.isPresent() ? "" : ", \"" + field + "Error\": \"" + UNREADABLE + "\"") + "}";
    }

    /** The payload as it was pushed, null for none; empty when it can't be decrypted. */
    public static Optional<String> clear(String payload, boolean encrypted, PayloadCipher cipher) {
        return payload == null || !encrypted ? Optional.of(String.valueOf(payload)) : cipher.opened(payload);
    }
}
