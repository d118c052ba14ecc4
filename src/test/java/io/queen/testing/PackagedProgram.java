package io.queen.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What was packaged: the native executable in a native build, else the jar on the JVM of this test. */
public final class PackagedProgram {
    private static final Path JAR =
            Path.of("target", "quarkus-app", "quarkus-run.jar").toAbsolutePath();

    private PackagedProgram() {}

    /** The command that starts it. Programs that live for seconds start sooner when nothing is compiled for long runs. */
    public static List<String> command(String... arguments) {
        List<String> command = new ArrayList<>();
        Path executable = Path.of(System.getProperty("native.image.path", "")).toAbsolutePath();
        if (Files.isRegularFile(executable) && Files.isExecutable(executable)) {
            command.add(executable.toString());
        } else {
            String java = ProcessHandle.current().info().command().orElseThrow();
            command.addAll(List.of(java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", JAR.toString()));
        }
        command.addAll(List.of(arguments));
        return command;
    }
}
