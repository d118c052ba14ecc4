package io.queen;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A reader who follows a link arrives. */
class PageLinksTest {
    private static final Path README = Path.of("README.md");
    private static final int MAX_README_BYTES = 12 * 1024;
    private static final int FIRST_CODE_BY_LINE = 30;

    private static final Pattern FENCED = Pattern.compile("(?ms)^ *```.*?^ *```$");
    private static final Pattern LINK = Pattern.compile("\\[[^\\]]*]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");

    static List<Path> pages() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(
                README,
                Path.of("CONTRIBUTING.md"),
                Path.of("CHANGELOG.md"),
                Path.of("native/README.md"),
                Path.of("k8s/README.md")));
        try (Stream<Path> files = Files.list(Path.of("docs"))) {
            files.filter(file -> file.toString().endsWith(".md")).forEach(pages::add);
        }
        return pages;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void links_relative_pointToAFileAndAHeading(Path page) throws IOException {
        List<String> broken = new ArrayList<>();
        Matcher link = LINK.matcher(prose(page));
        while (link.find()) {
            if (!link.group(1).contains("://") && !arrives(page, link.group(1))) {
                broken.add(link.group(1));
            }
        }
        assertThat(broken).isEmpty();
    }

    private static boolean arrives(Path page, String link) throws IOException {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty()
                ? page
                : page.toAbsolutePath().resolveSibling(parts[0]).normalize();
        return Files.exists(target) && (parts.length == 1 || anchors(target).contains(parts[1]));
    }

    /** As GitHub makes an anchor of a heading. */
    private static List<String> anchors(Path page) throws IOException {
        return HEADING.matcher(prose(page))
                .results()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-'))
                .toList();
    }

    private static String prose(Path page) throws IOException {
        return FENCED.matcher(Files.readString(page)).replaceAll("");
    }

    @Test
    void everyPage_always_isReachedFromTheReadme() throws IOException {
        String readme = prose(README);
        assertThat(pages().stream().filter(page -> !page.equals(README)))
                .allMatch(page -> readme.contains("](" + page + ")"));
    }

    @Test
    void readme_always_isShortAndShowsCodeEarly() throws IOException {
        assertThat(Files.size(README)).isLessThanOrEqualTo(MAX_README_BYTES);
        assertThat(Files.readAllLines(README).indexOf("```") + 1).isBetween(1, FIRST_CODE_BY_LINE);
    }
}
