package io.queen.http;

import io.queen.message.DescribedMessage;
import io.queen.sidecar.PayloadCipher;

/** Puts the payload into the object that describes its message: decrypted, and else as it came in. */
final class PayloadJson {
    private PayloadJson() {}

    static String with(DescribedMessage message, String field, PayloadCipher cipher) {
        String json = message.json();
        return json.substring(0, json.lastIndexOf('}')) + ", \"" + field + "\": " + clear(message, cipher) + "}";
    }

    private static String clear(DescribedMessage message, PayloadCipher cipher) {
        return message.encrypted() && message.payload() != null
                ? cipher.decrypt(message.payload())
                : String.valueOf(message.payload());
    }
}
