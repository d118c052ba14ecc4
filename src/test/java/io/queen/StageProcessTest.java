package io.queen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.queen.embedded.TestPostgres;
import io.queen.testing.Ports;
import io.queen.testing.Skip;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The image of the JVM variant without a container: {@code native/stage} does what its Containerfile says, the training
 * of the AOT cache included, and starts it as the image would be.
 */
class StageProcessTest {
    private static final Duration LIMIT = Duration.ofMinutes(10);

    @TempDir
    Path directory;

    private final List<Process> started = new ArrayList<>();
    private final List<Path> made = new ArrayList<>();

    @BeforeEach
    void jdk() throws IOException {
        Skip.NO_JDK_25.unless(jdk25() != null);
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
        // Made by -Prelease; here it matters that they are taken along.
        for (Path file : List.of(Path.of("target/THIRD-PARTY.txt"), Path.of("target/bom.json"))) {
            if (!Files.exists(file)) {
                made.add(Files.createFile(file));
            }
        }
    }

    @AfterEach
    void stop() throws IOException {
        started.forEach(Process::destroyForcibly);
        for (Path file : made) {
            Files.delete(file);
        }
    }

    @Test
    void image_ofTheJvm_isTrainedReadOnlyHealthyAndStopsOnTerm() throws Exception {
        assertThat(exitOf(stage(Map.of(), "lay", "native/Containerfile.jvm", directory.toString())))
                .as(log())
                .isZero();
        Path queen = directory.resolve("image/opt/queen");
        assertThat(queen.resolve("queen.aot")).isNotEmptyFile();
        assertThat(queen.resolve("LICENSE")).exists();
        assertThat(queen.resolve("NOTICE")).exists();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(queen)))
                .isEqualTo("r-xr-xr-x");

        assertThat(exitOf(stage(Map.of(), "start", directory.toString()))).isNotZero();
        assertThat(log()).contains("No PostgreSQL is named", "PG_HOST");

        TestPostgres postgres = TestPostgres.shared().createDatabase("staged");
        int port = Ports.free();
        Map<String, String> environment = Map.of(
                "PG_HOST", postgres.host(),
                "PG_PORT", Integer.toString(postgres.port()),
                "PG_DB", postgres.database(),
                "PG_USER", postgres.user(),
                "PG_PASSWORD", postgres.password(),
                "HOST", "127.0.0.1",
                "PORT", Integer.toString(port),
                // Without the cache the JVM would not start.
                "JAVA_TOOL_OPTIONS", "-XX:AOTMode=on -XX:MaxRAMPercentage=50");
        assertThat(exitOf(stage(environment, "health", directory.toString()))).isNotZero();
        Process server = stage(environment, "start", directory.toString());
        await().atMost(LIMIT)
                .until(() -> !server.isAlive() || exitOf(stage(environment, "health", directory.toString())) == 0);
        assertThat(server.isAlive()).as(log()).isTrue();
        assertThat(log()).doesNotContain("AOT cache", "[warning]");
        server.destroy();
        // 128 + SIGTERM, as the JVM ends after an orderly shutdown.
        assertThat(exitOf(server)).isEqualTo(143);
    }

    private static Path jdk25() throws IOException {
        try (Stream<Path> installed =
                Files.isDirectory(Path.of("/usr/lib/jvm")) ? Files.list(Path.of("/usr/lib/jvm")) : Stream.empty()) {
            return installed
                    .filter(path -> path.getFileName().toString().matches(".*\\b25\\b.*")
                            && Files.isExecutable(path.resolve("bin/java")))
                    .findFirst()
                    .orElse(null);
        }
    }

    private Process stage(Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("native/stage"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(logFile().toFile()));
        builder.environment().keySet().removeIf(name -> name.startsWith("PG") || name.startsWith("QUEEN"));
        String home = jdk25().toString();
        builder.environment().put("JAVA_HOME", home);
        builder.environment().merge("PATH", home + "/bin", (path, bin) -> bin + ":" + path);
        builder.environment().putAll(environment);
        Process process = builder.start();
        started.add(process);
        return process;
    }

    private static int exitOf(Process process) throws InterruptedException {
        assertThat(process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private Path logFile() {
        return directory.resolveSibling(directory.getFileName() + ".log");
    }

    private String log() throws IOException {
        return Files.exists(logFile()) ? Files.readString(logFile()) : "";
    }
}
