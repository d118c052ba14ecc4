package io.queen;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.PackagedProgram;
import io.queen.testing.TestTokens;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.consumer.JwtConsumerBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code queen token} as it is packaged. */
class TokenProcessTest {
    @TempDir
    Path directory;

    @Test
    void token_fromTheEnvironment_isSignedAndNothingStarted() throws Exception {
        String token = run(
                0,
                Map.of("JWT_SECRET", TestTokens.SECRET, "JWT_ROLE_READ_ONLY", "guest", "JWT_AUDIENCE", "queen"),
                "--role",
                "read-only",
                "--subject",
                "ann",
                "--queues",
                "consume=mail");
        JwtClaims claims = new JwtConsumerBuilder()
                .setVerificationKey(TestTokens.secret())
                .setExpectedAudience("queen")
                .setRequireExpirationTime()
                .build()
                .processToClaims(token.strip());
        assertThat(claims.getSubject()).isEqualTo("ann");
        assertThat(claims.getStringClaimValue("role")).isEqualTo("guest");
        assertThat(claims.getClaimValue("queen_queues")).isEqualTo(Map.of("consume", List.of("mail")));
        assertThat(directory.resolve("data")).doesNotExist();
    }

    @Test
    void token_withoutAKey_saysSo() throws Exception {
        assertThat(run(2, Map.of(), "--role", "admin", "--subject", "ann"))
                .startsWith("There is no key to sign with")
                .doesNotContain("\tat ");
    }

    private String run(int exitCode, Map<String, String> environment, String... options)
            throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.add(0, "token");
        Path output = directory.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(PackagedProgram.command(arguments.toArray(String[]::new)))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("QUEEN_DATA_DIR", directory.resolve("data").toString());
        builder.environment().putAll(environment);
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(output)).isEqualTo(exitCode);
        return Files.readString(output);
    }
}
