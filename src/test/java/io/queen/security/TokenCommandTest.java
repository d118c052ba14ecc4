package io.queen.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.TestTokens;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.jose4j.jwt.NumericDate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class TokenCommandTest {
    private final Map<String, String> settings = new HashMap<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    static String privatePem(KeyPair pair) {
        return "-----BEGIN PRIVATE KEY-----\n"
                + Base64.getMimeEncoder().encodeToString(pair.getPrivate().getEncoded())
                + "\n-----END PRIVATE KEY-----\n";
    }

    /** What the command prints with these settings. */
    static String made(Map<String, String> settings, String... arguments) {
        TokenCommandTest test = new TokenCommandTest();
        test.settings.putAll(settings);
        assertThat(test.run(arguments)).as(test.err.toString()).isZero();
        return test.out.toString().strip();
    }

    private int run(String... arguments) {
        return new CommandLine(new TokenCommand(() -> KeySettingsTest.config(settings)))
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(arguments);
    }

    /** As a server with the same settings takes it. */
    private TokenCheck.Checked accepted() throws Exception {
        KeySettings keys = new KeySettings(KeySettingsTest.config(settings));
        KeyRing ring = keys.ring();
        return new TokenCheck(KeySettingsTest.config(settings), keys.algorithms(), () -> ring)
                .check(out.toString().strip());
    }

    @ParameterizedTest
    @CsvSource({"HS256, false", "auto, false", "RS256, true", "EdDSA, true", "auto, true"})
    void token_ofTheServersSettings_isAccepted(String algorithm, boolean privateKey) throws Exception {
        settings.putAll(Map.of("algorithm", algorithm, "secret", TestTokens.SECRET));
        settings.putAll(Map.of("issuer", TestTokens.ISSUER, "audience", TestTokens.AUDIENCE));
        if (privateKey) {
            KeyPair pair = algorithm.equals("EdDSA") ? TestTokens.ED25519 : TestTokens.RSA;
            settings.put("public-key", TestTokens.pem(pair));
            settings.put("private-key", privatePem(pair).replace("\n", "\\n"));
        }
        assertThat(run("--role", "read-write", "--subject", "shop"))
                .as(err.toString())
                .isZero();
        TokenCheck.Checked checked = accepted();
        assertThat(checked.caller())
                .isEqualTo(new Caller(
                        "shop", Level.READ_WRITE, Rights.ALL, checked.caller().expiresAt()));
        assertThat(checked.untilSecond() - NumericDate.now().getValue()).isBetween(29 * 86400L, 31 * 86400L);
    }

    @Test
    void token_withQueues_hasTheseRights() throws Exception {
        settings.put("secret", TestTokens.SECRET);
        assertThat(run(
                        "--role",
                        "admin",
                        "--subject",
                        "s",
                        "--lifetime",
                        "2h",
                        "--queues",
                        "produce=orders.*, consume=mail,logs",
                        "--queues",
                        "consume=post"))
                .as(err.toString())
                .isZero();
        Caller caller = accepted().caller();
        assertThat(caller.queues(Right.PRODUCE)).containsExactly("logs", "orders.*");
        assertThat(caller.queues(Right.CONSUME)).containsExactly("logs", "mail", "post");
        assertThat(caller.queues(Right.MANAGE)).containsExactly("logs");
        assertThat(accepted().untilSecond() - NumericDate.now().getValue()).isBetween(7100L, 7300L);
    }

    @ParameterizedTest
    @CsvSource({"admin, ADMIN", "read-write, READ_WRITE", "read-only, READ_ONLY"})
    void token_otherNamesOfRolesAndClaims_isAccepted(String role, Level level) throws Exception {
        settings.putAll(Map.of("secret", TestTokens.SECRET, "role-admin", "boss", "role-read-write", "clerk"));
        settings.putAll(Map.of("role-read-only", "guest", "roles-claim", "a.role", "queues-claim", "a.b.queues"));
        assertThat(run("--role", role, "--subject", "s", "--queues", "x"))
                .as(err.toString())
                .isZero();
        assertThat(accepted().caller().level()).isEqualTo(level);
        assertThat(accepted().caller().queues(Right.SEE)).containsExactly("x");
    }

    @Test
    void key_inAFile_signs(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("key.pem");
        Files.writeString(file, privatePem(TestTokens.ED25519));
        settings.putAll(Map.of("algorithm", "EdDSA", "public-key", TestTokens.pem(TestTokens.ED25519)));
        assertThat(run("--role", "admin", "--subject", "s", "--key", file.toString()))
                .isZero();
        assertThat(accepted().caller().subject()).isEqualTo("s");
        assertThat(run(
                        "--role",
                        "admin",
                        "--subject",
                        "s",
                        "--key",
                        directory.resolve("none").toString()))
                .isEqualTo(2);
        assertThat(err.toString()).contains("can't be read");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HS256| | |There is no key to sign with. JWT_ALGORITHM is HS256: set JWT_SECRET as",
                "auto| | |set JWT_SECRET or JWT_PRIVATE_KEY as",
                "RS256|a secret of tests, long enough for HS256| |set JWT_PRIVATE_KEY as",
                "HS256|too short| |JWT_SECRET has 9 bytes; HS256 needs at least 32",
                "RS256| |nonsense|JWT_PRIVATE_KEY is not a private key in PEM: it must begin with",
                "RS256| |-----BEGIN PRIVATE KEY-----AAAA-----END PRIVATE KEY-----|neither an RSA nor an Ed25519 key",
            })
    void key_missingOrWrong_isExitCode2WithASentence(String algorithm, String secret, String key, String sentence) {
        settings.put("algorithm", algorithm);
        if (secret != null) {
            settings.put("secret", secret);
        }
        if (key != null) {
            settings.put("private-key", key);
        }
        assertThat(run("--role", "admin", "--subject", "s")).isEqualTo(2);
        assertThat(err.toString()).contains(sentence).doesNotContain("\tat ");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void key_ofAnotherAlgorithm_isRefused() {
        settings.putAll(Map.of("algorithm", "RS256", "private-key", privatePem(TestTokens.ED25519)));
        assertThat(run("--role", "admin", "--subject", "s")).isEqualTo(2);
        assertThat(err.toString()).contains("JWT_PRIVATE_KEY is a key for EdDSA, and JWT_ALGORITHM is RS256");
    }

    @Test
    void key_thatIsTooShort_isRefused() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(1024);
        settings.putAll(Map.of("algorithm", "RS256", "private-key", privatePem(generator.generateKeyPair())));
        assertThat(run("--role", "admin", "--subject", "s")).isEqualTo(2);
        assertThat(err.toString())
                .contains("The key can't sign")
                .contains("2048")
                .doesNotContain("\tat ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--role admin",
                "--subject s",
                "--role boss --subject s",
                "--role admin --subject s --lifetime 0d",
                "--role admin --subject s --lifetime 30",
                "--role admin --subject s --lifetime 367d",
                "--role admin --subject s --lifetime 99999999d",
                "--role admin --subject s --queues read=x",
                "--role admin --subject s --queues produce=a*b",
                "--role admin --subject s --queues produce=",
            })
    void options_wrong_areExitCode2(String words) {
        settings.put("secret", TestTokens.SECRET);
        assertThat(run(words.split(" "))).as(words).isEqualTo(2);
        assertThat(err.toString()).isNotBlank().doesNotContain("\tat ");
        assertThat(out.toString()).isEmpty();
    }
}
