package io.queen.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program that ran to its end, or to its deadline: never waited for without a limit. */
record Command(boolean succeeded, String output) {

    static Command run(List<String> command, Path directory, Duration limit) {
        try {
            // A file, not a pipe: a server that the program leaves behind keeps its output open.
            Path output = Files.createTempFile("queen-", ".out");
            try {
                return run(command, directory, limit, output);
            } finally {
                Files.deleteIfExists(output);
            }
        } catch (IOException e) {
            throw new PostgresException("Could not run " + command.get(0) + ": " + e.getMessage(), e);
        }
    }

    private static Command run(List<String> command, Path directory, Duration limit, Path output) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectInput(new File("/dev/null"))
                .redirectOutput(output.toFile());
        // Variables such as PGPORT or PGOPTIONS are meant for other programs; messages are read in English.
        builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
        builder.environment().put("LC_ALL", "C");
        boolean succeeded = succeeds(builder.start(), limit);
        return new Command(succeeded, Files.readString(output).strip());
    }

    private static boolean succeeds(Process process, Duration limit) {
        try {
            if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue() == 0;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        process.destroyForcibly();
        return false;
    }

    void orThrow(String sentence) {
        if (!succeeded) {
            throw new PostgresException(sentence + ": " + output);
        }
    }
}
