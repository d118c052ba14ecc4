package io.queen.encryption;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.config.QueenConfig;
import io.queen.message.PartitionName;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PayloadCipherTest {
    static final String KEY = "0123456789abcdef".repeat(4);
    private static final String OTHER_KEY = "f".repeat(64);
    private static final PartitionName PARTITION = new PartitionName("orders", "eu");
    /** {@code {"n":1}} as Queen 0.1 encrypted it with {@link #KEY}. */
    private static final String FIRST_FORMAT =
            "{\"encrypted\":\"5kmQ+fqGYA==\",\"iv\":\"AAECAwQFBgcICQoLDA0ODw==\",\"authTag\":\"9uQGP3k6mjoTq0p4IMGakg==\"}";

    private final PayloadCipher cipher = cipher("a:" + KEY, "");

    @ParameterizedTest
    @ValueSource(
            strings = {"null", "{}", "{\"b\":1,\"a\":1.50,\"b\":2}", "\"ü\\u0000\\ud800 😀\"", "12345678901234567890123"
            })
    void open_ownText_isByteExact(String payload) {
        String stored = encrypt(payload);
        assertThat(stored)
                .matches("\\{\"v\":2,\"key\":\"a\",\"encrypted\":\"[^\"]+\",\"iv\":\"[^\"]+\",\"authTag\":\"[^\"]+\"}")
                .startsWith(cipher.newestPrefix());
        assertThat(open(cipher, stored).payload()).isEqualTo(payload);
    }

    @Test
    void open_largePayload_isByteExact() {
        String payload = '"' + "x".repeat(20_000_000) + '"';
        assertThat(open(cipher, encrypt(payload)).payload().equals(payload)).isTrue();
    }

    @Test
    void encrypt_twice_differs() {
        assertThat(encrypt("{}")).isNotEqualTo(encrypt("{}"));
    }

    @Test
    void encrypt_always_hasSixteenBytesOfIvAndTag() {
        String stored = encrypt("{}");
        assertThat(bytes(stored, "iv")).isEqualTo(16);
        assertThat(bytes(stored, "authTag")).isEqualTo(16);
        assertThat(bytes(stored, "encrypted")).isEqualTo(2);
    }

    @Test
    void open_keyThatIsNoLongerFirst_isOpened() {
        assertThat(open(cipher("b:" + OTHER_KEY + ", a:" + KEY, ""), encrypt("1"))
                        .payload())
                .isEqualTo("1");
    }

    @Test
    void open_keyIsMissing_namesIt() {
        OpenedPayload opened = open(cipher("b:" + OTHER_KEY, ""), encrypt("1"));
        assertThat(opened.failed()).isTrue();
        assertThat(opened.sentence())
                .isEqualTo("The payload can't be decrypted: it needs the key a, which QUEEN_ENCRYPTION_KEYS of this"
                        + " server lacks");
        assertThat(open(cipher("", ""), encrypt("1")).problem()).contains("the key a");
    }

    @Test
    void open_otherKeyOfThatId_saysSo() {
        assertThat(open(cipher("a:" + OTHER_KEY, ""), encrypt("1")).problem()).startsWith("the key a does not open it");
    }

    @ParameterizedTest
    @CsvSource({"other,eu,t", "orders,us,t", "orders,eu,u", "order,seu,t", "orders,e,ut"})
    void open_ofAnotherMessage_isRefused(String queue, String partition, String transactionId) {
        String stored = cipher.encrypt("1", PARTITION, "t");
        OpenedPayload opened = cipher.open(stored, new PartitionName(queue, partition), transactionId);
        assertThat(opened.problem()).contains("for another message");
    }

    /** As redrive_copies_v1 names them, of the message and of a copy. */
    @Test
    void open_copyOfARedrive_isOpened() {
        String first = "~0190163d-8694-739b-aea5-966c26f8ad91";
        String second = "~0190163d-8694-739b-aea5-966c26f8ad92";
        for (String id : new String[] {"t", "", "t~x", "t" + first, "😀".repeat(127), "x".repeat(255)}) {
            String stored = cipher.encrypt("1", PARTITION, id);
            String copied = id.endsWith(first)
                    ? "t"
                    : id.substring(0, id.offsetByCodePoints(0, Math.min(218, id.codePointCount(0, id.length()))));
            assertThat(cipher.open(stored, PARTITION, copied + second).payload())
                    .isEqualTo("1");
        }
    }

    @Test
    void open_bindingCutOff_isRefused() {
        String stored = encrypt("1").replace("\"v\":2,\"key\":\"a\",", "");
        assertThat(open(cipher, stored).failed()).isTrue();
    }

    @Test
    void open_firstFormat_isOpenedWithAnyKey() {
        assertThat(open(cipher("", KEY), FIRST_FORMAT).payload()).isEqualTo("{\"n\":1}");
        assertThat(open(cipher("b:" + OTHER_KEY + ",a:" + KEY, ""), FIRST_FORMAT)
                        .payload())
                .isEqualTo("{\"n\":1}");
        assertThat(open(cipher("b:" + OTHER_KEY, ""), FIRST_FORMAT).problem()).contains("QUEEN_ENCRYPTION_KEY");
        assertThat(open(cipher("", ""), FIRST_FORMAT).failed()).isTrue();
    }

    @Test
    void open_newerFormat_saysSo() {
        assertThat(open(cipher, "{\"v\":3,\"key\":\"a\"}").problem()).contains("newer Queen");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"encrypted\":\"AAAA\",\"iv\":\"AAAA\",\"authTag\":\"AAAA\"}",
                "{\"v\":2,\"key\":\"a\",\"encrypted\":\"AAAA\",\"iv\":\"AAAA\",\"authTag\":\"AAAA\"}",
                "{\"v\":2,\"key\":\"\\\"}\\n\",\"encrypted\":\"AAAA\"}",
                "{\"v\":2}",
                "{\"v\":[2]}",
                "{\"encrypted\":\"\",\"iv\":\"\",\"authTag\":\"\"}",
                "{\"encrypted\":\"not base64!\",\"iv\":\"x\",\"authTag\":\"y\"}",
                "{\"encrypted\":1,\"iv\":null,\"authTag\":{}}",
                "{\"encrypted\":",
                "[\"encrypted\"]",
                "\"encrypted\"",
                "null",
                "7"
            })
    void open_payloadThatLooksLikeIt_fails(String payload) {
        OpenedPayload opened = open(cipher, payload);
        assertThat(opened.failed()).isTrue();
        assertThat(opened.sentence()).doesNotContain("\"", "\n");
    }

    @Test
    void enabled_withoutKey_isFalse() {
        assertThat(cipher.enabled()).isTrue();
        assertThat(cipher("", KEY).enabled()).isTrue();
        assertThat(cipher("", "").enabled()).isFalse();
    }

    private String encrypt(String payload) {
        return cipher.encrypt(payload, PARTITION, "t");
    }

    private static OpenedPayload open(PayloadCipher cipher, String stored) {
        return cipher.open(stored, PARTITION, "t");
    }

    private static int bytes(String stored, String field) {
        String value = stored.replaceAll(".*\"" + field + "\":\"([^\"]*)\".*", "$1");
        return Base64.getDecoder().decode(value).length;
    }

    static PayloadCipher cipher(String keys, String key) {
        return new PayloadCipher(new EncryptionKeys(new SmallRyeConfigBuilder()
                .withMapping(QueenConfig.class)
                .addDefaultInterceptors()
                .withDefaultValue("user.home", "/tmp")
                .withDefaultValue("queen.encryption-keys", keys)
                .withDefaultValue("queen.encryption-key", key)
                .build()
                .getConfigMapping(QueenConfig.class)));
    }
}
