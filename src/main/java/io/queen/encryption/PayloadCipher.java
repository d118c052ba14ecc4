package io.queen.encryption;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.queen.config.QueenConfig;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jboss.logging.Logger;

/**
 * Encrypts payloads of queues that ask for it: AES-256-GCM, 16 bytes of IV, 16 of tag, stored as
 * {@code {"encrypted": …, "iv": …, "authTag": …}} in base64. Without a key they are stored in clear, which is said once.
 */
@Singleton
public final class PayloadCipher {
    private static final Logger LOG = Logger.getLogger(PayloadCipher.class);
    private static final int IV_BYTES = 16;
    private static final int TAG_BYTES = 16;
    /** Payloads are limited by the body limit alone, not by the parser's. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final SecretKeySpec key;
    private final SecureRandom random = new SecureRandom();
    private final AtomicBoolean warned = new AtomicBoolean();

    PayloadCipher(QueenConfig config) {
        this.key = config.encryptionKey()
                .map(hex -> new SecretKeySpec(HexFormat.of().parseHex(hex), "AES"))
                .orElse(null);
    }

    /** Whether there is a key. */
    public boolean enabled() {
        return key != null;
    }

    /** A queue asks for encryption and there is no key. */
    public void warnOnce(String queue) {
        if (warned.compareAndSet(false, true)) {
            LOG.warnf("Queue %s asks for encryption, but QUEEN_ENCRYPTION_KEY is not set: stored in clear", queue);
        }
    }

    public String encrypt(String payload) {
        byte[] iv = new byte[IV_BYTES];
        random.nextBytes(iv);
        byte[] sealed = run(Cipher.ENCRYPT_MODE, iv, payload.getBytes(StandardCharsets.UTF_8));
        Base64.Encoder base64 = Base64.getEncoder();
        int end = sealed.length - TAG_BYTES;
        return "{\"encrypted\":\"" + base64.encodeToString(Arrays.copyOf(sealed, end))
                + "\",\"iv\":\"" + base64.encodeToString(iv)
                + "\",\"authTag\":\"" + base64.encodeToString(Arrays.copyOfRange(sealed, end, sealed.length)) + "\"}";
    }

    /** What was encrypted; empty when it was not, or not with this key. */
    public Optional<String> opened(String stored) {
        if (key == null) {
            return Optional.empty();
        }
        try {
            Map<String, String> parts = parts(stored);
            Base64.Decoder base64 = Base64.getDecoder();
            byte[] text = base64.decode(parts.getOrDefault("encrypted", ""));
            byte[] tag = base64.decode(parts.getOrDefault("authTag", ""));
            byte[] sealed = Arrays.copyOf(text, text.length + tag.length);
            System.arraycopy(tag, 0, sealed, text.length, tag.length);
            byte[] iv = base64.decode(parts.getOrDefault("iv", ""));
            return Optional.of(new String(run(Cipher.DECRYPT_MODE, iv, sealed), StandardCharsets.UTF_8));
        } catch (IOException | IllegalArgumentException | IllegalStateException e) {
            return Optional.empty();
        }
    }

    private byte[] run(int mode, byte[] iv, byte[] input) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * 8, iv));
            return cipher.doFinal(input);
        } catch (GeneralSecurityException | ProviderException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, String> parts(String stored) throws IOException {
        Map<String, String> parts = new HashMap<>();
        try (JsonParser parser = JSON.createParser(stored)) {
            while (parser.nextToken() != null) {
                if (parser.currentToken() == JsonToken.VALUE_STRING) {
                    parts.put(parser.currentName(), parser.getText());
                }
            }
        }
        return parts;
    }
}
