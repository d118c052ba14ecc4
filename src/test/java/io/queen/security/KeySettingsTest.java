package io.queen.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.config.QueenConfig;
import io.queen.config.SettingsException;
import io.queen.database.TestConfig;
import io.queen.testing.TestTokens;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeySettingsTest {
    private static final String URL = "http://localhost/keys";

    @ParameterizedTest
    @CsvSource({
        "HS256, JWT_SECRET.",
        "RS256, JWT_PUBLIC_KEY (an RSA key) or JWT_JWKS_URL.",
        "EdDSA, JWT_PUBLIC_KEY (an Ed25519 key) or JWT_JWKS_URL.",
    })
    void key_none_isNamed(String algorithm, String needed) {
        assertRefused(Map.of("algorithm", algorithm), "JWT_ALGORITHM is " + algorithm + ": set " + needed);
    }

    @Test
    void auto_withoutAnyKey_namesAllThree() {
        assertRefused(Map.of("algorithm", "auto"), "set JWT_SECRET, JWT_PUBLIC_KEY or JWT_JWKS_URL.");
    }

    @Test
    void key_ofTheOtherKind_isRefused() {
        assertRefused(Map.of("algorithm", "RS256", "public-key", TestTokens.pem(TestTokens.ED25519)), "an RSA key");
        assertRefused(Map.of("algorithm", "EdDSA", "public-key", TestTokens.pem(TestTokens.RSA)), "an Ed25519 key");
    }

    @Test
    void secret_short_isRefusedWithItsLength() {
        assertRefused(Map.of("secret", "x".repeat(31)), "JWT_SECRET has 31 bytes; HS256 needs at least 32");
        assertThat(settings(Map.of("secret", "x".repeat(32))).algorithms()).containsExactly("HS256");
        assertThat(settings(Map.of("secret", "é".repeat(16))).ring().secret().getEncoded())
                .hasSize(32);
    }

    @Test
    void publicKey_nonsense_isRefused() throws Exception {
        assertRefused(Map.of("algorithm", "RS256", "public-key", "abc"), "JWT_PUBLIC_KEY is not a public key in PEM");
        String begin = "-----BEGIN PUBLIC KEY-----";
        String end = "-----END PUBLIC KEY-----";
        assertRefused(Map.of("algorithm", "RS256", "public-key", begin + "\nAAAA\n" + end), "neither an RSA nor");
        assertRefused(Map.of("algorithm", "RS256", "public-key", begin + "\nA\n" + end), "JWT_PUBLIC_KEY");
        KeyPairGenerator weak = KeyPairGenerator.getInstance("RSA");
        weak.initialize(1024);
        KeyPair pair = weak.generateKeyPair();
        assertRefused(Map.of("algorithm", "RS256", "public-key", TestTokens.pem(pair)), "has 1024 bits");
        assertRefused(
                Map.of("algorithm", "EdDSA", "public-key", TestTokens.pem(TestTokens.pair("Ed448"))),
                "must be Ed25519");
        assertRefused(Map.of("algorithm", "RS256", "public-key", TestTokens.pem(TestTokens.pair("EC"))), "neither");
    }

    @Test
    void publicKey_onOneLine_isTaken() {
        String pem = TestTokens.pem(TestTokens.RSA);
        for (String written : new String[] {pem, pem.replace("\n", "\\n"), pem.replace("\n", "\r\n") + "\r\n"}) {
            KeySettings settings = settings(Map.of("algorithm", "RS256", "public-key", written));
            assertThat(settings.algorithms()).containsExactly("RS256");
            assertThat(settings.ring().find("RS256", "any")).isEqualTo(TestTokens.RSA.getPublic());
        }
    }

    @Test
    void auto_takesWhatThereAreKeysFor() {
        assertThat(settings(Map.of("algorithm", "auto", "secret", TestTokens.SECRET))
                        .algorithms())
                .containsExactly("HS256");
        assertThat(settings(Map.of("algorithm", "auto", "public-key", TestTokens.pem(TestTokens.ED25519)))
                        .algorithms())
                .containsExactly("EdDSA");
        assertThat(settings(Map.of("algorithm", "auto", "jwks-url", URL)).algorithms())
                .containsExactlyInAnyOrder("RS256", "EdDSA");
    }

    @Test
    void publicKey_besideAKeyServer_wins() {
        String pem = TestTokens.pem(TestTokens.RSA);
        assertThat(settings(Map.of("algorithm", "RS256", "public-key", pem, "jwks-url", URL))
                        .asksKeyServer())
                .isFalse();
        assertThat(settings(Map.of("algorithm", "RS256", "jwks-url", URL)).asksKeyServer())
                .isTrue();
        assertThat(settings(Map.of("secret", TestTokens.SECRET, "jwks-url", URL))
                        .asksKeyServer())
                .isFalse();
    }

    @Test
    void secret_withAnotherAlgorithm_checksNothing() {
        KeySettings settings = settings(Map.of(
                "algorithm", "RS256", "secret", TestTokens.SECRET, "public-key", TestTokens.pem(TestTokens.RSA)));
        assertThat(settings.ring().secret()).isNull();
        assertThat(settings.algorithms()).containsExactly("RS256");
    }

    private static void assertRefused(Map<String, String> settings, String sentence) {
        assertThatThrownBy(() -> {
                    KeySettings read = settings(settings);
                    read.ring();
                    read.algorithms();
                })
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(sentence);
    }

    private static KeySettings settings(Map<String, String> settings) {
        return new KeySettings(config(settings));
    }

    static QueenConfig.Jwt config(Map<String, String> settings) {
        Map<String, String> keys = new HashMap<>();
        settings.forEach((name, value) -> keys.put("queen.jwt." + name, value));
        return TestConfig.with(keys).jwt();
    }
}
