package io.queen.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** {@code postgres.log}: one file per start, the one before kept, so that it never grows for good. */
record PostgresLog(Path file) {
    private static final int LINES = 15;

    static PostgresLog startNew(Path directory) throws IOException {
        Path file = directory.resolve("postgres.log");
        if (Files.exists(file)) {
            Files.move(file, directory.resolve("postgres.log.1"), StandardCopyOption.REPLACE_EXISTING);
        }
        Files.createFile(file);
        return new PostgresLog(file);
    }

    String tail() throws IOException {
        List<String> lines = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1)
                .lines()
                .toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
    }
}
