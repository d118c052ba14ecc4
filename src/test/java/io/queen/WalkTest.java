package io.queen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How much a reader holds in mind to follow a message: the files of each walk, as docs/architecture.md lists them, and
 * their lines. {@code mvn test -Dtest=WalkTest} prints them.
 */
class WalkTest {
    private static final Path PAGE = Path.of("docs/architecture.md");
    private static final Path SOURCES = Path.of("src/main/java");
    private static final Path BENCH = SOURCES.resolve("io/queen/bench");
    private static final int MAX_FILES_OF_A_PACKAGE = 30;

    private static final Pattern STEP = Pattern.compile("(\\d+)\\. `([^`]+)` — .+");

    @ParameterizedTest
    @CsvSource({"a push, 14, 1500", "a wildcard pop, 18, 2300", "an ack, 14, 1500"})
    void walk_always_fitsIntoOneSitting(String name, int maxFiles, int maxLines) throws IOException {
        List<Path> files = walk(name);
        assertThat(files)
                .isNotEmpty()
                .doesNotHaveDuplicates()
                .allSatisfy(file -> assertThat(file).isRegularFile());
        int lines = lines(files);
        System.out.printf("The walk of %s: %d files, %,d lines%n", name, files.size(), lines);
        assertThat(files).hasSizeLessThanOrEqualTo(maxFiles);
        assertThat(lines).isLessThanOrEqualTo(maxLines);
    }

    @Test
    void package_always_isSmall() throws IOException {
        Map<Path, Long> sizes =
                sources().stream().collect(Collectors.groupingBy(Path::getParent, TreeMap::new, Collectors.counting()));
        sizes.remove(BENCH);
        assertThat(sizes)
                .isNotEmpty()
                .allSatisfy((directory, size) ->
                        assertThat(size).as(directory.toString()).isLessThanOrEqualTo(MAX_FILES_OF_A_PACKAGE));
    }

    /** The numbered steps below the heading, up to the next one. */
    private static List<Path> walk(String name) throws IOException {
        List<String> steps = Files.readString(PAGE)
                .lines()
                .dropWhile(line -> !line.equals("## The walk of " + name))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .filter(line -> Character.isDigit((line + " ").charAt(0)))
                .toList();
        for (int i = 0; i < steps.size(); i++) {
            assertThat(steps.get(i)).matches(STEP).startsWith((i + 1) + ". ");
        }
        return steps.stream().map(WalkTest::file).toList();
    }

    private static Path file(String step) {
        Matcher matcher = STEP.matcher(step);
        assertThat(matcher.matches()).as(step).isTrue();
        return Path.of(matcher.group(2));
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static int lines(List<Path> files) throws IOException {
        int lines = 0;
        for (Path file : files) {
            lines += Files.readAllLines(file).size();
        }
        return lines;
    }
}
