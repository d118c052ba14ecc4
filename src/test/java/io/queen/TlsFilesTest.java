package io.queen;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.queen.config.SettingsException;
import io.queen.testing.Certificates;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsFilesTest {
    @TempDir
    static Path directory;

    private static Certificates certificates;
    private static String cert;
    private static String key;

    @BeforeAll
    static void issue() throws Exception {
        certificates = new Certificates(directory).issue("one").issue("other");
        cert = certificates.cert("one").toString();
        key = certificates.key("one").toString();
    }

    @Test
    void pair_thatFits_isTaken() {
        assertThatCode(() -> require(Map.of())).doesNotThrowAnyException();
        assertThatCode(() -> require(Map.of("QUEEN_TLS_CERT", cert, "queen.tls.key", key)))
                .doesNotThrowAnyException();
        String authority = certificates.authority().toString();
        assertThatCode(() -> require(Map.of("PG_SSL_ROOT_CERT", authority, "PG_SSL_CERT", cert, "PG_SSL_KEY", key)))
                .doesNotThrowAnyException();
    }

    @Test
    void pair_thatCannotBeUsed_isRefusedWithTheNameOfTheSetting() throws Exception {
        String nonsense =
                Files.writeString(directory.resolve("nonsense.key"), "nonsense").toString();
        String others = certificates.key("other").toString();
        assertRefused(Map.of("QUEEN_TLS_CERT", cert), "QUEEN_TLS_CERT and QUEEN_TLS_KEY belong together");
        assertRefused(Map.of("PG_SSL_KEY", key), "PG_SSL_CERT and PG_SSL_KEY belong together");
        assertRefused(Map.of("QUEEN_TLS_CERT", "/none", "QUEEN_TLS_KEY", key), "QUEEN_TLS_CERT: /none can't be read");
        assertRefused(Map.of("QUEEN_TLS_CERT", cert, "QUEEN_TLS_KEY", "/none"), "QUEEN_TLS_KEY: /none can't be read");
        assertRefused(Map.of("QUEEN_TLS_CERT", nonsense, "QUEEN_TLS_KEY", key), "holds no certificate in PEM");
        assertRefused(Map.of("QUEEN_TLS_CERT", cert, "QUEEN_TLS_KEY", nonsense), "holds no private key in PEM");
        assertRefused(Map.of("QUEEN_TLS_CERT", cert, "QUEEN_TLS_KEY", cert), "holds no private key in PEM");
        assertRefused(Map.of("QUEEN_TLS_CERT", cert, "QUEEN_TLS_KEY", others), "is not the key of the certificate");
        assertRefused(Map.of("PG_SSL_ROOT_CERT", nonsense), "PG_SSL_ROOT_CERT: ");
        assertRefused(Map.of("PG_SSL_CERT", cert, "PG_SSL_KEY", key), "PG_SSL_CERT needs PG_SSL_ROOT_CERT");
        String authority = certificates.authority().toString();
        assertRefused(
                Map.of("PG_SSL_ROOT_CERT", authority, "PG_SSL_CERT", cert, "PG_SSL_KEY", cert),
                "must end with .key or .pem");
    }

    private static void assertRefused(Map<String, String> settings, String sentence) {
        assertThatThrownBy(() -> require(settings))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(sentence);
    }

    private static void require(Map<String, String> settings) {
        SmallRyeConfigBuilder builder = new SmallRyeConfigBuilder();
        settings.forEach(builder::withDefaultValue);
        TlsFiles.require(builder.build());
    }
}
