package io.queen.encryption;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.queen.message.PartitionName;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jboss.logging.Logger;

/**
 * Encrypts payloads of queues that ask for it: AES-256-GCM, 16 bytes of IV, 16 of tag, stored as {@code
 * {"v":2,"key":id,"encrypted":…,"iv":…,"authTag":…}} in base64. Without a key they are stored in clear, which is said once.
 *
 * <p>The tag covers the names of queue and partition and the transaction id too, so that what is copied into the row of
 * another message does not open there. A redrive to all groups copies a payload in the database, where no key is: the
 * copy has the transaction id of its message and {@code ~} and an id of its own, and this end does not count.
 *
 * <p>The first format, without {@code v}, has neither key id nor binding; it is read with any key and not written.
 */
@Singleton
public final class PayloadCipher {
    private static final Logger LOG = Logger.getLogger(PayloadCipher.class);
    private static final String VERSION = "2";
    private static final int IV_BYTES = 16;
    private static final int TAG_BYTES = 16;
    /** What redrive_copies_v1 appends to the transaction id, and how much of the id it keeps. */
    private static final Pattern COPY = Pattern.compile("~[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\\z");

    private static final int COPIED_CHARACTERS = 218;
    private static final byte[] NOTHING = {};
    private static final OpenedPayload DAMAGED = OpenedPayload.failed("it is not in a form that Queen stores");
    /** Payloads are limited by the body limit alone, not by the parser's. */
    private static final JsonFactory JSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxStringLength(Integer.MAX_VALUE)
                    .build())
            .build();

    private final EncryptionKeys keys;
    private final SecureRandom random = new SecureRandom();
    private final AtomicBoolean warned = new AtomicBoolean();

    PayloadCipher(EncryptionKeys keys) {
        this.keys = keys;
    }

    /** Whether there is a key. */
    public boolean enabled() {
        return !keys.isEmpty();
    }

    /** Whether a queue that asks for encryption gets it; the first that does not, because there is no key, is told of. */
    public boolean encrypts(String queue) {
        if (!enabled() && warned.compareAndSet(false, true)) {
            LOG.warnf("Queue %s asks for encryption, but QUEEN_ENCRYPTION_KEYS is not set: stored in clear", queue);
        }
        return enabled();
    }

    /** How everything begins that is encrypted with the first key in the newest format. */
    public String newestPrefix() {
        return "{\"v\":" + VERSION + ",\"key\":\"" + keys.firstId() + "\",";
    }

    public String encrypt(String payload, PartitionName partition, String transactionId) {
        byte[] iv = new byte[IV_BYTES];
        random.nextBytes(iv);
        byte[] sealed = run(
                Cipher.ENCRYPT_MODE,
                keys.get(keys.firstId()),
                iv,
                binding(partition, transactionId),
                payload.getBytes(StandardCharsets.UTF_8));
        Base64.Encoder base64 = Base64.getEncoder();
        int end = sealed.length - TAG_BYTES;
        return newestPrefix() + "\"encrypted\":\"" + base64.encodeToString(Arrays.copyOf(sealed, end))
                + "\",\"iv\":\"" + base64.encodeToString(iv)
                + "\",\"authTag\":\"" + base64.encodeToString(Arrays.copyOfRange(sealed, end, sealed.length)) + "\"}";
    }

    /** What was encrypted for this message, or why it can't be told. */
    public OpenedPayload open(String stored, PartitionName partition, String transactionId) {
        try {
            Map<String, String> parts = parts(stored);
            String version = parts.get("v");
            if (version == null) {
                return openFirstFormat(parts);
            }
            return version.equals(VERSION)
                    ? open(parts, binding(partition, transactionId))
                    : OpenedPayload.failed("its format is that of a newer Queen");
        } catch (IOException | IllegalArgumentException e) {
            return DAMAGED;
        }
    }

    private OpenedPayload open(Map<String, String> parts, byte[] binding) {
        String id = parts.getOrDefault("key", "");
        SecretKeySpec key = keys.get(id);
        if (key == null) {
            return EncryptionKeys.isId(id)
                    ? OpenedPayload.failed(
                            "it needs the key " + id + ", which QUEEN_ENCRYPTION_KEYS of this server lacks")
                    : DAMAGED;
        }
        String payload = decrypted(parts, key, binding);
        return payload == null
                ? OpenedPayload.failed(
                        "the key " + id + " does not open it; it was encrypted with another key of that id,"
                                + " for another message, or changed since")
                : new OpenedPayload(payload, null);
    }

    private OpenedPayload openFirstFormat(Map<String, String> parts) {
        for (SecretKeySpec key : keys.all()) {
            String payload = decrypted(parts, key, NOTHING);
            if (payload != null) {
                return new OpenedPayload(payload, null);
            }
        }
        return OpenedPayload.failed("no key of QUEEN_ENCRYPTION_KEYS or QUEEN_ENCRYPTION_KEY of this server opens it");
    }

    /** Null when the key does not open it. */
    private static String decrypted(Map<String, String> parts, SecretKeySpec key, byte[] binding) {
        Base64.Decoder base64 = Base64.getDecoder();
        byte[] text = base64.decode(parts.getOrDefault("encrypted", ""));
        byte[] tag = base64.decode(parts.getOrDefault("authTag", ""));
        byte[] sealed = Arrays.copyOf(text, text.length + tag.length);
        System.arraycopy(tag, 0, sealed, text.length, tag.length);
        try {
            byte[] iv = base64.decode(parts.getOrDefault("iv", ""));
            return new String(run(Cipher.DECRYPT_MODE, key, iv, binding, sealed), StandardCharsets.UTF_8);
        } catch (IllegalStateException e) {
            return null;
        }
    }

    private static byte[] run(int mode, SecretKeySpec key, byte[] iv, byte[] binding, byte[] input) {
        try {
            Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
            cipher.init(mode, key, new GCMParameterSpec(TAG_BYTES * 8, iv));
            cipher.updateAAD(binding);
            return cipher.doFinal(input);
        } catch (GeneralSecurityException | ProviderException e) {
            throw new IllegalStateException(e);
        }
    }

    /** No name holds U+0000, so no two messages have the same. */
    private static byte[] binding(PartitionName partition, String transactionId) {
        return (VERSION + '\0' + partition.queue() + '\0' + partition.partition() + '\0' + original(transactionId))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String original(String transactionId) {
        String id = COPY.matcher(transactionId).replaceFirst("");
        return id.codePointCount(0, id.length()) <= COPIED_CHARACTERS
                ? id
                : id.substring(0, id.offsetByCodePoints(0, COPIED_CHARACTERS));
    }

    private static Map<String, String> parts(String stored) throws IOException {
        Map<String, String> parts = new HashMap<>();
        try (JsonParser parser = JSON.createParser(stored)) {
            while (parser.nextToken() != null) {
                if (parser.currentToken().isScalarValue()) {
                    parts.put(parser.currentName(), parser.getText());
                }
            }
        }
        return parts;
    }
}
