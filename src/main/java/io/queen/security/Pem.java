package io.queen.security;

import io.queen.config.SettingsException;
import java.util.Base64;
import java.util.Locale;

/** Keys as text. */
final class Pem {
    private Pem() {}

    /**
     * What stands between the lines. Line breaks may be written as {@code \n}: many tools set variables of one line only.
     *
     * @param kind {@code PUBLIC KEY} or {@code PRIVATE KEY}
     * @param setting for what is wrong with it
     */
    static byte[] read(String pem, String kind, String setting) {
        String text = pem.replace("\\n", "\n").strip();
        String begin = "-----BEGIN " + kind + "-----";
        String end = "-----END " + kind + "-----";
        String wrong = setting + " is not a " + kind.toLowerCase(Locale.ROOT) + " in PEM: ";
        if (!text.startsWith(begin) || !text.endsWith(end)) {
            throw new SettingsException(wrong + "it must begin with " + begin
                    + (kind.startsWith("PRIVATE")
                            ? ", for example from: openssl pkcs8 -topk8 -nodes -in key.pem"
                            : ""));
        }
        try {
            return Base64.getMimeDecoder().decode(text.substring(begin.length(), text.length() - end.length()));
        } catch (IllegalArgumentException e) {
            throw new SettingsException(wrong + "what it holds is not base64.");
        }
    }
}
