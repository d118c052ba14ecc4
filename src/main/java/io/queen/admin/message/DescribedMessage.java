package io.queen.admin.message;

import io.queen.encryption.PayloadCipher;
import io.queen.message.ErrorCode;
import java.util.Optional;

/**
 * A message, a dead letter or a trace event, as the database describes it.
 *
 * @param json an object with all but the payload
 * @param payload as it is stored; null when it is gone
 */
public record DescribedMessage(String json, String payload, boolean encrypted) {

    /**
     * The object with the payload in that field: decrypted, or as it came in. One that can't be decrypted is null, and the
     * error field tells why.
     */
    public String withPayload(String field, String errorField, PayloadCipher cipher) {
        Optional<String> clear =
                payload == null || !encrypted ? Optional.of(String.valueOf(payload)) : cipher.opened(payload);
        String value = clear.map(text -> "\"" + field + "\": " + text)
                .orElseGet(() -> "\"" + field + "\": null, \"" + errorField + "\": \""
                        + ErrorCode.PAYLOAD_UNREADABLE.title() + "\"");
        return json.substring(0, json.lastIndexOf('}')) + ", " + value + "}";
    }
}
