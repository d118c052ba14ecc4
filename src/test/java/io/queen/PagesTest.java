package io.queen;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.message.ErrorCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the pages in docs list is what the program has. */
class PagesTest {
    private static final Path SOURCES = Path.of("src/main/java");

    @Test
    void errors_listed_areTheCodes() throws IOException {
        List<String> codes = Arrays.stream(ErrorCode.values())
                .map(code -> "| `%s` | %d | %s |".formatted(code, code.status(), code.title()))
                .toList();
        assertThat(table("docs/errors.md", "## Codes")).containsExactlyElementsOf(codes);
    }

    @Test
    void packages_listed_areThoseOfTheProgram() throws IOException {
        List<String> listed = table("docs/architecture.md", "## Where things are").stream()
                .map(row -> row.split("`", -1)[1])
                .toList();
        assertThat(listed).containsExactlyInAnyOrderElementsOf(packages());
    }

    private static List<String> packages() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .map(file -> SOURCES.relativize(file.getParent()).toString().replace('/', '.'))
                    .distinct()
                    .toList();
        }
    }

    /** The rows of the first table after a heading, without its two head lines. */
    private static List<String> table(String page, String heading) throws IOException {
        return Files.readString(Path.of(page))
                .lines()
                .dropWhile(line -> !line.equals(heading))
                .dropWhile(line -> !line.startsWith("|"))
                .takeWhile(line -> line.startsWith("|"))
                .skip(2)
                .toList();
    }
}
