package io.queen.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.config.SettingsException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EncryptionKeysTest {
    private static final String KEY = PayloadCipherTest.KEY;

    @Test
    void keys_several_theFirstEncrypts() {
        PayloadCipher cipher = PayloadCipherTest.cipher(" new-1 : ".replace(" ", "") + KEY + " ,old.2:" + KEY, "");
        assertThat(cipher.newestPrefix()).contains("\"new-1\"");
    }

    @Test
    void keys_oneWithoutId_isTheDefault() {
        assertThat(PayloadCipherTest.cipher("", KEY).newestPrefix()).contains("\"default\"");
        assertThat(PayloadCipherTest.cipher("a:" + KEY, KEY).newestPrefix()).contains("\"a\"");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "K",
                ":K",
                "a:",
                "a:K0",
                "a:xK",
                "K:a",
                "a b:K",
                "a\n:K",
                "a\":K",
                "a:K,",
                "a:K,,b:K",
                "a:K,b",
                "a:K,a:K",
                "a:K:b"
            })
    void keys_wrong_areRefusedWithoutShowingThem(String keys) {
        String half = KEY.substring(0, 32);
        assertThatThrownBy(() -> PayloadCipherTest.cipher(keys.replace("K", KEY), ""))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("QUEEN_ENCRYPTION_KEYS")
                .hasMessageNotContaining(half);
    }

    @Test
    void keys_halfAKeyInPlaceOfAnId_isNotShown() {
        String half = KEY.substring(0, 32);
        assertThatThrownBy(() -> PayloadCipherTest.cipher(half + ":" + half, ""))
                .hasMessageContaining("Entry 1 of QUEEN_ENCRYPTION_KEYS")
                .hasMessageNotContaining(half);
    }

    @Test
    void keys_defaultTwice_isRefused() {
        assertThatThrownBy(() -> PayloadCipherTest.cipher("default:" + KEY, KEY))
                .hasMessageContaining("QUEEN_ENCRYPTION_KEY is the key with the id default")
                .hasMessageNotContaining(KEY);
    }
}
