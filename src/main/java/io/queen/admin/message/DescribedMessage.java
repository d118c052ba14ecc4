package io.queen.admin.message;

import io.queen.encryption.OpenedPayload;
import io.queen.encryption.PayloadCipher;
import io.queen.message.PartitionName;

/**
 * A message, a dead letter or a trace event, as the database describes it.
 *
 * @param json an object with all but the payload
 * @param payload as it is stored; null when it is gone
 * @param partition where the message is, and its {@code transactionId}
 */
public record DescribedMessage(
        String json, String payload, boolean encrypted, PartitionName partition, String transactionId) {

    /**
     * The object with the payload in that field: decrypted, or as it came in. One that can't be decrypted is null, and the
     * error field tells why.
     */
    public String withPayload(String field, String errorField, PayloadCipher cipher) {
        OpenedPayload opened = payload == null || !encrypted
                ? new OpenedPayload(String.valueOf(payload), null)
                : cipher.open(payload, partition, transactionId);
        String value = opened.failed()
                ? "\"" + field + "\": null, \"" + errorField + "\": \"" + opened.sentence() + "\""
                : "\"" + field + "\": " + opened.payload();
        return json.substring(0, json.lastIndexOf('}')) + ", " + value + "}";
    }
}
