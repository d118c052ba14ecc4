package io.queen.encryption;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.config.QueenConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadCipherTest {
    private static final String KEY = "0123456789abcdef".repeat(4);

    private final PayloadCipher cipher = cipher(KEY);

    @ParameterizedTest
    @ValueSource(
            strings = {"null", "{}", "{\"b\":1,\"a\":1.50,\"b\":2}", "\"ü\\u0000\\ud800 😀\"", "12345678901234567890123"
            })
    void opened_ownText_isByteExact(String payload) {
        String stored = cipher.encrypt(payload);
        assertThat(stored).matches("\\{\"encrypted\":\"[^\"]+\",\"iv\":\"[^\"]+\",\"authTag\":\"[^\"]+\"}");
        assertThat(cipher.opened(stored)).contains(payload);
    }

    @Test
    void opened_largePayload_isByteExact() {
        String payload = '"' + "x".repeat(20_000_000) + '"';
        assertThat(cipher.opened(cipher.encrypt(payload)).orElseThrow().equals(payload))
                .isTrue();
    }

    @Test
    void encrypt_twice_differs() {
        assertThat(cipher.encrypt("{}")).isNotEqualTo(cipher.encrypt("{}"));
    }

    @Test
    void encrypt_always_hasSixteenBytesOfIvAndTag() {
        String stored = cipher.encrypt("{}");
        assertThat(bytes(stored, "iv")).isEqualTo(16);
        assertThat(bytes(stored, "authTag")).isEqualTo(16);
        assertThat(bytes(stored, "encrypted")).isEqualTo(2);
    }

    @Test
    void opened_anotherKey_isEmpty() {
        String stored = cipher.encrypt("{\"n\":1}");
        assertThat(cipher("f".repeat(64)).opened(stored)).isEmpty();
        assertThat(cipher("").opened(stored)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"encrypted\":\"AAAA\",\"iv\":\"AAAA\",\"authTag\":\"AAAA\"}",
                "{\"encrypted\":\"\",\"iv\":\"\",\"authTag\":\"\"}",
                "{\"encrypted\":\"not base64!\",\"iv\":\"x\",\"authTag\":\"y\"}",
                "{\"encrypted\":1,\"iv\":null,\"authTag\":{}}",
                "[\"encrypted\"]",
                "\"encrypted\"",
                "null",
                "7"
            })
    void opened_payloadThatLooksLikeIt_isEmpty(String payload) {
        assertThat(cipher.opened(payload)).isEmpty();
    }

    @Test
    void enabled_withoutKey_isFalse() {
        assertThat(cipher.enabled()).isTrue();
        assertThat(cipher("").enabled()).isFalse();
    }

    private static int bytes(String stored, String field) {
        String value = stored.replaceAll(".*\"" + field + "\":\"([^\"]*)\".*", "$1");
        return Base64.getDecoder().decode(value).length;
    }

    private static PayloadCipher cipher(String key) {
        return new PayloadCipher(new SmallRyeConfigBuilder()
                .withMapping(QueenConfig.class)
                .addDefaultInterceptors()
                .withDefaultValue("user.home", "/tmp")
                .withDefaultValue("queen.encryption-key", key)
                .build()
                .getConfigMapping(QueenConfig.class));
    }
}
