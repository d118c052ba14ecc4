package io.queen.k8s;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.Skip;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code k8s/check}, where there is npm and it can get what the script needs; the script says what it checks. */
class ManifestSchemaProcessTest {
    private static final int NOTHING_CHECKED = 3;

    @TempDir
    Path directory;

    @Test
    void check_ofAllThatIsDeployed_findsNothingWrong() throws Exception {
        Path output = directory.resolve("output");
        Process check = new ProcessBuilder("k8s/check")
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(check.waitFor(10, TimeUnit.MINUTES)).isTrue();
        } finally {
            check.destroyForcibly();
        }
        String said = Files.readString(output);
        Skip.NO_NPM_PACKAGES.unless(check.exitValue() != NOTHING_CHECKED);
        assertThat(check.exitValue()).as(said).isZero();
        assertThat(said).contains("Deployment queen is valid", "Containerfile.native is valid");
    }
}
