package io.queen;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.testing.PackagedProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the packaged program answers without becoming a server. */
class BenchProcessTest {
    @TempDir
    Path directory;

    @Test
    void bench_help_listsTheScenariosAndStartsNothing() throws Exception {
        assertThat(run(0, "bench", "--help")).contains("push-100", "end-to-end", "--compare", "Examples");
        assertThat(directory.resolve("data")).doesNotExist();
    }

    @Test
    void bench_unknownScenario_isExitCode2WithTheUsage() throws Exception {
        assertThat(run(2, "bench", "push-2")).contains("There is no scenario 'push-2'", "Usage: queen bench");
    }

    @Test
    void bench_noServer_saysSoWithoutAStackTrace() throws Exception {
        assertThat(run(2, "bench", "push-1", "--url", "http://127.0.0.1:1"))
                .contains("Cannot reach http://127.0.0.1:1")
                .doesNotContain("\tat ");
    }

    @Test
    void version_isSaidAndNothingStarted() throws Exception {
        assertThat(run(0, "--version")).startsWith("Queen ").doesNotContain("${", "address");
        assertThat(directory.resolve("data")).doesNotExist();
    }

    private String run(int exitCode, String... arguments) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(PackagedProgram.command(arguments))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().put("QUEEN_DATA_DIR", directory.resolve("data").toString());
        Process process = builder.start();
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(output)).isEqualTo(exitCode);
        return Files.readString(output);
    }
}
