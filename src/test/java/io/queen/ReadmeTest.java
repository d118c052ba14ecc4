package io.queen;

import static org.assertj.core.api.Assertions.assertThat;

import io.queen.message.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the README lists is what the program has. */
public class ReadmeTest {

    @Test
    void errors_listed_areTheCodes() throws Exception {
        List<String> codes = Arrays.stream(ErrorCode.values())
                .map(code -> "| `%s` | %d | %s |".formatted(code, code.status(), code.title()))
                .toList();
        assertThat(table("## Errors")).containsExactlyElementsOf(codes);
    }

    /** The rows of the first table after a heading, without its two head lines. */
    public static List<String> table(String heading) throws Exception {
        return Files.readString(Path.of("README.md"))
                .lines()
                .dropWhile(line -> !line.equals(heading))
                .dropWhile(line -> !line.startsWith("|"))
                .takeWhile(line -> line.startsWith("|"))
                .skip(2)
                .toList();
    }
}
