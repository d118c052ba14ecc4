package io.queen.encryption;

import io.quarkus.runtime.Startup;
import io.queen.config.QueenConfig;
import io.queen.config.SettingsException;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import javax.crypto.spec.SecretKeySpec;

/**
 * The keys of this server by their ids, in the order of {@code QUEEN_ENCRYPTION_KEYS}: the first encrypts, all decrypt.
 * {@code QUEEN_ENCRYPTION_KEY} is one more, the last, with the id {@code default}. What is wrong is told by the place of
 * the entry and never quoted: it may be a key.
 */
@Startup(EncryptionKeys.BEFORE_THE_WARM_UP)
@Singleton
final class EncryptionKeys {
    static final String DEFAULT_ID = "default";
    /** Which has priority 0: what is wrong ends the start before anything is done. */
    static final int BEFORE_THE_WARM_UP = -1;

    private static final String SETTING = "QUEEN_ENCRYPTION_KEYS";
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_.-]{1,32}");
    private static final Pattern KEY = Pattern.compile("[0-9a-fA-F]{64}");

    private final Map<String, SecretKeySpec> keys = new LinkedHashMap<>();

    EncryptionKeys(QueenConfig config) {
        String[] entries =
                config.encryptionKeys().map(text -> text.split(",", -1)).orElse(new String[0]);
        for (int i = 0; i < entries.length; i++) {
            add(entries[i].strip(), i + 1);
        }
        config.encryptionKey().ifPresent(this::addDefault);
    }

    private void add(String entry, int place) {
        int colon = entry.indexOf(':');
        require(
                colon > 0 && isId(entry.substring(0, colon)),
                place,
                "must be an id of up to 32 letters, digits, '.', '_'"
                        + " and '-', a colon, and a key of 64 hex digits");
        String key = entry.substring(colon + 1);
        require(KEY.matcher(key).matches(), place, "must have a key of 64 hex digits after the colon");
        boolean other = keys.putIfAbsent(entry.substring(0, colon), spec(key)) == null;
        require(other, place, "has the id of an entry before it");
    }

    private void addDefault(String hex) {
        if (keys.putIfAbsent(DEFAULT_ID, spec(hex)) != null) {
            throw new SettingsException("QUEEN_ENCRYPTION_KEY is the key with the id " + DEFAULT_ID + ", and " + SETTING
                    + " has an entry with that id: remove one of them.");
        }
    }

    private static void require(boolean condition, int place, String rule) {
        if (!condition) {
            throw new SettingsException("Entry " + place + " of " + SETTING + " " + rule + ".");
        }
    }

    private static SecretKeySpec spec(String hex) {
        return new SecretKeySpec(HexFormat.of().parseHex(hex), "AES");
    }

    static boolean isId(String text) {
        return ID.matcher(text).matches();
    }

    boolean isEmpty() {
        return keys.isEmpty();
    }

    /** The id of the key that encrypts. */
    String firstId() {
        return keys.keySet().iterator().next();
    }

    /** The key; null when there is none of that id. */
    SecretKeySpec get(String id) {
        return keys.get(id);
    }

    Collection<SecretKeySpec> all() {
        return keys.values();
    }
}
